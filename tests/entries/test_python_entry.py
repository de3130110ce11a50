#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The emitted Python module: buffers and DLPack, defaults, errors."""
import array
import ctypes
import os
import unittest

import entry_kernels as kernels


class DLTensor(ctypes.Structure):
    """DLPack's DLManagedTensor, as far as it is read."""
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class Foreign:
    """A tensor that speaks DLPack and nothing else."""

    def __init__(self, data, shape, strides=None, code=2, device=1, offset=0):
        self.data = data
        pointer = (ctypes.c_char * (len(data) * data.itemsize)).from_buffer(data)
        extents = (ctypes.c_int64 * len(shape))(*shape)
        steps = (ctypes.c_int64 * len(shape))(*strides) if strides else None
        self.tensor = DLTensor(ctypes.addressof(pointer), device, 0, len(shape), code, 8 * data.itemsize, 1,
                               extents, steps, offset)

    def __dlpack__(self):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.tensor), b"dltensor", None)


def floats(*values):
    return array.array("f", values)


def matrix(data, *shape):
    return memoryview(data).cast("B").cast("f", shape)


class EntryTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with cls.assertRaisesRegex(cls(), kernels.Error, "call load"):
            kernels.entry_too_RowSums(floats(1))
        kernels.load(os.environ["ENTRY_KERNELS"])

    def test_buffers_and_defaults(self):
        sums = floats(0, 0)
        kernels.entry_RowSums(sums, matrix(floats(1, 2, 3, 4, 5, 6), 2, 3), 10)
        self.assertEqual(list(sums), [15.5, 24.5])
        kernels.entry_RowSums(sums, in_=matrix(floats(1, 2), 2, 1), device=0, lambda_=False)
        self.assertEqual(list(sums), [1, 2])

    def test_dlpack(self):
        sums = floats(0, 0)
        padded = Foreign(floats(0, 1, 2, 3, 9, 4, 5, 6), (2, 3), (4, 1), offset=4)
        kernels.entry_RowSums(sums, padded, 0, 0.0)
        self.assertEqual(list(sums), [6, 15])
        kernels.entry_RowSums(sums, Foreign(floats(1, 2, 3, 4), (2, 2)), 0, 0.0)
        self.assertEqual(list(sums), [3, 7])
        half = Foreign(array.array("H", [0x3c00, 0x4000]), (2,))
        kernels.entry_too_RowSums(half)
        self.assertEqual(list(half.data), [0x4000, 0x4200])

    def test_types(self):
        out = array.array("i", [0, 0])
        kernels.Convert(out, floats(1.5, 2.5), 10)
        self.assertEqual(list(out), [15, 25])
        with self.assertRaisesRegex(TypeError, "expected <float32, float64> or <int32, float32>, got <int32, float64>"):
            kernels.Convert(out, array.array("d", [1, 2]), 10)

    def test_errors(self):
        sums = floats(0, 0)
        for wrong, text in [(floats(1, 2), "argument 'in': expected 2 dimensions, got 1"),
                            (Foreign(floats(1, 2, 3, 4), (2, 2), (1, 2)), "expected rows in C order"),
                            (Foreign(floats(1, 2, 3, 4), (2, 2), device=2), "as 'sums', got one on a GPU"),
                            (Foreign(floats(1, 2, 3, 4), (2, 2), device=9), "got one on device -1")]:
            with self.subTest(text), self.assertRaisesRegex(kernels.Error, text):
                kernels.entry_RowSums(sums, wrong, 0)
        self.assertEqual(list(sums), [0, 0])
        with self.assertRaises(TypeError):
            kernels.entry_RowSums(sums, bytes(4), 0)  # not writable

    def test_empty(self):
        kernels.Convert(floats(), array.array("d"), 1.0)

    def test_documentation(self):
        self.assertIn("lr: learning rate", kernels.AdamW.__doc__)
        self.assertEqual(kernels.AdamW.__defaults__[:3], (0.001, 0.9, 0.999))


if __name__ == "__main__":
    unittest.main()
