#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The optimizers of mshadow_kernels.torch on a GPU, which is the fake device: the bits of the CPU.

The package has its rules twice, for the CPU and compiled for the fake device. Tensors that a test
moves to the GPU stay in the memory of the CPU, which kernels of the fake device can use, too.
"""
import contextlib
import ctypes
import importlib
import os
import sys
import types
import unittest
import warnings
from unittest import mock

try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what importing it warns of is no error of ours
        torch = importlib.import_module("torch")
except ImportError:
    sys.exit(print("SKIP: PyTorch is not installed"))
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "entries"))
dlpack = importlib.import_module("dlpack_tensor")
mk = importlib.import_module("mshadow_kernels")
fused = importlib.import_module("mshadow_kernels._fused")
repeat = importlib.import_module("mshadow_kernels._repeat")
on_cpu = mk.rules
on_gpu = importlib.import_module("optimizers_for_fake_gpu")
device = importlib.import_module("fake_gpu").FakeGpu(on_gpu, os.environ["OPTIMIZERS_ON_FAKE_GPU"])


def tearDownModule():
    device.release()


DECAY = {"weight_decay": 0.125}
ROWS = [
    ("AdamW", {}), ("AdamW", {"maximize": True, **DECAY}), ("Adam", {"amsgrad": True, **DECAY}),
    ("SGD", {}), ("SGD", {"momentum": 0.875, "nesterov": True}), ("SGD", {"momentum": 0.875, "dampening": 0.25}),
    ("Adagrad", {"lr_decay": 0.01}), ("ASGD", {"lr": 0.1, "t0": 3}), ("RMSprop", {"centered": True, "momentum": 0.5}),
    ("Adamax", {}), ("NAdam", DECAY), ("RAdam", DECAY), ("Rprop", {}), ("Adadelta", {}), ("Adafactor", {}), ("Muon", {}),
]
ROWS = [row for row in ROWS if hasattr(torch.optim, row[0])]
SHAPES = [(5, 7), (16,), (3, 4, 5), (1,), (300, 70)]
MATRICES = {"Adafactor": [(5, 7), (16,), (7, 3)], "Muon": [(5, 7), (7, 3), (32, 48)]}


class ExchangeApi(ctypes.Structure):
    """PyTorch's C functions of DLPack."""
    _fields_ = [("version", ctypes.c_uint64), ("unused", ctypes.c_void_p * 4), ("borrow", ctypes.c_void_p),
                ("stream", ctypes.c_void_p)]
    name = b"dlpack_exchange_api"
    function = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(dlpack.DLTensor))

    @classmethod
    def of_torch(cls):
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        return cls.from_address(pointer(torch.Tensor.__dlpack_c_exchange_api__, cls.name))


class Gpu:
    """While `patched`, PyTorch's tensors with dimensions are on the fake device."""
    current = None

    def __init__(self):
        self.change_stream()

    def change_stream(self):
        self.stream = device.new_stream()

    @classmethod
    def replace_exchange(cls):
        """Makes the extension module see these tensors there, too."""
        api = ExchangeApi.from_buffer_copy(ExchangeApi.of_torch())
        borrow = ExchangeApi.function(api.borrow)

        def borrow_there(x, tensor):
            try:
                status = borrow(x, tensor)
            except (RuntimeError, BufferError):
                return -1
            if cls.current is not None and tensor.contents.ndim > 0:
                tensor.contents.device_type, tensor.contents.device_id = 2, 0
            return status
        cls.kept = api, ExchangeApi.function(borrow_there)
        api.borrow = ctypes.cast(cls.kept[1], ctypes.c_void_p)
        torch.Tensor.__dlpack_c_exchange_api__ = dlpack.capsule(api, ExchangeApi.name)

    def layout(self, dtype, device, shape, strides):
        return on_gpu._Layout(str(dtype).replace("torch.", ""), on_gpu._GPU, 0, shape, strides)

    @contextlib.contextmanager
    def patched(self):
        def current(*_):
            return types.SimpleNamespace(cuda_stream=self.stream)
        with contextlib.ExitStack() as stack:
            for owner, name, value in [
                    (fused, "rules", on_gpu), (repeat, "rules", on_gpu), (on_gpu, "_torch_layout", self.layout),
                    (torch.cuda, "current_stream", current), (Gpu, "current", self),
                    (torch.cuda, "is_current_stream_capturing", lambda: False),
                    (torch.Tensor, "is_cuda", property(lambda x: x.dim() > 0)),
                    (torch.Tensor, "is_cpu", property(lambda x: x.dim() == 0))]:
                stack.enter_context(mock.patch.object(owner, name, value, create=True))
            fused._has_gpu_kernels.cache_clear()
            yield
        fused._has_gpu_kernels.cache_clear()


