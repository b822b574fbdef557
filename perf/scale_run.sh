#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# Tests and measures all GPUs of this machine: scale_run.sh BUILD [FOLDER [GRAPH...]]
#
# BUILD is a build directory with the device tests and apsp-bench; results are written to FOLDER (BUILD/scale) as JSON,
# which is also printed as a table. GRAPHs are files of road networks, beside which one of 435,666 vertices is made.
# Processes are started by Open MPI's mpiexec. Set NCCL_NVLS_ENABLE=0 where multicast over NVLink is not permitted.
# QUICK=1 leaves out Floyd–Warshall for n = 131,072. Exit status: 0, or 1 if a step failed.
set -u
build=$(realpath "$1")
out=${2:-$build/scale}
graphs=
[ $# -gt 2 ] && shift 2 && graphs=$(echo "$@" | tr ' ' ',')
devices=$(nvidia-smi --list-gpus | grep -c '^GPU ')
[ "$devices" -gt 0 ] || { echo "expected at least one GPU, got none"; exit 1; }
mkdir -p "$out"
rm -f "$out"/*.json
failed=0
started=$(date +%s)

# step SECONDS NAME COMMAND...: runs a command with a time limit; if it fails, prints its errors and its last lines.
step() {
  limit=$1 name=$2
  shift 2
  begun=$(date +%s)
  timeout "$limit" "$@" > "$out/$name.log" 2>&1 < /dev/null
  status=$?
  echo "$name: status $status, $(($(date +%s) - begun)) s"
  [ $status = 0 ] || { failed=1; grep -E 'error|ERROR' "$out/$name.log" | head -5; tail -2 "$out/$name.log"; }
}
# bench NAME SIZES FILTER [OPTION...]: runs cases of apsp-bench.
bench() {
  name=$1 sizes=$2 filter=$3
  shift 3
  step 300 "$name" "$build/perf/apsp-bench" --types f32 --check 2 --sizes "$sizes" --benchmark_filter="$filter" \
    --benchmark_out="$out/$name.json" "$@"
}
processes() {
  name=$1
  shift
  step 120 "$name" mpiexec --bind-to none -n "$devices" "$@"
}

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1
echo "$devices devices, $(nproc) cores"
nvidia-smi topo -m > "$out/topology.txt" 2>&1

tests=$build/test
step 120 several_devices "$tests/several_devices_test_device"
step 120 out_of_core "$tests/out_of_core_test_device"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
processes processes env OMP_NUM_THREADS=1 "$tests/mpi_device_test"
step 120 memcheck compute-sanitizer --error-exitcode 1 "$tests/several_devices_test_device" --run_test='rows_of_few*'

repeat="--repeat 1 --limit 1"
# shellcheck disable=SC2086  # the options are words
bench dense_65536 65536 '^devices/.*/floyd_warshall/' $repeat
bench rows_131072 131072 '^devices/.*/for_each_row/' --repeat 3 --limit 20
bench batch 100000 '^devices/.*/batch/' --repeat 5 --limit 20
bench roads 435666 '^hierarchy/cuda_tiled.*/(rows|summary|table)' --repeat 3 --limit 10 ${graphs:+--files "$graphs"}
# shellcheck disable=SC2086
[ -n "${QUICK:-}" ] || {
  bench dense_131072 131072 '^devices/.*/floyd_warshall/f32/8n/' $repeat
  bench halves_131072 131072 "^devices/($((devices / 2))|$devices)/floyd_warshall/f32/8n_halves/" $repeat
}
processes processes_65536 "$build/perf/apsp-mpi-bench" --n 65536

python3 - "$out"/*.json << 'END' || failed=1
import json
import sys

status = 0
print(f"{'case':<60} {'ms':>10} {'times one':>10}")
for path in sys.argv[1:]:
    try:
        with open(path) as file:
            runs = json.load(file)["benchmarks"]
    except (OSError, ValueError) as error:
        print(f"{path}: {error}")
        status = 1
        continue
    for run in runs:
        name = run["name"].removesuffix("/manual_time")
        if run.get("error_occurred"):
            print(f"{name:<60} {run['error_message']}")
        else:
            ratio = f"{run['x_one']:.3f}" if "x_one" in run else "-"
            print(f"{name:<60} {run['real_time']:>10.1f} {ratio:>10}")
sys.exit(status)
END
tail -4 "$out/processes_65536.log"
echo "$(($(date +%s) - started)) s"
exit $failed
