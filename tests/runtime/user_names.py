#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A header of a user's that comes before the runtime's, and declares every name that is in those once more,
outside of all namespaces: as a namespace, or as a function that takes everything.

    user_names.py (namespaces | functions) COMPILER
"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'tests/names'))
import name_lists  # noqa: E402

DECLARATIONS = {
    'namespaces': 'namespace {0} {{}}',
    'functions': 'template <typename... AnyArgs> void {0}(AnyArgs &&...) = delete;',
}
# The runtime declares these outside of its namespaces itself.
GLOBAL = 'CUstream_st CUevent_st cublasContext cusolverDnContext cudnnContext curandGenerator_st isfinite nullptr_t'.split()
# Namespaces; and what expressions of users' overload, found by their operands' namespaces.
NO_FUNCTIONS = ['dmlc', 'std', 'MakePlan']


def main():
    kind, compiler = sys.argv[1:]
    names = name_lists.of_files(ROOT) - name_lists.of_headers(compiler, ROOT)
    names -= {*name_lists.KEYWORDS, *name_lists.CUDA, *GLOBAL}
    if kind == 'functions':
        names -= set(NO_FUNCTIONS)
    for name in sorted(names):
        if '__' not in name and not name.lower().startswith(('mshadow', 'cuda', 'cublas', 'curand')):
            print(DECLARATIONS[kind].format(name))


if __name__ == '__main__':
    main()
