# SPDX-License-Identifier: Apache-2.0
"""What benchmarks from Python share: our package, and times."""

import os
import pathlib
import sys
import time


def import_package(library, threads):
    """mshadow_kernels with this number of threads: the package whose library is named, or, without
    a name, the one that Python finds."""
    os.environ["MSHADOW_NUM_THREADS"] = str(threads)  # read when the library starts
    if library:
        sys.path.insert(0, str(pathlib.Path(library).resolve().parent.parent))
    import mshadow_kernels

    return mshadow_kernels


def seconds(function, calls):
    """The mean time of `calls` calls."""
    begin = time.perf_counter()
    for _ in range(calls):
        function()
    return (time.perf_counter() - begin) / calls
