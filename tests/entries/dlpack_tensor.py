# SPDX-License-Identifier: Apache-2.0
"""Tensors that speak DLPack and nothing else."""
import ctypes


class DLTensor(ctypes.Structure):
    """DLPack's DLManagedTensor, as far as it is read."""
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class DLVersioned(ctypes.Structure):
    """DLManagedTensorVersioned, of DLPack 1.0."""
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", DLTensor)]


def capsule(what, name):
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return new(ctypes.addressof(what), name, None)


class Foreign:
    """A tensor of the time before DLPack 1.0."""

    def __init__(self, data, shape, strides=None, code=2, device=1, offset=0):
        self.data = data
        pointer = (ctypes.c_char * (len(data) * data.itemsize)).from_buffer(data)
        extents = (ctypes.c_int64 * len(shape))(*shape)
        steps = (ctypes.c_int64 * len(shape))(*strides) if strides else None
        self.tensor = DLTensor(ctypes.addressof(pointer), device, 0, len(shape), code, 8 * data.itemsize, 1,
                               extents, steps, offset)

    def __dlpack__(self):
        return capsule(self.tensor, b"dltensor")


class Flagged(Foreign):
    """One of DLPack 1.0, whose flags are 1: read-only, 2: a copy."""

    def __init__(self, data, shape, flags=0, version=1):
        super().__init__(data, shape)
        self.managed = DLVersioned(version, 0, None, None, flags, self.tensor)

    def __dlpack__(self, max_version=None):
        return capsule(self.managed, b"dltensor_versioned" if max_version else b"dltensor")
