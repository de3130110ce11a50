{{banner}}
"""The rules of {{base}}, as calls of its C functions.

    import {{base}}
    {{base}}.load("lib{{base}}.so")  # a shared library: add_mshadow_kernels(... TYPE SHARED)

A tensor is any object with __dlpack__ (on a CPU or a GPU) or with the buffer protocol. It is
neither copied nor converted: the library reads and writes its memory. Rows may be padded. A rule
writes only writable arrays. An array of JAX may be shared: tensor(x, overwrite=True) lets a rule
write it. A call increments the version counters of the PyTorch tensors that it writes. On a GPU, a
rule is queued on the current stream of its first tensor's library.

A wrong argument raises an exception that names it, and nothing is written: an Error, which is a
ValueError, such as for a shape, a device or an overlap; NoInstance, which is a TypeError, too, for
element types; Inaccessible, which is a BufferError, too, for read-only memory and for strides.
"""
import contextlib
import ctypes
import operator
import struct
import sys
import threading

try:
    from mshadow_kernels import _call  # makes calls without ctypes, where it is installed
except ImportError:
    _call = None

{{all}}

_TYPES = {"float32": 0, "float64": 1, "float16": 2, "uint8": 3, "int32": 4, "int8": 5, "int64": 6,
          "bool": 7, "int16": 8, "bfloat16": 12}  # -> mshadow_type
_DL_KINDS = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 5: "complex", 6: "bool"}
_FORMATS = {"f": "float32", "d": "float64", "e": "float16", "?": "bool", "bfloat16": "bfloat16"}
_CPU, _GPU = 1, 2  # mshadow_device
_DEVICES = {1: _CPU, 3: _CPU, 2: _GPU, 13: _GPU}  # DLPack's CPU, pinned, CUDA, managed
_IMMUTABLE = {"jax": "JAX", "jaxlib": "JAX", "tensorflow": "TensorFlow"}  # modules of such arrays
_NO_INSTANCE = 2

_pack = struct.Struct("PiiiPqP").pack  # mshadow_tensor
_dltensor = struct.Struct("PiiiBBHPPQ").unpack_from  # DLPack's DLTensor
_dlmanaged = struct.Struct("I20xQPiiiBBHPPQ").unpack_from  # version, flags and DLTensor of 1.0
_Head = ctypes.c_char * 80
_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype = ctypes.c_void_p
_capsule_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


class Error(RuntimeError, ValueError):
    """An mshadow::Error: names the rule, the argument, what was expected and what it got."""


class NoInstance(Error, TypeError):
    """The rule was not generated for these element types."""


class Inaccessible(Error, BufferError):
    """The memory of an argument is read-only, or a rule cannot read its strides."""


class Tensor:
    """A tensor that is prepared for calls; make it with tensor()."""
    __slots__ = ("data", "layout", "keep", "torch", "refusal", "foreign", "packed")

    def __init__(self, data, layout, keep, torch=None, refusal=None, foreign=None):
        self.data, self.layout, self.keep = data, layout, keep  # `keep` has the memory
        self.torch = torch  # the PyTorch tensor, if it is one
        self.refusal = refusal  # why no rule may write it
        self.foreign = foreign  # on a GPU: the object whose library has a current stream
        self.packed = None  # for _call: an mshadow_tensor on the CPU

    def pack(self, stream=None):
        """The mshadow_tensor. On a GPU it is used on `stream`."""
        layout = self.layout
        wrapped = 0 if stream is None or layout.device == _CPU else stream.wrapped
        return _pack(self.data, layout.type, layout.device, layout.rank, layout.shape,
                     layout.row_stride, wrapped)


def tensor(x, overwrite=False):
    """Prepares `x`, so that calls with it cost less. The result stands for the memory that `x` has
    now, and keeps it. `overwrite` lets rules write an array of a library whose arrays never change,
    such as JAX: each array that shares its memory changes, too."""
    try:
        view = _view(x, overwrite)
    except _Refusal as refusal:
        raise refusal.error("tensor") from None
    if view.torch is not None:
        view.keep = view.torch.detach()
    if view.layout.device == _CPU:
        view.packed = view.pack()
    return view


class _Refusal(Exception):
    """A value cannot be an argument; the call adds which one."""

    def error(self, where):
        expected, kind = self.args
        return kind(f"{where}: expected {expected}")


