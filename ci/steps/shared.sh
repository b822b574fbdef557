#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# No CUDA, a shared library, Clang and its fuzzers, and for the code that uses Boost.Graph the headers of the newest Boost
# that PyPI has.
set -euo pipefail
mkdir -p "$WORK/boost"
python3 -m pip download -q --no-deps --only-binary :all: --dest "$WORK/boost" cmeel-boost==1.90.0
python3 -m zipfile -e "$WORK"/boost/cmeel_boost-*.whl "$WORK/boost"
cmake -S . -B "$WORK/shared" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 \
  -DCMAKE_CXX_COMPILER=clang++ -DBUILD_SHARED_LIBS=ON -DAPSP_ENABLE_FUZZING=ON \
  -DAPSP_ENABLE_CUDA=OFF -DAPSP_WARNINGS_AS_ERRORS=ON \
  -DBoost_NO_BOOST_CMAKE=ON -DBoost_INCLUDE_DIR="$WORK/boost/cmeel.prefix/include"
cmake --build "$WORK/shared" --target apsp boost_graph_test boost_drop_in_test fast_math_test \
  example_road_map dimacs_fuzz matrix_market_fuzz metis_fuzz edge_list_fuzz hierarchy_fuzz
ctest --no-tests=error --test-dir "$WORK/shared" -R '^(boost_graph_test|boost_drop_in_test|fast_math_test|example_road_map|exported_symbols|fuzz_.*)$'
