{{banner}}
"""The rules of {{base}}, by way of its C functions.

    import {{base}}
    {{base}}.load("lib{{base}}.so")  # a shared library: add_mshadow_kernels(... TYPE SHARED)

A tensor is whatever has __dlpack__, on a CPU or a GPU, or the buffer protocol, writable. It is
neither copied nor converted: the library reads and writes its memory. Rows may be padded.
"""
import ctypes

_TYPES = {(2, 32): 0, (2, 64): 1, (2, 16): 2, (4, 16): 12, (0, 8): 5, (0, 32): 4, (0, 64): 6,
          (1, 8): 3, (6, 8): 7}  # DLPack's code and bits -> mshadow_type
_FORMATS = {"f": (2, 32), "d": (2, 64), "e": (2, 16), "b": (0, 8), "B": (1, 8), "?": (6, 8)}
_DEVICES = {1: 1, 3: 1, 2: 2, 13: 2}  # DLPack's CPU, pinned, CUDA, managed -> mshadow_device
_NO_INSTANCE = 2


class Error(RuntimeError):
    """What mshadow::Error says: the rule, the argument, what was expected and what came."""


class NoInstance(Error, TypeError):
    """The rule was not generated for these element types."""


class _Tensor(ctypes.Structure):
    """mshadow_tensor; `owner` keeps what it views."""
    _fields_ = [("data", ctypes.c_void_p), ("type", ctypes.c_int32), ("device", ctypes.c_int32),
                ("rank", ctypes.c_int32), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("row_stride", ctypes.c_int64), ("stream", ctypes.c_void_p)]


class _DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
                ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


_library = None


def load(path):
    """Loads the shared library that has the rules; once, before the first call."""
    global _library
    _library = ctypes.CDLL(path)
    _library.mshadow_last_error.restype = ctypes.c_char_p


def _make(owner, data, kind, device, shape, strides):
    """A tensor of these extents and strides in elements; `kind` is DLPack's code and bits."""
    row_stride = shape[-1] if shape else 0
    expected = 1
    for i in range(len(shape) - 1, -1, -1):
        if shape[i] > 1 and 0 not in shape and strides[i] != expected:
            if i != len(shape) - 2 or strides[i] < expected:
                raise Error(f"expected rows in C order, got strides {tuple(strides)}")
            row_stride = expected = strides[i]
        elif i == len(shape) - 2:
            expected = row_stride
        expected *= shape[i]
    tensor = _Tensor(data, _TYPES.get(kind, -1), _DEVICES.get(device, -1), len(shape),
                     (ctypes.c_int64 * max(len(shape), 1))(*shape), row_stride, None)
    tensor.owner = owner
    return tensor


def _tensor(x):
    if hasattr(x, "__dlpack__"):
        capsule = x.__dlpack__()
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        t = _DLTensor.from_address(pointer(capsule, b"dltensor"))
        shape, strides = t.shape[:t.ndim], t.strides[:t.ndim] if t.strides else None
        data = (t.data or 0) + t.byte_offset
        kind = (t.code, t.bits) if t.lanes == 1 else None
        return _make((x, capsule), data, kind, t.device_type, shape, strides or _strides(shape))
    view = memoryview(x)
    size = view.itemsize
    kind = _FORMATS.get(view.format, (0, 8 * size) if view.format in tuple("ilq") else None)
    data = ctypes.addressof(ctypes.c_char.from_buffer(view)) if view.nbytes else 0
    return _make(view, data, kind, 1, view.shape, [s // size for s in view.strides])


def _strides(shape):
    strides = [1] * len(shape)
    for i in range(len(shape) - 2, -1, -1):
        strides[i] = strides[i + 1] * shape[i + 1]
    return strides


def _call(name, *args):
    if _library is None:
        raise Error(f"{name}: call load() before")
    references = [ctypes.byref(a) if isinstance(a, _Tensor) else a for a in args]
    status = getattr(_library, name)(*references)
    if status:
        text = _library.mshadow_last_error().decode()
        raise NoInstance(text) if status == _NO_INSTANCE else Error(text)


{{functions}}
