# SPDX-License-Identifier: Apache-2.0
"""Names that others have."""
import re
import subprocess

# What was wrong once, and one of each kind beside it.
# Rules by the number of their shape (name_specs.py), and their names.
TAKEN = [
    (0, dict(namespace='tensors', rule='Vec', device='mshadow', rank='Load', type='Map', second_type='index_t',
             output='Instances', input='LaunchVec', scalar='xpu', hyper='std', local='device', value='plan',
             operator='Exp')),
    (0, dict(namespace='plan', rule='fused', device='device', rank='s', type='real_t', second_type='scalar',
             output='Cast', input='value', scalar='context', hyper='RunPlan', local='kParams', value='Lanes',
             operator='Select')),
    (1, dict(namespace='stream', rule='Cast', device='Reduce', type='N', output='RowBuffer', input='Divisor',
             hyper='team', temporary='leaf', row_temporary='row')),
    (1, dict(namespace='at', rule='Plan', type='dtype', output='begin', input='tensors', hyper='lanes',
             temporary='Instances', row_temporary='kBuffered')),
    (2, dict(namespace='s', rule='Load', device='gpu', type='value_type', output='block', input='tail', scalar='x',
             temporary='Column')),
    (2, dict(namespace='detail', rule='Instances', device='cpu', type='data_t', output='mshadow_tensor', input='isa',
             scalar='DType_', temporary='at')),
    (3, dict(namespace='packet', rule='unfused', device='rows', rank='row', type='float_t', output='view',
             input='ViewRow', scalar='rank', value='Make')),
    (4, dict(namespace='std_', rule='Launch', device='Tuning', type='baseline', output='RunPlan', input='Stage',
             scalar='memory', temporary='parts', row_temporary='kept')),
    (5, dict(namespace='expr', rule='Exp', type='plan', second_type='Index', output='run', input='Make', hyper='n',
             local='step', value='result')),
    (6, dict(namespace='op', rule='RowTree', device='Tensor_', type='element', output='channel', input='Kept',
             hyper='trees', temporary='plane', value='Channel', operator='Sum')),
    (4, dict(namespace='mshadow', rule='Rule', type='Reduce', output='i', input='V', scalar='Instances',
             temporary='P', row_temporary='shape')),
]

# What no emitted code can be made of.
REFUSED = [
    (0, 'rule', 'size_t'), (1, 'rule', 'int32_t'), (2, 'rule', 'typeof'), (3, 'namespace', 'std'),
    (4, 'namespace', 'printf'), (0, 'namespace', 'float4'), (1, 'namespace', 'baseline'), (0, 'scalar', 'BUFSIZ'),
    (1, 'type', 'EOF'), (2, 'device', 'concept'), (4, 'temporary', 'M_PI'), (0, 'hyper', 'INT_MAX'),
    (2, 'namespace', 'a::std'), (3, 'namespace', 'a::mshadow'), (0, 'local', 'stdin'), (3, 'value', 'SIZE_MAX'), (1, 'input', 'typeof'), (3, 'rank', 'NAN'),
    (0, 'namespace', 'ffsll'), (6, 'namespace', 'atomicAdd'), (1, 'namespace', 'CUevent_st'), (2, 'namespace', 'norm'),
    (3, 'namespace', 'make_float4'), (0, 'local', 'cudaStreamLegacy'), (1, 'input', 'cudaStreamDefault'),
]

KEYWORDS = '''
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class co_await co_return
co_yield compl concept const const_cast consteval constexpr constinit continue contract_assert decltype default delete do double
dynamic_cast else enum explicit export extern false final float for friend goto if import inline int linux long module mutable
namespace new noexcept not not_eq nullptr operator or or_eq override private protected public register reinterpret_cast requires
restrict return short signals signed sizeof slots static static_assert static_cast struct switch template this thread_local throw
true try typedef typeid typename typeof typeof_unqual union unix unsigned using virtual void volatile wchar_t while xor xor_eq
emit foreach near far
'''.split()

CUDA = '''
threadIdx blockIdx blockDim gridDim warpSize dim3 char1 char2 char3 char4 uchar4 short2 ushort2 int2 int3 int4 uint2 uint4 long2
longlong2 float1 float2 float3 float4 double2 double4 make_float4 make_int2 atomicAdd atomicCAS atomicMax syncthreads cudaError_t
cudaStream_t cudaMalloc cudaFree cudaMemcpy cudaSuccess cudaGetLastError cublasHandle_t curandGenerator_t half half2 nv_bfloat16
uint ushort uchar ulong texture surface saturate rsqrt sinpi cospi erfcinv normcdf clock clock64 trap brkpt lerp min max umin umax
'''.split()

C_HEADERS = '''assert complex ctype errno fenv float inttypes limits locale math setjmp signal stdbool stddef stdint stdio stdlib
string tgmath time uchar wchar wctype'''.split()


def of_files(root):
    """Every word of the runtime and of the templates."""
    found = set()
    for folder in ('runtime/include/mshadow', 'templates'):
        for path in (root / folder).rglob('*'):
            if path.is_file():
                found |= set(re.findall(r'\b[A-Za-z]\w*', re.sub(r'//.*', '', path.read_text())))
    return found


def of_headers(compiler, root):
    """What C's headers declare, and macros of all: what C++ declares is in std, where no emitted code looks."""
    c = ''.join(f'#include <{name}.h>\n' for name in C_HEADERS)
    cpp = c + '#include <bits/stdc++.h>\n#include <mshadow/kernel.h>\n'

    def preprocess(language, *flags, text):
        return subprocess.run([compiler, *flags, '-E', '-x', language, '-', '-I', str(root / 'runtime/include')],
                              input=text, stdout=subprocess.PIPE, text=True, check=True).stdout
    macros = preprocess('c++', '-std=gnu++20', '-dM', text=cpp)
    declared = preprocess('c', '-D_GNU_SOURCE', '-P', text=c)
    return set(re.findall(r'^#define ([A-Za-z]\w*)', macros, re.M)) | set(re.findall(r'\b[A-Za-z]\w*', declared))


def every(root, compiler):
    found = set(KEYWORDS) | set(CUDA) | of_files(root) | of_headers(compiler, root)
    return sorted(name for name in found if len(name) <= 64 and '__' not in name)
