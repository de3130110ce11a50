# SPDX-License-Identifier: Apache-2.0
"""What the tests of wheels share: commands, and virtual environments with packages of PyPI."""
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ["MSHADOW_SOURCE_DIR"])
PAGE = (SOURCE / "docs" / "manual" / "python.md").read_text()


def run(*args, **more):
    result = subprocess.run([str(a) for a in args], text=True, check=False, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, **more)
    if result.returncode:
        raise AssertionError(f"{args} ended with {result.returncode}:\n{result.stdout[-4000:]}")
    return result.stdout


def environment(directory, *packages):
    """The Python of a new virtual environment with these packages."""
    python = pathlib.Path(directory) / "bin" / "python"
    run(sys.executable, "-m", "venv", directory)
    run(python, "-m", "pip", "install", "-q", *packages)
    return python


def work_and_tools():
    """A temporary directory, and in it a Python with what makes and examines wheels. Without PyPI the
    test is skipped."""
    work = tempfile.TemporaryDirectory()
    try:
        return work, environment(f"{work.name}/venv", "scikit-build-core", "numpy", "auditwheel", "mypy")
    except AssertionError as error:
        print(f"SKIP: PyPI is not reached: {error}")
        sys.exit(0)


def check_manylinux(python, wheel):
    """auditwheel finds a tag, since the wheel needs no library but those of C."""
    shown = " ".join(run(python, "-m", "auditwheel", "show", wheel).split())
    assert 'consistent with the following platform tag: "manylinux_' in shown, shown
    return shown
