#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The emitted Python module with NumPy, JAX and PyTorch as they are, where they are installed."""
import importlib
import os
import sys
import types
import unittest

import entry_kernels as kernels


def library(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


numpy, jax, torch = library("numpy"), library("jax"), library("torch")
ml_dtypes = library("ml_dtypes")
for name in ("numpy", "jax", "torch"):
    if globals()[name] is None:
        print(f"SKIPPED: the tests with {name}, which is not installed")
if numpy is jax is torch is None:
    sys.exit(print("SKIP: no library to test with"))
kernels.load(os.environ["ENTRY_KERNELS"])


@unittest.skipIf(numpy is None, "NumPy is not installed")
class NumPyTest(unittest.TestCase):
    def test_types_and_padded_rows(self):
        rows = numpy.arange(12, dtype="f4").reshape(3, 4)[:, :3]
        sums = numpy.zeros(3, "f4")
        kernels.entry_RowSums(sums, rows, 0, 0.0)
        self.assertEqual(sums.tolist(), [3, 15, 27])
        halves = numpy.ones(4, "f2")
        kernels.entry_too_RowSums(halves)
        self.assertEqual(halves.tolist(), [2] * 4)

    def test_read_only_arrays_are_read(self):
        rows, sums = numpy.ones((2, 3), "f4"), numpy.zeros(2, "f4")
        rows.flags.writeable = False
        kernels.entry_RowSums(sums, rows, 0, 0.0)
        self.assertEqual(sums.tolist(), [3, 3])
        sums.flags.writeable = False
        with self.assertRaisesRegex(kernels.Error, "RowSums: argument 'sums': expected writable "
                                                   "memory, got read-only memory"):
            kernels.entry_RowSums(sums, rows, 1, 0.0)
        self.assertEqual(sums.tolist(), [3, 3])

    def test_errors_name_the_argument(self):
        sums = numpy.zeros(2, "f4")
        for wrong, text in [(numpy.zeros((2, 3), "u2"), "an element type of float32, .*, got uint16"),
                            (numpy.zeros((2, 3), ">f4"), "got format '>f'"),
                            (numpy.zeros((3, 2), "f4").T, r"got strides \(1, 2\) of shape \(2, 3\)"),
                            (numpy.zeros((2, 3), "f4")[:, ::-1], "rows in C order"),
                            (numpy.broadcast_to(numpy.float32(1), (2, 3)), "rows in C order")]:
            with self.subTest(text), self.assertRaisesRegex(
                    kernels.Error, "^RowSums: argument 'in': expected .*" + text):
                kernels.entry_RowSums(sums, wrong, 0)

    def test_bfloat16_of_ml_dtypes(self):
        """No protocol names the type of these arrays."""
        class Array(numpy.ndarray):
            """Behaves as they do, where ml_dtypes is not installed."""
            dtype = property(lambda self: types.SimpleNamespace(name="bfloat16"))

            def view(self, kind):
                return super().view(numpy.ndarray).view(kind)

            def __dlpack__(self, **_):
                raise BufferError("DLPack only supports signed/unsigned integers, float and complex dtypes.")

        for kind in [Array] if ml_dtypes is None else [Array, ml_dtypes.bfloat16]:
            with self.subTest(kind=kind):
                weight, grad = (numpy.array(bits, "u2").view(kind) for bits in ([0x3f80, 0x4000], [0, 0]))
                mean, variance = numpy.zeros((2, 2), "f4")
                kernels.AdamW(weight, mean, variance, grad, lr=1.0, decay=0.5)
                self.assertEqual(weight.view(numpy.ndarray).view("u2").tolist(), [0x3f00, 0x3f80])
                prepared = kernels.tensor(weight)
                kernels.AdamW(prepared, mean, variance, grad, lr=1.0, decay=0.5)
                self.assertEqual(weight.view(numpy.ndarray).view("u2").tolist(), [0x3e80, 0x3f00])
                weight.flags.writeable = False
                with self.assertRaisesRegex(kernels.Error, "'weight': expected writable memory, got read-only"):
                    kernels.AdamW(weight, mean, variance, grad)

    def test_integers_of_numpy(self):
        sums = numpy.zeros(2, "f4")
        kernels.entry_RowSums(sums, numpy.zeros((2, 3), "f4"), numpy.int64(3), numpy.float32(0))
        self.assertEqual(sums.tolist(), [3, 3])


@unittest.skipIf(jax is None, "JAX is not installed")
class JaxTest(unittest.TestCase):
    def test_arrays_are_read(self):
        sums = memoryview(bytearray(8)).cast("f")
        kernels.entry_RowSums(sums, jax.numpy.ones((2, 3)), 0, 0.0)
        self.assertEqual(list(sums), [3, 3])

    def test_arrays_are_written_only_if_asked(self):
        halves = jax.numpy.ones(4, "float16")
        alias = jax.numpy.asarray(halves)
        with self.assertRaisesRegex(kernels.Error, "argument 'out': expected writable memory, "
                                                   "got an array of JAX.*overwrite=True"):
            kernels.entry_too_RowSums(halves)
        self.assertEqual(alias.tolist(), [1] * 4)
        kernels.entry_too_RowSums(kernels.tensor(halves, overwrite=True))
        self.assertEqual(halves.tolist(), [2] * 4)


@unittest.skipIf(torch is None, "PyTorch is not installed")
class TorchTest(unittest.TestCase):
    def test_backward_sees_what_is_written(self):
        x = torch.ones(4, dtype=torch.float32, requires_grad=True)
        y = x * 2.0
        z = (y * y).sum()
        kernels.Convert(y.detach(), torch.ones(4, dtype=torch.float64), 0.9)
        with self.assertRaisesRegex(RuntimeError, "modified by an inplace operation"):
            z.backward()

    def test_parameters_are_updated_without_grad(self):
        weight = torch.nn.Parameter(torch.ones(4, dtype=torch.float16))
        with self.assertRaisesRegex(kernels.Error, "argument 'out': .*torch.no_grad"):
            kernels.entry_too_RowSums(weight)
        version = weight._version
        with torch.no_grad():
            kernels.entry_too_RowSums(weight)
        self.assertEqual((weight.tolist(), weight._version), ([2] * 4, version + 1))
        with torch.inference_mode():
            kernels.entry_too_RowSums(torch.ones(4, dtype=torch.float16))

    def test_prepared_tensors(self):
        weight = torch.ones(4, dtype=torch.float16)
        prepared = kernels.tensor(weight)
        for _ in range(3):
            kernels.entry_too_RowSums(prepared)
        self.assertEqual((weight.tolist(), weight._version), ([4] * 4, 3))

    def test_changed_memory_and_shape(self):
        weight = torch.ones(4, dtype=torch.float16)
        kernels.entry_too_RowSums(weight)
        weight.data = torch.zeros(2, 3, dtype=torch.float16)
        kernels.entry_too_RowSums(weight)
        self.assertEqual(weight.tolist(), [[1] * 3] * 2)

    def test_errors_name_the_argument(self):
        sums = torch.zeros(2)
        for wrong, text in [(torch.zeros(3, 2).T, r"rows in C order, got strides \(1, 2\)"),
                            (torch.zeros(2, 3, dtype=torch.complex64), "got complex64"),
                            (torch.zeros(2, 3, device="meta"), "got one on meta"),
                            (torch.conj(torch.zeros(2, 3, dtype=torch.complex64)).imag, "negative bit")]:
            with self.subTest(text), self.assertRaisesRegex(
                    kernels.Error, "^RowSums: argument 'in': expected .*" + text):
                kernels.entry_RowSums(sums, wrong, 0)
        self.assertEqual(sums._version, 0)


if __name__ == "__main__":
    unittest.main()
