# SPDX-License-Identifier: Apache-2.0
"""mshadow-gen, the generator of fused kernels, and what its output is compiled with.

    import mshadow_gen
    rules = mshadow_gen.build("my_rule.h", out="build")

build() generates, compiles and loads rules. For add_mshadow_kernels() of CMake, `prefix` is the
directory in which find_package(mshadow_kernels) finds the package. scikit-build-core passes it to
CMake by itself. `executable` is the program.
"""
import os
import sys

from ._build import BuildError, build

__all__ = ["BuildError", "build", "executable", "prefix"]
__version__ = "0.1.0"

prefix: str = os.path.dirname(os.path.abspath(__file__))
executable: str = os.path.join(prefix, "bin", "mshadow-gen")


def _main() -> None:
    """The script mshadow-gen."""
    os.execv(executable, ["mshadow-gen", *sys.argv[1:]])
