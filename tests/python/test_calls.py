#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a user of Python expects of a call: the right exception and nothing written, other threads
that run meanwhile, Ctrl-C, fork; and which calls are made without ctypes."""
import array
import importlib
import os
import signal
import subprocess
import sys
import threading
import time
import unittest
import warnings
from unittest import mock

import entry_kernels as kernels

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "entries"))
dlpack = importlib.import_module("dlpack_tensor")


def library(name):
    """Importing one may warn, which is no error of ours."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(name)
    except ImportError:
        print(f"SKIPPED: the tests with {name}, which is not installed")
        return None


numpy, jax, torch = library("numpy"), library("jax"), library("torch")
kernels.load(os.environ["ENTRY_KERNELS"])


def floats(*values):
    return array.array("f", values)


def matrix(data, *shape):
    return memoryview(data).cast("B").cast("f", shape)


def without_ctypes():
    """A call that is not made by the extension module fails."""
    return mock.patch.object(kernels._Rule, "by_ctypes", side_effect=AssertionError("by ctypes"))


class PlainCallTest(unittest.TestCase):
    def test_the_extension_module_is_there(self):
        self.assertIsNotNone(kernels._call)

    def test_buffers(self):
        sums = floats(0, 0)
        with without_ctypes():
            kernels.entry_RowSums(sums, matrix(floats(1, 2, 3, 4), 2, 2), 10, lambda_=True)
            kernels.entry_RowSums(sums, memoryview(bytes(floats(5, 6, 7, 8))).cast("f", (2, 2)), 0, 1)
        self.assertEqual(list(sums), [10, 14])

    def test_results_with_fewer_columns(self):
        best, columns = floats(0, 0, 0, 0), array.array("q", [0] * 4)
        rows = matrix(floats(1, 5, 5, float("nan"), 0, -2), 2, 3)
        numbers = memoryview(columns).cast("B").cast("q", (2, 2))
        with without_ctypes():
            kernels.Best(matrix(best, 2, 2), numbers, rows, 2)
        self.assertEqual(list(columns), [1, 2, 0, 1])
        self.assertEqual(list(best)[:2] + list(best)[3:], [10, 10, 0])
        with self.assertRaisesRegex(kernels.Error, "Best: argument 'best': expected at most 3 columns"):
            kernels.Best(matrix(floats(*[0] * 8), 2, 4),
                               memoryview(bytearray(64)).cast("B").cast("q", (2, 4)), rows)

    def test_element_types(self):
        for sum_type, addend_type in [("f", "f"), ("d", "d"), ("i", "B")]:
            sums = array.array(sum_type, [10, 20])
            with without_ctypes():
                kernels.Accumulate(sums, array.array(addend_type, [1, 2]))
            self.assertEqual(list(sums), [11, 22])

    def test_a_call_costs_a_fraction(self):
        """Less than a third of one by ctypes; a tenth where nothing else runs."""
        args = floats(0, 0), matrix(floats(1, 2, 3, 4), 2, 2), 0, 0.5, True
        costs = {kernels._call_entry_RowSums: [], kernels._call_entry_RowSums.by_ctypes: []}
        for _ in range(10):
            for call, times in costs.items():
                start = time.perf_counter()
                for _ in range(300):
                    call(*args)
                times.append(time.perf_counter() - start)
        plain, by_ctypes = map(min, costs.values())
        self.assertLess(plain, by_ctypes / 3)

    def test_prepared_tensors(self):
        sums, rows = kernels.tensor(floats(0, 0)), kernels.tensor(matrix(floats(1, 2, 3, 4), 2, 2))
        with without_ctypes():
            kernels.entry_RowSums(sums, rows, 0, 0.0)
        self.assertEqual(list(sums.keep), [3, 7])
        with self.assertRaisesRegex(BufferError, "argument 'sums': expected writable memory"):
            kernels.entry_RowSums(kernels.tensor(bytes(8)), rows, 0)

    @unittest.skipIf(numpy is None, "NumPy is not installed")
    def test_numpy(self):
        sums, halves = numpy.zeros(2, "f4"), numpy.ones(4, "f2")
        with without_ctypes():
            kernels.entry_RowSums(sums, numpy.ones((2, 3), "f4"), 0, 0.0)
            kernels.entry_too_RowSums(halves)
            kernels.Convert(numpy.zeros(0, "f4"), numpy.zeros(0), 1.0)
        self.assertEqual((sums.tolist(), halves.tolist()), ([3, 3], [2] * 4))

    @unittest.skipIf(jax is None, "JAX is not installed")
    def test_jax_is_read(self):
        sums, rows = floats(0, 0), jax.numpy.ones((2, 3))
        with without_ctypes():
            kernels.entry_RowSums(sums, rows, 0, 0.0)
        self.assertEqual(list(sums), [3, 3])
        with self.assertRaisesRegex(BufferError, "argument 'sums': .* an array of JAX"):
            kernels.entry_RowSums(jax.numpy.ones(2), rows, 0, 0.0)

    @unittest.skipIf(torch is None or not hasattr(torch.Tensor, "__dlpack_c_exchange_api__"),
                     "PyTorch is not installed, or has no functions of DLPack 1.2")
    def test_torch(self):
        sums, rows = torch.zeros(2), torch.ones(2, 3)
        weight = torch.nn.Parameter(torch.ones(4, dtype=torch.float16))
        with without_ctypes(), torch.no_grad():
            kernels.entry_RowSums(sums, rows, 0, 0.0)
            kernels.entry_too_RowSums(weight)
        self.assertEqual((sums.tolist(), sums._version, rows._version), ([3, 3], 1, 0))
        self.assertEqual((weight.tolist(), weight._version), ([2] * 4, 1))
        with self.assertRaisesRegex(ValueError, "argument 'out': .*torch.no_grad"):
            kernels.entry_too_RowSums(weight)
        with self.assertRaisesRegex(ValueError, "argument 'in': .*negative bit"):
            kernels.entry_RowSums(sums, torch._neg_view(rows), 0)
        with without_ctypes(), torch.inference_mode():
            kernels.entry_too_RowSums(torch.ones(4, dtype=torch.float16))

    @unittest.skipIf(torch is None, "PyTorch is not installed")
    def test_freed_torch_memory(self):
        rows = torch.ones(2, 3)
        rows.untyped_storage().resize_(0)
        with self.assertRaisesRegex(ValueError, "RowSums: argument 'in': expected"):
            kernels.entry_RowSums(floats(0, 0), rows, 0)


