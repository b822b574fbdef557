# SPDX-License-Identifier: BSL-1.0
"""When the CUDA kernels are built."""

import os
import pathlib
import shutil
import subprocess

import pytest

import apsp

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "kernels.cmake"
CMAKE = shutil.which("cmake")
DEVICES = "echo 9.0; echo 8.6; echo 9.0"

needs_cmake = pytest.mark.skipif(CMAKE is None, reason="needs CMake")


def chosen(folder, nvidia_smi, *settings):
    """Return APSP_ENABLE_CUDA and CMAKE_CUDA_ARCHITECTURES, and what was said, with this program as nvidia-smi."""
    program = folder / "nvidia-smi"
    program.write_text(f"#!/bin/sh\n{nvidia_smi}\n")
    program.chmod(0o755)
    script = folder / "show.cmake"
    script.write_text(
        f'include("{SCRIPT}")\nmessage(NOTICE "found [${{APSP_ENABLE_CUDA}}] [${{CMAKE_CUDA_ARCHITECTURES}}]")\n'
    )
    done = subprocess.run(
        [CMAKE, *settings, "-P", script],
        env={**os.environ, "PATH": f"{folder}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    found = done.stderr.split("found ")[1].strip()
    return found, done.stdout


@needs_cmake
@pytest.mark.parametrize("nvidia_smi", ("echo 'No devices were found'; exit 6", "exit 0", "exit 9"))
def test_no_kernels_without_a_device(tmp_path, nvidia_smi):
    for settings in ((), ("-DAPSP_ENABLE_CUDA=AUTO",)):
        found, said = chosen(tmp_path, nvidia_smi, *settings)
        assert found == "[OFF] []"
        assert "no CUDA device answers" in said and "-DAPSP_ENABLE_CUDA=ON" in said


@needs_cmake
def test_kernels_for_the_devices(tmp_path):
    for settings in ((), ("-DAPSP_ENABLE_CUDA=AUTO",)):
        found, said = chosen(tmp_path, DEVICES, *settings)
        assert found in ("[] [90-real;86-real]", "[AUTO] [90-real;86-real]")
        assert "90-real;86-real" in said and "-DAPSP_ENABLE_CUDA=OFF" in said


@needs_cmake
@pytest.mark.parametrize("nvidia_smi", (DEVICES, "exit 9"))
@pytest.mark.parametrize(
    ("settings", "expected"),
    (
        (["-DAPSP_ENABLE_CUDA=ON"], "[ON] []"),
        (["-DAPSP_ENABLE_CUDA=OFF"], "[OFF] []"),
        (["-DCMAKE_CUDA_ARCHITECTURES=80"], "[] [80]"),
    ),
)
def test_settings_go_before_devices(tmp_path, nvidia_smi, settings, expected):
    assert chosen(tmp_path, nvidia_smi, *settings) == (expected, "")


def test_build_info():
    assert isinstance(apsp.build_info()["cuda_kernels"], bool)
    if not apsp.build_info()["cuda_kernels"]:
        with pytest.raises(apsp.DeviceError, match="has no CUDA kernels"):
            apsp.floyd_warshall([[0, 1], [1, 0]], policy=apsp.cuda_tiled(required=True))
