# SPDX-License-Identifier: Apache-2.0
"""An emitted module whose rules run on the fake CUDA device, and the device's functions."""
import ctypes


class FakeGpu:
    """Loads `module` from a library that on_fake_gpu() of CMakeLists.txt makes."""

    def __init__(self, module, path):
        module.load(path)
        self.module, self.library = module, ctypes.CDLL(path)
        pointer, size = ctypes.c_void_p, ctypes.c_size_t
        for name, result, arguments in [
                ("DeviceCopy", pointer, [pointer, size]), ("HostCopy", None, [pointer, pointer, size]),
                ("DeviceFree", None, [pointer]), ("NewCudaStream", pointer, []),
                ("DeleteCudaStream", None, [pointer]), ("mshadow_stream_destroy", ctypes.c_int, [pointer])]:
            function = getattr(self.library, name)
            function.restype, function.argtypes = result, arguments
        self.streams, self.memory = [], []

    def new_stream(self):
        """A cudaStream_t."""
        self.streams.append(self.library.NewCudaStream())
        return self.streams[-1]

    def copy(self, address, size):
        """Memory of the device with a copy of `size` bytes."""
        self.memory.append(self.library.DeviceCopy(address, size))
        return self.memory[-1]

    def read(self, to, device, size):
        """Waits for the device, and copies `size` bytes."""
        self.library.HostCopy(to, device, size)

    def release(self):
        """For the end of the tests. What is then left, such as a list's memory, the fake device
        reports as never released, and the program fails."""
        lists = self.module._list_streams.values()
        pools = list(self.module._streams.values()) + [[stream.wrapped] for stream in lists]
        for wrapped in sum(pools, []):
            self.library.mshadow_stream_destroy(wrapped)
        for stream in self.streams:
            self.library.DeleteCudaStream(stream)
        for memory in self.memory:
            self.library.DeviceFree(memory)