class _Layout:
    """Type, device, shape and strides of a tensor; equal ones are shared."""

    def __init__(self, name, device, index, shape, strides):
        if name not in _TYPES:
            raise _Refusal(f"an element type of {', '.join(_TYPES)}, got {name}", NoInstance)
        if device not in (_CPU, _GPU):
            raise _Refusal(f"a tensor on the CPU or a CUDA GPU, got one on {device}", Error)
        self.type, self.device, self.rank = _TYPES[name], device, len(shape)
        self.index = index if device == _GPU else None  # which GPU; None: memory that all reach
        self.extents = (ctypes.c_int64 * max(len(shape), 1))(*shape)
        self.shape, self.row_stride = ctypes.addressof(self.extents), _row_stride(shape, strides)


def _row_stride(shape, strides):
    """The elements from one row to the next. Extents of 1 may have any stride."""
    if not shape:
        return 0
    row_stride, expected = shape[-1], 1
    for i in range(len(shape) - 1, -1, -1):
        if shape[i] > 1 and 0 not in shape and strides[i] != expected:
            if i != len(shape) - 2 or strides[i] < expected:
                raise _Refusal(f"rows in C order, got strides {tuple(strides)} of shape "
                               f"{tuple(shape)}", Inaccessible)
            row_stride = expected = strides[i]
        elif i == len(shape) - 2:
            expected = row_stride
        expected *= shape[i]
    return row_stride


def _c_order(shape):
    strides = [1] * len(shape)
    for i in range(len(shape) - 2, -1, -1):
        strides[i] = strides[i + 1] * shape[i + 1]
    return strides


_layouts = {}  # of earlier tensors


def _layout(key, make):
    return _layouts.get(key) or _remember(_layouts, key, make(*key))


def _remember(known, key, value):
    if len(known) >= 4096:
        known.clear()
    known[key] = value
    return value


class _Kind:
    """How to read tensors of one Python type."""

    def __init__(self, kind):
        torch = sys.modules.get("torch")
        self.is_torch = torch is not None and issubclass(kind, torch.Tensor)
        self.is_plain_torch = torch is not None and kind in (torch.Tensor, torch.nn.Parameter)
        self.has_dlpack = hasattr(kind, "__dlpack__")
        self.immutable = _IMMUTABLE.get(kind.__module__.partition(".")[0])


_kinds = {}


def _view(x, overwrite=False, stream=None):
    kind = _kinds.get(type(x)) or _remember(_kinds, type(x), _Kind(type(x)))
    if kind.is_plain_torch and (stream is None or stream.library == "torch" or not x.is_cuda):
        return _torch_view(x)
    if not kind.has_dlpack:
        return _buffer_view(x)
    try:
        return _dlpack_view(x, kind, overwrite, stream)
    except (BufferError, RuntimeError, ValueError) as error:  # of freed arrays; and before NumPy
        numpy = sys.modules.get("numpy")                      # 2.1, of read-only ones
        if numpy is not None and isinstance(x, numpy.ndarray) and x.dtype.name == "bfloat16":
            return _buffer_view(x.view("u2"), "bfloat16")  # of ml_dtypes: no protocol names it
        try:
            view = memoryview(x)
        except (BufferError, TypeError, ValueError):
            raise _Refusal(f"a tensor that __dlpack__ can export: {error}", Inaccessible) from None
        return _buffer_view(view)


def _torch_view(x):
    if x.is_neg():
        raise _Refusal("a tensor without PyTorch's negative bit, got one that has it; pass "
                       "x.resolve_neg()", Error)
    layout = _layout((x.dtype, x.device, x.shape, x.stride()), _torch_layout)
    return Tensor(x.data_ptr(), layout, None, x, None, x)


def _torch_layout(dtype, device, shape, strides):
    where = {"cpu": _CPU, "cuda": _GPU}.get(device.type, device.type)
    return _Layout(str(dtype).replace("torch.", ""), where, device.index, shape, strides)