class WrongArgumentTest(unittest.TestCase):
    def check(self, error, text, call, *args, **more):
        with self.subTest(text), self.assertRaisesRegex(error, text) as caught:
            call(*args, **more)
        return caught

    def test_tensors(self):
        sums, rows = floats(0, 0), matrix(floats(1, 2, 3, 4), 2, 2)
        released = memoryview(floats(1, 2))
        released.release()
        where = "^RowSums: argument 'in': expected "
        for error, text, wrong in [
                (TypeError, where + "a tensor, .* got int", 3),
                (TypeError, where + "float32, got float64", memoryview(array.array("d", [1, 2, 3, 4])).cast("B").cast("d", (2, 2))),
                (TypeError, where + "an element type of .* got format 'H'", array.array("H", [1])),
                (ValueError, where + "2 dimensions, got 1", floats(1, 2)),
                (ValueError, "^RowSums: argument 'sums': expected shape \\(3,\\),.* got \\(2,\\)", matrix(floats(*range(6)), 3, 2)),
                (ValueError, where + ".*got one on a GPU", dlpack.Foreign(floats(1, 2, 3, 4), (2, 2), device=2)),
                (BufferError, where + "rows in C order, got strides", dlpack.Foreign(floats(1, 2, 3, 4), (2, 2), (1, 2))),
                (BufferError, where + "memory that can be read", released)]:
            self.check(error, text, kernels.entry_RowSums, sums, wrong, 0)
        where = "^RowSums: argument 'sums': expected "
        self.check(BufferError, where + "writable memory", kernels.entry_RowSums, memoryview(bytes(8)).cast("f"), rows, 0)
        both = floats(1, 2, 3, 4)
        self.check(ValueError, "^RowSums: argument '(sums|in)': expected .*overlap", kernels.entry_RowSums,
                   memoryview(both)[:2], matrix(both, 2, 2), 0)
        self.assertEqual((list(sums), list(both)), ([0, 0], [1, 2, 3, 4]))

    def test_scalars(self):
        tensors = [floats(1, 2) for _ in range(4)]
        for error, text, scalars in [
                (TypeError, "AdamW: argument 'lr': expected a number, got 'fast'", {"lr": "fast"}),
                (TypeError, "AdamW: argument 'step': expected an integer, got 1.5", {"step": 1.5}),
                (ValueError, "AdamW: argument 'step': expected .* at least 1, got 0", {"step": 0}),
                (ValueError, "AdamW: argument 'step': expected .* to 2147483647, got 2147483648", {"step": 1 << 31}),
                (TypeError, "unexpected keyword argument 'learning_rate'", {"learning_rate": 1})]:
            self.check(error, text, kernels.AdamW, *tensors, **scalars)
        self.check(TypeError, "missing 1 required positional argument: 'grad'", kernels.AdamW, *tensors[:3])
        self.assertEqual([list(t) for t in tensors], [[1, 2]] * 4)

    def test_every_error_is_an_error_of_the_module(self):
        for wrong in (3, floats(1), memoryview(bytes(8)).cast("f")):
            self.check(kernels.Error, "RowSums", kernels.entry_RowSums, wrong, floats(1), 0)

    @unittest.skipIf(jax is None, "JAX is not installed")
    def test_deleted_jax_array(self):
        rows = jax.numpy.ones((2, 3))
        rows.delete()
        self.check(ValueError, "RowSums: argument 'in': expected .*deleted", kernels.entry_RowSums, floats(0, 0), rows, 0)


