#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The emitted Python module: buffers and DLPack, defaults, errors. Libraries that are not there have
stand-ins here; test_python_libraries.py has them as they are."""
import array
import collections
import ctypes
import importlib.util
import math
import os
import struct
import sys
import types
import unittest
from unittest import mock

import entry_kernels as kernels
from dlpack_tensor import Flagged, Foreign


def floats(*values):
    return array.array("f", values)


def matrix(data, *shape):
    return memoryview(data).cast("B").cast("f", shape)


def ones(shape):
    return matrix(floats(*[1] * math.prod(shape)), *shape)


def misfits(shape):
    """Shapes of which a tensor of `shape` has none: longer in each dimension, turned, of one element."""
    longer = [shape[:d] + (extent + 1,) + shape[d + 1:] for d, extent in enumerate(shape)]
    return [*longer, *{shape[::-1], (1,) * len(shape)} - {shape}]


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

    def test_rules_that_share_a_name(self):
        out = floats(0, 0, 0, 0)
        kernels.ReversedRank1(out, floats(1, 2, 3, 4))
        self.assertEqual(list(out), [4, 3, 2, 1])
        kernels.ReversedRank2(matrix(out, 2, 2), matrix(floats(1, 2, 3, 4), 2, 2))
        self.assertEqual(list(out), [6, 8, 2, 4])
        self.assertFalse(hasattr(kernels, "Reversed"))

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

    def test_flags_of_dlpack(self):
        sums, rows = Flagged(floats(0, 0), (2,)), Flagged(floats(1, 2, 3, 4), (2, 2), flags=1)
        kernels.entry_RowSums(sums, rows, 0, 0.0)
        self.assertEqual(list(sums.data), [3, 7])
        for flags, text in [(1, "writable memory, got read-only memory"),
                            (2, "memory that is shared with the tensor, got a copy")]:
            with self.assertRaisesRegex(kernels.Error, "RowSums: argument 'sums': expected " + text):
                kernels.entry_RowSums(Flagged(sums.data, (2,), flags=flags), rows, 1)
        with self.assertRaisesRegex(kernels.Error, "expected DLPack of version 1, got 2"):
            kernels.entry_RowSums(sums, Flagged(floats(1), (1, 1), version=2), 1)
        self.assertEqual(list(sums.data), [3, 7])

    def test_read_only_buffers(self):
        sums = floats(0)
        kernels.entry_RowSums(sums, memoryview(bytes(floats(1, 2))).cast("f", (1, 2)), 0, 0.0)
        self.assertEqual(list(sums), [3])
        with self.assertRaisesRegex(kernels.Error, "RowSums: argument 'sums': expected writable "
                                                   "memory, got read-only memory"):
            kernels.entry_RowSums(memoryview(bytes(4)).cast("f"), matrix(floats(1), 1, 1), 0)

    def test_arrays_that_nothing_may_change(self):
        for module, library in [("jaxlib._jax", "JAX"), ("tensorflow.python", "TensorFlow")]:
            kind = type("Array", (Foreign,), {"__module__": module})
            half = kind(array.array("H", [0x3c00]), (1,))
            kernels.Convert(floats(0), kind(array.array("d", [1]), (1,)), 1.0)  # is read
            with self.assertRaisesRegex(kernels.Error, f"argument 'out': .* an array of {library}"):
                kernels.entry_too_RowSums(half)
            with self.assertRaisesRegex(kernels.Error, "argument 'out'"):
                kernels.entry_too_RowSums(kernels.tensor(half))
            self.assertEqual(half.data[0], 0x3c00)
            kernels.entry_too_RowSums(kernels.tensor(half, overwrite=True))
            self.assertEqual(half.data[0], 0x4000)

    def test_prepared_tensors(self):
        sums, rows = kernels.tensor(floats(0, 0)), matrix(floats(1, 2, 3, 4), 2, 2)
        for scale in (0, 1):
            kernels.entry_RowSums(sums, kernels.tensor(rows), scale, 0.0)
        self.assertEqual(list(sums.keep), [4, 8])
        with self.assertRaisesRegex(TypeError, "tensor: expected a tensor, .* got int"):
            kernels.tensor(1)

    def test_integers(self):
        sums, rows = floats(0), matrix(floats(1), 1, 1)
        for wrong in (1 << 63, -(1 << 63) - 1):
            with self.assertRaisesRegex(kernels.Error, f"RowSums: argument 'device': expected an "
                                        f"integer from -9223372036854775808 .* got {wrong}"):
                kernels.entry_RowSums(sums, rows, wrong)
        with self.assertRaisesRegex(TypeError, "argument 'device': expected an integer, got 1.5"):
            kernels.entry_RowSums(sums, rows, 1.5)
        with self.assertRaisesRegex(kernels.Error, "argument 'step': .* to 2147483647, got 4294967297"):
            kernels.AdamW(*[floats(0) for _ in range(4)], step=(1 << 32) + 1)
        self.assertEqual(list(sums), [0])

    def test_types(self):
        out = array.array("i", [0, 0])
        kernels.Convert(out, floats(1.5, 2.5), 10)
        self.assertEqual(list(out), [15, 25])
        with self.assertRaisesRegex(TypeError, "expected <float32, float64> or <int32, float32>, got <int32, float64>"):
            kernels.Convert(out, array.array("d", [1, 2]), 10)

    def test_types_that_follow_from_others(self):
        half = Foreign(array.array("H", [0x3c00, 0x4000]), (2,))
        for sum, addend in [(floats(10, 20), half), (floats(10, 20), floats(1, 2)),
                            (array.array("d", [10, 20]), array.array("d", [1, 2])),
                            (array.array("i", [10, 20]), array.array("B", [1, 2])),
                            (array.array("i", [10, 20]), array.array("h", [1, 2]))]:
            kernels.Accumulate(sum, addend)
            self.assertEqual(list(sum), [11, 22])
        for sum, addend, text in [(half, half, "float32, for the elements of 'in', which are float16, got float16"),
                                  (array.array("d", [0, 0]), floats(1, 2), "float32, .*, got float64")]:
            with self.assertRaisesRegex(TypeError, "Accumulate: argument 'sum': expected " + text):
                kernels.Accumulate(sum, addend)
        self.assertEqual(list(half.data), [0x3c00, 0x4000])

    def test_errors(self):
        sums = floats(0, 0)
        for wrong, text in [(floats(1, 2), "argument 'in': expected 2 dimensions, got 1"),
                            (Foreign(floats(1, 2, 3, 4), (2, 2), (1, 2)),
                             r"argument 'in': expected rows in C order, got strides \(1, 2\)"),
                            (Foreign(array.array("H", [1]), (1, 1), code=1),
                             "argument 'in': expected an element type of float32, .* got uint16"),
                            (array.array("H", [1]), "argument 'in': .* got format 'H'"),
                            (3, "argument 'in': expected a tensor, .* got int"),
                            (Foreign(floats(1, 2, 3, 4), (2, 2), device=2), "like 'sums', got one on a GPU"),
                            (Foreign(floats(1, 2, 3, 4), (2, 2), device=9), "argument 'in': expected .* got one on DLPack's device 9")]:
            with self.subTest(text), self.assertRaisesRegex(kernels.Error, text):
                kernels.entry_RowSums(sums, wrong, 0)
        self.assertEqual(list(sums), [0, 0])

    def test_one_tensor_does_not_fit(self):
        rules = [(kernels.AdamW, [(2, 3)] * 4), (kernels.Split, [(2, 1), (2, 2), (2, 3)]),
                 (kernels.Turned, [(2, 4), (2, 4), (4,)]), (kernels.Upturned, [(2, 3), (2, 3)])]
        for rule, shapes in rules:
            rule(*[ones(shape) for shape in shapes])
            for number, shape in enumerate(shapes):
                for misfit in misfits(shape):
                    tensors = [ones(other) for other in shapes[:number] + [misfit] + shapes[number + 1:]]
                    with self.subTest(rule=rule.__name__, number=number, shape=misfit):
                        with self.assertRaisesRegex(kernels.Error, f"^{rule.__name__}: argument '.*"):
                            rule(*tensors)
                        self.assertTrue(all(set(tensor.tobytes()) == {0, 0x3f, 0x80} for tensor in tensors))

    def test_empty(self):
        kernels.Convert(floats(), array.array("d"), 1.0)

    def test_step(self):
        tensors = [floats(1, 2) for _ in range(4)]
        with self.assertRaisesRegex(kernels.Error, "AdamW: argument 'step': .* of at least 1, got 0"):
            kernels.AdamW(*tensors, step=0)
        self.assertEqual([list(t) for t in tensors], [[1, 2]] * 4)

    def test_lists(self):
        sums, more = floats(0, 0), floats(0)
        rows, others = matrix(floats(1, 2, 3, 4), 2, 2), matrix(floats(5, 6), 1, 2)
        calls = kernels.List()
        with calls:
            kernels.entry_RowSums(sums, rows, 10)
            kernels.entry_RowSums(more, others, 20)
            with self.assertRaisesRegex(kernels.Error, "^list entry 2: RowSums: argument 'sums'"):
                kernels.entry_RowSums(sums, others, 1)
        self.assertEqual((len(calls), list(sums)), (2, [0, 0]))
        calls.run()
        self.assertEqual((list(sums), list(more)), ([12.5, 16.5], [30.5]))
        calls.set("device", 0)
        calls.set("tensors", 1, entry=1)
        calls.replace(1, "in", matrix(floats(8, 9), 1, 2))
        calls.run()
        self.assertEqual((list(sums), list(more)), ([2.5, 6.5], [16]))
        kernels.entry_RowSums(more, others, 0)  # runs at once again
        self.assertEqual(list(more), [10.5])
        with self.assertRaisesRegex(kernels.Error, "expected the name of a scalar of an entry"):
            calls.set("momentum", 0)
        with self.assertRaisesRegex(kernels.Error, "writable memory, got read-only memory"):
            calls.replace(0, "sums", memoryview(bytes(8)).cast("f"))

    def test_a_list_keeps_memory(self):
        calls = kernels.List()
        sums = floats(0)
        with calls:
            kernels.entry_RowSums(sums, matrix(floats(*range(1000)), 1, 1000), 0, 0.0)
        floats(*range(2000, 3000))
        calls.run()
        self.assertEqual(list(sums), [499500])

    def test_documentation(self):
        self.assertIn("lr: learning rate", kernels.AdamW.__doc__)
        self.assertEqual(kernels.AdamW.__defaults__[:3], (0.001, 0.9, 0.999))



def fake_torch():
    """As much of PyTorch as the module asks."""
    torch = types.ModuleType("torch")
    Device = collections.namedtuple("Device", "type index")

    class Tensor:
        def __init__(self, data, shape, device="cpu", requires_grad=False, is_neg=False):
            names = {"f": "float32", "d": "float64", "H": "float16"}
            self.data, self.shape, self.dtype = data, shape, "torch." + names[data.typecode]
            self.device = Device(device, 1 if device == "cuda" else None)
            self.requires_grad, self.neg, self._version = requires_grad, is_neg, 0
            self.is_cuda = device == "cuda"

        def stride(self):
            return (1,)

        def data_ptr(self):
            return self.data.buffer_info()[0]

        def is_neg(self):
            return self.neg

        def is_inference(self):
            return False

        def detach(self):
            return self

    def increment_version(tensors):
        for x in [tensors] if isinstance(tensors, Tensor) else tensors:
            x._version += 1

    torch.Tensor, torch.grad, torch.current = Tensor, True, 0xabc0
    torch.nn = types.SimpleNamespace(Parameter=type("Parameter", (Tensor,), {}))
    torch.is_grad_enabled = lambda: torch.grad
    torch.autograd = types.SimpleNamespace(
        graph=types.SimpleNamespace(increment_version=increment_version))
    torch.cuda = types.SimpleNamespace(
        current_stream=lambda index: types.SimpleNamespace(cuda_stream=torch.current))
    return torch


class FakeLibrary:
    """Of the C functions, what they are called with; streams are numbers."""

    class Function:
        def __init__(self, call):
            self.call = call

        def __call__(self, *args):
            return self.call(*args)

    def __init__(self):
        self.streams, self.launches, self.wrapped = [], [], []
        self.status = 0
        self.mshadow_last_error = self.Function(lambda: b"what is wrong")
        self.mshadow_stream_wrap = self.Function(self.wrap)
        self.mshadow_gpu_count = self.Function(lambda: 2)

    def wrap(self, pointer, device, result):
        self.wrapped.append((pointer.value, device))
        result._obj.value = 100 + len(self.wrapped)
        return 0

    def launch(self, *args):
        self.launches.append([struct.unpack("PiiiPqP", a)[-1] for a in args if isinstance(a, bytes)])
        return self.status

    def __getattr__(self, name):
        if not name.startswith("entry_") and "Convert" not in name:
            return self.Function(lambda *args: 0)
        return self.Function(self.launch)


def another_module(library):
    """The module once more, over a library of Python's, whose functions have no addresses."""
    spec = importlib.util.spec_from_file_location("another", kernels.__file__)
    module = importlib.util.module_from_spec(spec)
    with mock.patch.dict(sys.modules, {"mshadow_kernels": None}):
        spec.loader.exec_module(module)
    with mock.patch("ctypes.CDLL", return_value=library):
        module.load("it")
    return module