def _dlpack_view(x, kind, overwrite, stream):
    more = {}
    if stream is not None and x.__dlpack_device__()[0] in (2, 13):
        more = {"stream": stream.pointer}
    try:
        capsule = x.__dlpack__(max_version=(1, 0), **more)
    except TypeError:  # from before 1.0, which has no flags
        capsule = x.__dlpack__(**more)
    try:
        begin = _capsule_pointer(capsule, b"dltensor_versioned")
        major, flags, *head = _dlmanaged(_Head.from_address(begin))
    except ValueError:  # another name
        begin = _capsule_pointer(capsule, b"dltensor")
        major, flags, *head = 1, 0, *_dltensor(_Head.from_address(begin))
    if major > 1:
        raise _Refusal(f"DLPack of version 1, got {major}", Error)
    data, device, index, rank, code, bits, lanes, shape, strides, offset = head
    layout = _layout((code, bits, lanes, device, index, _integers(shape, rank),
                      _integers(strides, rank) if strides else None), _dlpack_layout)
    refusal = None
    if flags or kind.immutable:
        refusal = _why_not_written(kind.immutable, flags, overwrite)
    return Tensor(data + offset, layout, (x, capsule), x if kind.is_torch else None, refusal,
                  x)


def _why_not_written(immutable, flags, overwrite):
    if flags & 2:
        return "memory that is shared with the tensor, got a copy"
    if immutable:
        return None if overwrite else (
            f"writable memory, got an array of {immutable}, which others may share; pass "
            f"tensor(x, overwrite=True) to write it anyway")
    return "writable memory, got read-only memory" if flags & 1 else None


def _dlpack_layout(code, bits, lanes, device, index, shape, strides):
    name = _DL_KINDS.get(code, f"DLPack's type {code} of ") + (str(bits) if code != 6 else "")
    if lanes != 1:
        name += f"x{lanes}"
    where = _DEVICES.get(device, f"DLPack's device {device}")
    return _Layout(name, where, None if device == 13 else index, shape, strides or _c_order(shape))


_readers = {}  # functions that read n integers


def _integers(address, count):
    if count not in _readers:
        _readers[count] = ctypes.c_char * (8 * count), struct.Struct(f"{count}q").unpack_from
    memory, unpack = _readers[count]
    return unpack(memory.from_address(address)) if count else ()


def _buffer_view(x, form=None):
    """`form` replaces the buffer's format."""
    try:
        view = memoryview(x)
    except TypeError:
        raise _Refusal(f"a tensor, which has __dlpack__ or the buffer protocol, got "
                       f"{type(x).__name__}", _NoTensor) from None
    except (BufferError, ValueError) as error:
        raise _Refusal(f"memory that can be read: {error}", Inaccessible) from None
    layout = _layout((form or view.format, view.itemsize, view.shape, view.strides),
                     _buffer_layout)
    refusal = "writable memory, got read-only memory" if view.readonly else None
    return Tensor(_address(view), layout, view, None, refusal)


class _NoTensor(Error, TypeError):
    """The argument is not a tensor."""


class _Buffer(ctypes.Structure):
    """Py_buffer."""
    _fields_ = [("data", ctypes.c_void_p), ("owner", ctypes.py_object),
                ("bytes", ctypes.c_ssize_t), ("item", ctypes.c_ssize_t),
                ("readonly", ctypes.c_int), ("rank", ctypes.c_int), ("format", ctypes.c_char_p),
                ("rest", ctypes.c_void_p * 4)]


def _address(view):
    """Where a buffer is, read-only or not; `view` keeps it there."""
    buffer = _Buffer()
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(view), ctypes.byref(buffer), 0x11c)
    data = buffer.data or 0
    ctypes.pythonapi.PyBuffer_Release(ctypes.byref(buffer))
    return data