class ThreadsTest(unittest.TestCase):
    def test_other_threads_run_meanwhile(self):
        """The longest pause of this thread is shorter than half of the other thread's call, in one
        of some attempts: a busy machine may pause this thread for longer."""
        out, values = floats(0) * (1 << 23), array.array("d", [1]) * (1 << 23)
        took = []

        def call():
            start = time.perf_counter()
            kernels.Convert(out, values, 2.0)
            took.append(time.perf_counter() - start)

        for _ in range(50):
            thread = threading.Thread(target=call)
            thread.start()
            pause, last = 0.0, time.perf_counter()
            while thread.is_alive():
                now = time.perf_counter()
                pause, last = max(pause, now - last), now
            thread.join()
            if pause < took[-1] / 2:
                break
        else:
            self.fail(f"paused for {pause:.4f} s of {took[-1]:.4f} s")
        self.assertEqual((out[0], out[-1]), (2, 2))

    def test_many_threads_call(self):
        def work(results, i):
            sums, rows = floats(0, 0), matrix(floats(i, 1, i, 2), 2, 2)
            for _ in range(2000):
                kernels.entry_RowSums(sums, rows, i, 0.0)
                try:
                    kernels.entry_RowSums(sums, sums, i)
                except kernels.Error as error:
                    results[i] = (list(sums), str(error))

        results = {}
        threads = [threading.Thread(target=work, args=(results, i)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for i in range(8):
            self.assertEqual(results[i][0], [2 * i + 1, 2 * i + 2])
            self.assertIn("argument 'in': expected 2 dimensions, got 1", results[i][1])

    def test_a_list_of_one_thread_takes_no_calls_of_others(self):
        mine, others = floats(0), floats(0)
        rows, calls = matrix(floats(1, 2), 1, 2), kernels.List()
        with calls:
            kernels.entry_RowSums(mine, rows, 0, 0.0)
            thread = threading.Thread(target=kernels.entry_RowSums, args=(others, rows, 0, 0.0))
            thread.start()
            thread.join()
        self.assertEqual((list(mine), list(others), len(calls)), ([0], [3], 1))
        calls.run()
        with without_ctypes():
            kernels.entry_RowSums(others, rows, 1, 0.0)
        self.assertEqual((list(mine), list(others)), ([3], [4]))


class ListTest(unittest.TestCase):
    def test_a_list_that_keeps_nothing(self):
        sums, rows = [floats(0) for _ in range(3)], [matrix(floats(i, 1), 1, 2) for i in range(3)]
        calls = kernels.List(keep=False)
        with calls:
            for s, r in zip(sums, rows):
                kernels.entry_RowSums(s, r, 0, 0.0)
        calls.run()
        self.assertEqual([s[0] for s in sums], [1, 2, 3])
        others = [matrix(floats(10 * i, 1), 1, 2) for i in range(3)]
        others[1] = dlpack.Foreign(floats(10, 1), (1, 2))  # is read by ctypes
        calls.replace_each("in", others)
        calls.run()
        self.assertEqual([s[0] for s in sums], [1, 11, 21])
        with self.assertRaisesRegex(BufferError, "argument 'sums': expected writable memory"):
            calls.replace_each("sums", [bytes(4)])
        with self.assertRaisesRegex(ValueError, "expected rank 2, got rank 1"):
            calls.replace_each("in", [floats(1)])

    @unittest.skipIf(torch is None, "PyTorch is not installed")
    def test_a_list_increments_versions(self):
        rows, more, other = torch.ones(2, 3), torch.zeros(2), torch.zeros(2)
        with torch.inference_mode():
            without_version = torch.zeros(2)
        calls = kernels.List()
        with calls:
            for sums in (more, without_version):
                kernels.entry_RowSums(sums, rows, 0, 0.0)
        calls.run()
        calls.run()
        self.assertEqual((more._version, rows._version), (2, 0))
        calls.replace(0, "sums", other)
        calls.run()
        self.assertEqual((more._version, other._version, other.tolist()), (2, 1, [3, 3]))
        with calls:
            kernels.entry_RowSums(more, rows, 0, 0.0)
        calls.run()
        self.assertEqual((more._version, other._version), (3, 2))


class ProcessTest(unittest.TestCase):
    """Programs of their own, in which no other library has threads or handles signals."""
    begin = ("import array, os, warnings, entry_kernels as kernels\n"
             "kernels.load(os.environ['ENTRY_KERNELS'])\n"
             "n = 1 << 21\n"
             "out, values = array.array('f', [0]) * n, array.array('d', [3]) * n\n"
             "kernels.Convert(out, values, 1.0)  # begins the runtime's threads\n")

    def start(self, program):
        return subprocess.Popen([sys.executable, "-X", "dev", "-W", "error", "-c", self.begin + program], text=True,
                                stdout=subprocess.PIPE)

    def test_ctrl_c(self):
        program = ("try:\n"
                   "    print('ready', flush=True)\n"
                   "    while True: kernels.Convert(out, values, 2.0)\n"
                   "except KeyboardInterrupt:\n"
                   "    print('interrupted', out[0], flush=True)\n")
        with self.start(program) as child:
            try:
                self.assertEqual(child.stdout.readline(), "ready\n")
                child.send_signal(signal.SIGINT)
                self.assertRegex(child.communicate(timeout=60)[0], "^interrupted [36].0\n$")
            finally:
                child.kill()
        self.assertEqual(child.returncode, 0)

    def test_a_forked_process_calls(self):
        program = ("warnings.simplefilter('ignore', DeprecationWarning)  # CPython's, if there are threads\n"
                   "child = os.fork()\n"
                   "kernels.Convert(out, values, 2.0 if child == 0 else 3.0)\n"
                   "if child == 0: os._exit(int(out[0]))\n"
                   "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), out[0], out[-1])\n")
        with self.start(program) as process:
            try:
                self.assertEqual(process.communicate(timeout=60)[0], "6 9.0 9.0\n")
            finally:
                process.kill()


if __name__ == "__main__":
    unittest.main()