class TorchTest(unittest.TestCase):
    def setUp(self):
        self.torch = fake_torch()
        patch = mock.patch.dict(sys.modules, {"torch": self.torch})
        patch.start()
        self.addCleanup(patch.stop)

    def half(self, **more):
        return self.torch.Tensor(array.array("H", [0x3c00]), (1,), **more)

    def test_versions_of_what_is_written(self):
        out = self.torch.Tensor(floats(0), (1,))
        rows = self.torch.Tensor(array.array("d", [2]), (1,))
        kernels.Convert(out, rows, 0.5)
        kernels.Convert(kernels.tensor(out), rows, 0.5)
        self.assertEqual((out.data[0], out._version, rows._version), (1, 2, 0))
        with self.assertRaises(kernels.NoInstance):
            kernels.Convert(out, self.half(), 0.5)
        self.assertEqual(out._version, 2)

    def test_versions_in_older_pytorch(self):
        def increment_version(x):
            if not isinstance(x, self.torch.Tensor):
                raise RuntimeError("increment_version expect a Tensor as input")
            x._version += 1
        self.torch.autograd.graph.increment_version = increment_version
        out = self.torch.Tensor(floats(0), (1,))
        kernels.Convert(out, self.torch.Tensor(array.array("d", [2]), (1,)), 0.5)
        self.assertEqual((out.data[0], out._version), (1, 1))

    def test_gradients(self):
        weight = self.half(requires_grad=True)
        for x in (weight, kernels.tensor(weight)):
            with self.assertRaisesRegex(kernels.Error, "RowSums: argument 'out': .*torch.no_grad"):
                kernels.entry_too_RowSums(x)
        self.torch.grad = False
        kernels.entry_too_RowSums(weight)
        self.assertEqual((weight.data[0], weight._version), (0x4000, 1))
        with self.assertRaisesRegex(kernels.Error, "argument 'out': .*resolve_neg"):
            kernels.entry_too_RowSums(self.half(is_neg=True))

    def test_current_streams(self):
        library = FakeLibrary()
        module = another_module(library)
        weight = self.half(device="cuda")
        module.entry_too_RowSums(weight)
        module.entry_too_RowSums(module.tensor(weight))
        self.assertEqual((library.wrapped, library.launches), ([(0xabc0, 1)], [[101], [101]]))
        self.torch.current = 0  # the default one, which null would be on the current device only
        module.entry_too_RowSums(weight)
        module.entry_too_RowSums(weight)
        self.assertEqual(library.wrapped, [(0xabc0, 1), (1, 1)])
        self.assertEqual(library.launches[2:], [[102], [102]])

    def test_other_tensors_wait_for_the_stream(self):
        module = another_module(FakeLibrary())
        asked = []

        class Device(Foreign):
            def __dlpack_device__(self):
                return (2, 1)

            def __dlpack__(self, **more):
                asked.append(more)
                return super().__dlpack__()

        other = Device(array.array("d", [1]), (1,), device=2)
        other.tensor.device_id = 1
        module.Convert(self.torch.Tensor(floats(0), (1,), device="cuda"), other, 1.0)
        self.assertEqual(asked[-1], {"stream": 0xabc0, "max_version": (1, 0)})

    def test_streams_are_given_back_after_errors(self):
        library = FakeLibrary()
        module = another_module(library)
        library.status = 1
        for _ in range(2):
            with self.assertRaisesRegex(module.Error, "what is wrong"):
                module.entry_too_RowSums(self.half(device="cuda"))
        self.assertEqual(library.wrapped, [(0xabc0, 1)])


if __name__ == "__main__":
    unittest.main()