def _buffer_layout(form, size, shape, strides):
    letter = form[1:] if form[0] in "@=" + "<>"[sys.byteorder == "big"] else form
    name = _FORMATS.get(letter, f"format '{form}'")
    if letter in tuple("bhilq"):
        name = f"int{8 * size}"
    elif letter == "B":
        name = "uint8"
    if any(s % size for s in strides):
        raise _Refusal(f"strides in elements of {size} bytes, got {strides} bytes", Inaccessible)
    return _Layout(name, _CPU, 0, shape, [s // size for s in strides])


class _Stream:
    """The stream of a tensor's library that is current on a GPU."""

    def __init__(self, x, index):
        torch, cupy = sys.modules.get("torch"), sys.modules.get("cupy")
        self.library, self.index = None, index
        self.device = -1 if index is None else index  # -1: the current one
        if torch is not None and isinstance(x, torch.Tensor):
            self.library = "torch"
        elif cupy is not None and isinstance(x, cupy.ndarray):
            self.library = "cupy"
        self.pointer = self.current()
        self.wrapped = self.free = None
        self.lock = threading.Lock()  # held by calls that use `wrapped`

    def current(self):
        """The cudaStream_t that is current now."""
        pointer = 0
        if self.library == "torch":
            pointer = sys.modules["torch"].cuda.current_stream(self.index).cuda_stream
        elif self.library == "cupy":
            pointer = sys.modules["cupy"].cuda.get_current_stream().ptr
        return pointer or 1  # cudaStreamLegacy: null is no stream of a certain GPU

    def take(self):
        """Takes what the C functions know the stream by, one that no call uses: it serves one
        thread at a time, and making it costs more than a call. Without CUDA there is none, and a
        rule says so."""
        self.free = _streams.setdefault((self.pointer, self.index), [])
        try:
            self.wrapped = self.free.pop()
        except IndexError:
            wrapped = ctypes.c_void_p()
            if _library.mshadow_gpu_count() > 0:
                _check(_library.mshadow_stream_wrap(ctypes.c_void_p(self.pointer), self.device,
                                                    ctypes.byref(wrapped)))
            self.wrapped = wrapped.value or 0
        return self

    def give_back(self):
        self.free.append(self.wrapped)


def _stream_of_lists(x, index):
    """The current stream for a list. Lists share it for as long as the library is loaded."""
    stream = _Stream(x, index)
    key = stream.library, stream.pointer, index
    with _list_lock:
        if key not in _list_streams:
            _list_streams[key] = stream.take()
        return _list_streams[key]


_library = None
_streams = {}  # wrapped streams that no call uses, by CUDA stream and GPU
_list_streams = {}  # those of lists
_list_lock = threading.Lock()
_no_lock = contextlib.nullcontext()


def load(path):
    """Loads the shared library with the rules. Call it once, before the first rule."""
    global _library
    library = ctypes.CDLL(path)
    library.mshadow_last_error.restype = ctypes.c_char_p
    for rule in _Rule.every:
        rule.function = getattr(library, rule.name)
        rule.function.argtypes = rule.types
        if _call is not None:
            rule.bind(_address_of(getattr(library, rule.packed)), rule.params)
    for function, types in List.functions.items():
        getattr(library, function).argtypes = types
    library.mshadow_list_size.restype = ctypes.c_int64
    _streams.clear()
    _list_streams.clear()
    _library = library


def _check(status):
    if status:
        text = _library.mshadow_last_error().decode()
        raise NoInstance(text) if status == _NO_INSTANCE else Error(text)


def _address_of(function):
    return ctypes.cast(function, ctypes.c_void_p).value


class _Rule(object if _call is None else _call.Rule):
    """How a rule is called: its C functions, and each parameter as "name" of what a rule reads,
    "name=" of what it writes, "name:type" of a scalar. _call.Rule makes the calls whose arguments
    are plain: contiguous tensors on the CPU and numbers. It leaves all others to `by_ctypes`, which
    says what is wrong."""
    every = []

    def __init__(self, name, packed, rule, *params):
        self.name, self.packed, self.rule, self.function = name, packed, rule, None
        self.params, self.reals = params, []
        self.tensors, self.integers, self.types = [], [], []
        for i, param in enumerate(params):
            param, _, scalar = param.partition(":")
            if not scalar:
                self.tensors.append((i, param.rstrip("="), param.endswith("=")))
            elif "int" in scalar:
                bits = int(scalar.strip("uint"))
                least = 0 if scalar[0] == "u" else -1 << bits - 1
                self.integers.append((i, param, least, least + (1 << bits) - 1))
            elif scalar != "bool":
                self.reals.append((i, param))
            self.types.append(getattr(ctypes, "c_" + scalar) if scalar else ctypes.c_char_p)
        self.written = {name for _, name, is_written in self.tensors if is_written}
        _Rule.every.append(self)

    if _call is None:
        def __call__(self, *args):
            return self.by_ctypes(*args)

    def by_ctypes(self, *args):
        if self.function is None:
            raise Error(f"{self.name}: call load() before the first rule")
        call, views = list(args), []
        calls = getattr(_thread, "calls", None)
        stream = None if calls is None else calls.stream
        for i, name, least, greatest in self.integers:
            call[i] = self.integer(name, args[i], least, greatest)
        for i, name in self.reals:
            call[i] = self.real(name, args[i])
        try:
            for i, name, is_written in self.tensors:
                view = self.view(name, args[i], is_written, stream)
                if view.layout.device == _GPU and stream is None:
                    where = view.foreign, view.layout.index
                    stream = _Stream(*where).take() if calls is None else _stream_of_lists(*where)
                views.append(view)
                call[i] = view.pack(stream)
            with _no_lock if stream is None else stream.lock:
                _check(self.function(*call))
        finally:
            if calls is None and stream is not None:
                stream.give_back()
        if calls is not None:
            return calls._remember(self, views, stream)
        for (_, _, is_written), view in zip(self.tensors, views):
            if is_written and view.torch is not None:
                _tell_torch([view.torch])

    def fail(self, status):
        """For _call: raises the error of a C function."""
        _check(status)

    def told(self, tensors):
        """For _call: increments the version counters of PyTorch tensors."""
        _tell_torch(tensors)

    def reader(self, kind):
        """For _call: how it reads tensors of a Python type: 0 not at all, 1 by the buffer protocol,
        2 the same, but a rule may not write them, 3 as a Tensor, or by PyTorch's functions."""
        how = _kinds.get(kind) or _remember(_kinds, kind, _Kind(kind))
        if kind is Tensor:
            return 3
        if how.is_torch:
            return getattr(kind, "__dlpack_c_exchange_api__", 0) if how.is_plain_torch else 0
        return 2 if how.immutable else 1

    def view(self, name, x, is_written, stream):
        try:
            view = x if type(x) is Tensor else _view(x, False, stream)
            if is_written and view.refusal:
                raise _Refusal(view.refusal, Inaccessible)
            index = view.layout.index
            if stream is not None and None not in (index, stream.index) and index != stream.index:
                raise _Refusal(f"a tensor of GPU {stream.index}, got one of GPU {index}", Error)
            if view.torch is not None and view.torch.requires_grad:
                _check_grad(sys.modules["torch"])
            return view
        except _Refusal as refusal:
            raise refusal.error(f"{self.rule}: argument '{name}'") from None

    def real(self, name, x):
        try:
            return ctypes.c_double(x).value
        except TypeError:
            raise TypeError(f"{self.rule}: argument '{name}': expected a number, got "
                            f"{x!r}") from None

    def integer(self, name, x, least, greatest):
        try:
            number = operator.index(x)
        except TypeError:
            raise TypeError(f"{self.rule}: argument '{name}': expected an integer, got "
                            f"{x!r}") from None
        if not least <= number <= greatest:
            raise Error(f"{self.rule}: argument '{name}': expected an integer from {least} to "
                        f"{greatest}, got {number}")
        return number


_thread = threading.local()  # `calls`: the List that this thread adds calls to


class List:
    """Calls of rules, on the CPU or on one GPU, that run() makes in one call. The results are those
    of single calls.

        updates = {{base}}.List()
        with updates:
            for w, m, v, g in layers:
                {{base}}.AdamW(w, m, v, g)  # is checked and added, not run
        updates.set("step", 2)
        updates.run()

    It keeps the memory that its tensors have when they are added, and run() increments the version
    counters of PyTorch tensors. With keep=False the caller does both. On a GPU, run() queues the
    calls on the stream that was current when the first one was added. Nothing waits for tensors of
    other libraries then."""

    functions = {
        "mshadow_list_create": [ctypes.POINTER(ctypes.c_void_p)],
        "mshadow_list_begin": [ctypes.c_void_p],
        "mshadow_list_end": [ctypes.c_void_p],
        "mshadow_list_size": [ctypes.c_void_p],
        "mshadow_list_set": [ctypes.c_void_p, ctypes.c_int64, ctypes.c_char_p, ctypes.c_double],
        "mshadow_list_replace": [ctypes.c_void_p, ctypes.c_int64, ctypes.c_char_p,
                                 ctypes.c_char_p],
        "mshadow_list_run": [ctypes.c_void_p],
        "mshadow_list_destroy": [ctypes.c_void_p],
    }

    def __init__(self, keep=True):
        if _library is None:
            raise Error("List: call load() before")
        self._keep = keep
        self.stream = None  # on a GPU
        self._handle = ctypes.c_void_p()
        self._entries = []  # of each its rule, and its tensors by name
        self._versions = None  # the PyTorch tensors whose versions run() increments, once known
        _check(_library.mshadow_list_create(ctypes.byref(self._handle)))
        self._destroy = _library.mshadow_list_destroy

    def __del__(self):
        if getattr(self, "_destroy", None):
            self._destroy(self._handle)

    def __enter__(self):
        _check(_library.mshadow_list_begin(self._handle))
        _thread.calls = self
        _count_lists(1)
        return self

    def __exit__(self, *error):
        _thread.calls = None
        _count_lists(-1)
        _check(_library.mshadow_list_end(self._handle))

    def __len__(self):
        return _library.mshadow_list_size(self._handle)

    def set(self, scalar, value, entry=-1):
        """Gives a scalar another value from the next run on: that of all entries whose rules have
        one of this name, or that of one entry, which then keeps its own."""
        _check(_library.mshadow_list_set(self._handle, entry, scalar.encode(), value))

    def replace(self, entry, argument, x):
        """Gives a tensor of an entry the memory of `x`, for example that of a new gradient."""
        rule, views = self._entries[entry]
        view = rule.view(argument, x, argument in rule.written, self.stream)
        with self._lock():
            _check(_library.mshadow_list_replace(self._handle, entry, argument.encode(),
                                                 view.pack(self.stream)))
        if self._keep:
            views[argument] = _kept(view)
            self._versions = None

    def replace_each(self, argument, tensors):
        """The same for the first entries: `tensors[i]` is for entry i."""
        done = 0
        writes = any(argument in rule.written for rule in {rule for rule, _ in self._entries})
        if _call is not None and not self._keep and not writes and self._entries:
            where = () if self.stream is None else (self.stream.device, self.stream.wrapped)
            with self._lock():
                done = _call.replace(self._entries[0][0],
                                     _address_of(_library.mshadow_list_replace),
                                     self._handle.value, argument.encode(), list(tensors), *where)
        for entry in range(done, len(tensors)):
            self.replace(entry, argument, tensors[entry])

    def run(self):
        """Makes all calls."""
        if self.stream is not None and self.stream.current() != self.stream.pointer:
            raise Error("List: expected the current stream to be the one to which the calls were "
                        "added, got another one; make a list for each stream")
        with self._lock():
            _check(_library.mshadow_list_run(self._handle))
        if not self._keep:
            return
        if self._versions is None:
            self._versions = _with_versions(
                views[name].torch for rule, views in self._entries
                for _, name, is_written in rule.tensors
                if is_written and views[name].torch is not None)
        if self._versions:
            _increment_versions(self._versions)

    def _lock(self):
        return _no_lock if self.stream is None else self.stream.lock

    def _remember(self, rule, views, stream):
        self.stream = stream
        names = [name for _, name, _ in rule.tensors]
        kept = map(_kept, views) if self._keep else ()
        self._entries.append((rule, dict(zip(names, kept))))
        self._versions = None


def _count_lists(more):
    """While a list takes calls, _call leaves them to `by_ctypes`, which adds them."""
    if _call is not None:
        _call.count_lists(more)


def _kept(view):
    """The same with a hold on the memory that a PyTorch tensor has now."""
    if view.torch is None or view.keep is not None:
        return view
    return Tensor(view.data, view.layout, view.torch.detach(), view.torch, view.refusal)


def _check_grad(torch):
    if torch.is_grad_enabled():
        raise _Refusal("a tensor that does not require its gradient, or a call under "
                       "torch.no_grad(), since autograd does not see what a rule does", Error)


def _tell_torch(tensors):
    """Increments version counters: a backward pass that needs the old elements then fails."""
    _increment_versions(_with_versions(tensors))


def _with_versions(tensors):
    """Without those of PyTorch's inference mode, which have no version counters."""
    return [x for x in tensors if not x.is_inference()]


def _increment_versions(tensors):
    graph = sys.modules["torch"].autograd.graph
    if not hasattr(graph, "increment_version"):  # before PyTorch 2.1
        for x in tensors:
            x.detach()[:0].zero_()  # views share the count
        return
    try:
        graph.increment_version(tensors)
    except (RuntimeError, TypeError):  # an older function, which takes one tensor
        for x in tensors:
            graph.increment_version(x)


{{functions}}
