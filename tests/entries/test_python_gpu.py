#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The emitted Python module with tensors of a GPU, which is the fake device."""
import array
import os
import sys
import threading
import types
import unittest
from unittest import mock

import dlpack_tensor as dlpack
import entry_device_kernels as kernels
from fake_gpu import FakeGpu

gpu = FakeGpu(kernels, os.environ["ENTRY_DEVICE_KERNELS"])


def tearDownModule():
    gpu.release()


class Tensor(dlpack.Foreign):
    """A tensor of one dimension in the memory of GPU 0. Its library is taken for CuPy."""

    def __init__(self, kind, *values, index=0, device=2):
        values = array.array(kind, values)
        super().__init__(values, (len(values),), device=device)
        self.bytes, self.kind, self.index = len(values) * values.itemsize, kind, index
        self.tensor.data = gpu.copy(values.buffer_info()[0], self.bytes)
        self.tensor.device_id = index

    def __dlpack_device__(self):
        return self.tensor.device_type, self.index

    def __dlpack__(self, stream=None, max_version=None):
        return super().__dlpack__()

    def tolist(self):
        """Waits for the GPU."""
        values = array.array(self.kind, bytes(self.bytes))
        gpu.read(values.buffer_info()[0], self.tensor.data, self.bytes)
        return values.tolist()


class GpuTest(unittest.TestCase):
    def setUp(self):
        self.current = gpu.new_stream()
        stream = types.SimpleNamespace(get_current_stream=lambda: types.SimpleNamespace(ptr=self.current))
        patch = mock.patch.dict(sys.modules, {"cupy": types.SimpleNamespace(ndarray=Tensor, cuda=stream)})
        patch.start()
        self.addCleanup(patch.stop)

    def converted(self, *counts):
        """A list with a call of Convert for each number of elements, and what the calls write."""
        outs = [Tensor("f", *[0] * count) for count in counts]
        calls = kernels.List(keep=False)
        with calls:
            for count, out in zip(counts, outs):
                kernels.Convert(out, Tensor("d", *range(count)), 0.5)
        return calls, outs

    def test_calls(self):
        for self.current in (gpu.new_stream(), 0):  # 0: the default stream
            out = Tensor("f", 0, 0)
            kernels.Convert(out, Tensor("d", 1, 2), 0.5)
            self.assertEqual(out.tolist(), [0.5, 1])

    def test_lists(self):
        for self.current in (gpu.new_stream(), 0):
            calls, outs = self.converted(3, 0, 1000)
            self.assertEqual((len(calls), outs[0].tolist()), (3, [0, 0, 0]))
            calls.run()
            self.assertEqual(outs[0].tolist(), [0, 0.5, 1])
            self.assertEqual(outs[2].tolist(), [i / 2 for i in range(1000)])
            with self.assertRaisesRegex(kernels.Error, "^list entry 0: Convert: argument 'in': expected shape"):
                calls.replace(0, "in", Tensor("d", 1))

    def test_other_memory_and_scalars(self):
        calls, outs = self.converted(3, 2)
        calls.set("scale", 2)
        calls.set("scale", 3, entry=1)
        calls.replace_each("in", [Tensor("d", 7, 8, 9), Tensor("d", 5, 6)])
        calls.run()
        self.assertEqual([out.tolist() for out in outs], [[14, 16, 18], [15, 18]])
        calls.replace(1, "out", Tensor("f", 0, 0))
        calls.run()
        self.assertEqual(outs[1].tolist(), [15, 18])

    def test_a_list_keeps_to_its_stream(self):
        calls, outs = self.converted(3)
        mine, self.current = self.current, gpu.new_stream()
        with self.assertRaisesRegex(kernels.Error, "^List: expected the current stream to be the one"):
            calls.run()
        self.assertEqual(outs[0].tolist(), [0, 0, 0])
        self.current = mine
        calls.run()
        self.assertEqual(outs[0].tolist(), [0, 0.5, 1])

    def test_lists_of_several_threads_share_a_stream(self):
        lists = [self.converted(100) for _ in range(4)]
        self.assertEqual(len({calls.stream.wrapped for calls, _ in lists}), 1)
        threads = [threading.Thread(target=lambda calls=calls: [calls.run() for _ in range(20)]) for calls, _ in lists]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for _, (out,) in lists:
            self.assertEqual(out.tolist(), [i / 2 for i in range(100)])

    def test_devices_that_do_not_fit(self):
        host, out = array.array("d", [1]), Tensor("f", 0)
        with self.assertRaisesRegex(kernels.Error, "^Convert: argument 'in': .*GPU"):
            kernels.Convert(out, host, 1.0)
        other = Tensor("d", 1, index=1)
        with self.assertRaisesRegex(kernels.Error, "argument 'in': expected a tensor of GPU 0, got one of GPU 1"):
            kernels.Convert(out, other, 1.0)
        calls, _ = self.converted(1)
        with calls, self.assertRaisesRegex(kernels.Error, "^list entry 1: Convert: expected tensors of a GPU"):
            kernels.Convert(array.array("f", [0]), host, 1.0)
        with calls, self.assertRaisesRegex(kernels.Error, "expected a tensor of GPU 0, got one of GPU 1"):
            kernels.Convert(Tensor("f", 0, index=1), other, 1.0)
        for wrong, text in [(host, "expected a tensor of a GPU, got one of the CPU"), (other, "got one of GPU 1")]:
            with self.assertRaisesRegex(kernels.Error, "argument 'in': .*" + text):
                calls.replace(0, "in", wrong)
        self.assertEqual(len(calls), 1)
        on_cpu = kernels.List()
        with on_cpu:
            kernels.Convert(array.array("f", [0]), host, 1.0)
            with self.assertRaisesRegex(kernels.Error, "^list entry 1: Convert: expected tensors of the CPU"):
                kernels.Convert(out, Tensor("d", 1), 1.0)
        self.assertEqual(out.tolist(), [0])

    def test_managed_memory_is_on_every_gpu(self):
        out = Tensor("f", 0, 0)
        kernels.Convert(out, Tensor("d", 1, 2, index=1, device=13), 0.5)
        self.assertEqual(out.tolist(), [0.5, 1])

    def test_a_list_whose_first_call_fails(self):
        calls, out = kernels.List(), Tensor("f", 0)
        with calls:
            with self.assertRaisesRegex(kernels.Error, "^list entry 0: Convert: argument 'in'"):
                kernels.Convert(out, Tensor("d", 1, 2), 1.0)
            self.assertIsNone(calls.stream)
            host = array.array("f", [0])
            kernels.Convert(host, array.array("d", [3]), 1.0)
        calls.run()
        self.assertEqual(host.tolist(), [3])


if __name__ == "__main__":
    unittest.main()