if hasattr(torch.Tensor, "__dlpack_c_exchange_api__"):
    Gpu.replace_exchange()


def wait():
    """For all streams of the device."""
    memory = ctypes.create_string_buffer(4)
    device.read(memory, device.copy(memory, 4), 4)


def parameters(name, dtype):
    random = torch.Generator().manual_seed(1)
    shapes = MATRICES.get(name, SHAPES)
    return [torch.nn.Parameter(torch.randn(shape, generator=random).to(dtype)) for shape in shapes]


def step(optimizer, weights, number, settle=lambda: None):
    random = torch.Generator().manual_seed(number)
    for weight in weights:
        weight.grad = torch.randn(weight.shape, generator=random).to(weight.dtype)
    optimizer.step()
    settle()


def by_torch(kind):
    return mock.patch.object(kind, "_update_by_torch", side_effect=AssertionError("by PyTorch"))


class SameBitsTest(unittest.TestCase):
    def check(self, name, options, dtype):
        kind = getattr(mk.torch, name)
        left, right = parameters(name, dtype), parameters(name, dtype)
        mine, reference = kind(left, **options), kind(right, **options)
        gpu = Gpu()
        with by_torch(kind), gpu.patched():
            for number in range(6):
                if number == 3:
                    gpu.change_stream()
                step(mine, left, number, wait)
        with by_torch(kind):
            for number in range(6):
                step(reference, right, number)
        # The library decides the order of the sums in a matrix product.
        is_same = torch.allclose if name == "Muon" else torch.equal
        for weight, want in zip(left, right):
            self.assertTrue(is_same(weight, want))
            for key, value in reference.state.get(want, {}).items():
                self.assertTrue(is_same(mine.state[weight][key], value), key)

    def test_rows(self):
        for name, options in ROWS:
            for dtype in (torch.float32, torch.bfloat16):
                with self.subTest(optimizer=name, dtype=dtype, **options):
                    self.check(name, options, dtype)

    def test_a_package_without_gpu_kernels(self):
        weights = parameters("AdamW", torch.float32)
        optimizer = mk.torch.AdamW(weights)
        with Gpu().patched(), mock.patch.object(on_gpu, "_library", on_cpu._library):
            with by_torch(mk.torch.AdamW), self.assertRaisesRegex(AssertionError, "by PyTorch"):
                step(optimizer, weights, 1)


class StepTest(unittest.TestCase):
    @unittest.skipUnless(hasattr(torch.Tensor, "__dlpack_c_exchange_api__"), "PyTorch has no functions of DLPack 1.2")
    def test_steps_repeat_the_last_one_on_its_stream(self):
        weights, gpu = parameters("AdamW", torch.float32), Gpu()
        optimizer = mk.torch.AdamW(weights)
        made_anew = []
        with gpu.patched(), mock.patch.object(mk.torch.AdamW, "_update_group", autospec=True,
                                              side_effect=mk.torch.AdamW._update_group) as updates:
            for number in range(6):
                if number == 3:
                    gpu.change_stream()
                step(optimizer, weights, number, wait)
                made_anew.append(updates.call_count)
        self.assertEqual(made_anew, [1, 1, 1, 2, 2, 2])

    def test_numbers_of_checkpoints_move_to_the_cpu(self):
        """Else each step would wait for the GPU."""
        state = {"step": torch.ones(1)[0], "eta": torch.ones(1)[0]}
        moved = []
        with mock.patch.object(torch.Tensor, "is_cpu", property(lambda x: False)), \
                mock.patch.object(torch.Tensor, "cpu", lambda x: moved.append(x) or x.clone()):
            self.assertEqual(fused._number(state, "step"), 1)
        self.assertEqual((len(moved), fused._number(state, "step")), (1, 1))

    def test_a_captured_step_is_refused_as_by_torch(self):
        for name, is_refused in ("AdamW", True), ("SGD", False):  # the step of SGD has no number
            weights = parameters(name, torch.float32)
            optimizer = getattr(mk.torch, name)(weights, lr=0.5)
            before = [weight.detach().clone() for weight in weights]
            with Gpu().patched(), mock.patch.object(torch.cuda, "is_current_stream_capturing", lambda: True):
                if is_refused:
                    self.assertRaisesRegex(RuntimeError, "capture of a CUDA graph", step, optimizer, weights, 1)
                else:
                    step(optimizer, weights, 1, wait)
            self.assertEqual(is_refused, all(map(torch.equal, weights, before)))


if __name__ == "__main__":
    unittest.main()
