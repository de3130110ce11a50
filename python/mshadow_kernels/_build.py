# SPDX-License-Identifier: Apache-2.0
"""build(): generates, compiles and loads rules of your own.

    rules = build("my_rule.h", out="build")
    rules.Scale(x, 2.0)

The packages mshadow_kernels and mshadow_gen both have this file. It needs a generator and a C++
compiler, and no CMake. Each step is a command that runs again only if the command, its program or a
file that it read or wrote has changed.
"""
from __future__ import annotations

import concurrent.futures
import contextlib
import fcntl
import hashlib
import importlib
import importlib.machinery
import importlib.util
import json
import keyword
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import types
from typing import IO, Callable, Iterable, Iterator, Optional, Sequence, Union

_Path = Union[str, "os.PathLike[str]"]
_Strings = Union[str, Sequence[str]]
_COMPILE = ["-std=c++17", "-O2", "-fPIC", "-fvisibility=hidden", "-pthread"]
# The library brings its C++ library and shows none of it: a process has other copies.
_LINK = ["-shared", "-static-libstdc++", "-static-libgcc", "-Wl,--exclude-libs,ALL"]
_SHOWN = "{ local: _Z*; };\n"  # a version script: the C functions only
_HOW_TO_GET_A_GENERATOR = ("build() needs the program mshadow-gen. Pass its path as gen=, set the variable "
                           "MSHADOW_GEN, install the package mshadow-gen, or put the program into PATH.")


class BuildError(RuntimeError):
    """Rules could not be built: has the diagnostics of the generator or of the compiler."""


def build(*specs: _Path, out: _Path, name: Optional[str] = None, namespace: Optional[str] = None,
          isa: _Strings = ("baseline", "avx2", "avx512"), dtypes: _Strings = (), numerics: str = "strict",
          include_directories: Union[_Path, Sequence[_Path]] = (), compile_definitions: _Strings = (),
          options: _Strings = (), gen: Optional[_Path] = None, compiler: Optional[_Strings] = None,
          compile_options: _Strings = ()) -> types.ModuleType:
    """Builds the rules of `specs` in the directory `out`, and returns them as a module that is loaded.

    `out` has NAME.py, its types in NAME.pyi, and libNAME.so, which needs no other library. Another
    program can load these three without the generator: NAME.load("libNAME.so"). NAME is `name`, or
    the name of the first spec without extension. Sources and objects are in NAME.gen/. A build
    repeats only the steps whose inputs changed, and processes that build the same rules wait for
    each other.

    namespace, isa, dtypes, numerics, include_directories, compile_definitions and options are those
    of add_mshadow_kernels() in CMake, and for the generator only. `gen` is the generator: by default
    $MSHADOW_GEN, the one of the package mshadow_gen, or mshadow-gen in PATH. `compiler` is the C++
    compiler, with arguments if it is a list: by default $CXX, c++, g++ or clang++.
    `compile_options` follow the flags when it compiles and links. A list of one may be given as its
    element.

    A mistake in a spec raises a BuildError with the generator's diagnostics, and writes nothing.
    After any failure the rules of the last build are as they were.
    """
    if not specs:
        raise TypeError("build() needs at least one spec")
    name = pathlib.Path(specs[0]).stem if name is None else name
    where = pathlib.Path(os.path.abspath(out))
    _check_name(name, where)
    flags = [f"--name={name}", f"--isa={','.join(_each(isa))}", f"--numerics={numerics}"]
    if namespace:
        flags.append(f"--namespace={namespace}")
    if dtypes:
        flags.append(f"--dtypes={','.join(_each(dtypes))}")
    paths = [os.path.abspath(spec) for spec in specs]
    cxxflags = [*(f"-I{os.path.abspath(d)}" for d in _each(include_directories)),
                *(f"-D{d}" for d in _each(compile_definitions))]
    generate = [_find_generator(gen), "generate", "--color=never", *flags, *_each(options)]
    compile_ = [*_find_compiler(compiler), *_COMPILE]
    with _locked(where, name):
        work = where / f"{name}.gen"
        sources = _generate(generate, paths, cxxflags, work, name)
        objects = _compile(compile_, _each(compile_options), work, sources)
        _link([*compile_, *_LINK], _each(compile_options), objects, where / f"lib{name}.so", work)
        for file in (f"{name}.py", f"{name}.pyi"):
            _publish(work / file, where / file)
        return _load(name, where)


def _each(values: Union[_Path, Iterable[_Path]]) -> list[str]:
    """A single value may stand for a list of one."""
    return [os.fspath(v) for v in ([values] if isinstance(values, (str, os.PathLike)) else values)]


def _check_name(name: str, out: pathlib.Path) -> None:
    """The module's name is an identifier, and no other module has it."""
    if not name.isidentifier() or keyword.iskeyword(name):
        raise ValueError(f"build(): {name!r} cannot be the name of a module; pass another one as name=")
    module = sys.modules.get(name)
    if module is not None:
        file = getattr(module, "__file__", None) or "built-in"
    else:
        file = getattr(importlib.util.find_spec(name), "origin", None)
    if file not in (None, str(out / f"{name}.py")):
        raise ValueError(f"build(): there is another module {name!r} ({file}); pass another name as name=")


def _find_generator(gen: Optional[_Path]) -> str:
    named = gen or os.environ.get("MSHADOW_GEN")
    if named:
        path = shutil.which(named)
        if path is None:
            origin = "the argument gen" if gen else "the variable MSHADOW_GEN"
            raise BuildError(f"{named}, which {origin} names, is not a program. {_HOW_TO_GET_A_GENERATOR}")
        return os.path.abspath(path)
    try:
        return str(importlib.import_module("mshadow_gen").executable)
    except ImportError:
        path = shutil.which("mshadow-gen")
    if path is None:
        raise BuildError(_HOW_TO_GET_A_GENERATOR)
    return os.path.abspath(path)


def _find_compiler(compiler: Optional[_Strings]) -> list[str]:
    if compiler is None and os.environ.get("CXX"):
        compiler = shlex.split(os.environ["CXX"])
    candidates = [_each(compiler)] if compiler else [["c++"], ["g++"], ["clang++"]]
    for program, *arguments in candidates:
        path = shutil.which(program)
        if path is not None:
            return [os.path.abspath(path), *arguments]
    tried = ", ".join(program for program, *_ in candidates)
    raise BuildError(f"build() needs a C++ compiler, and there is none: {tried}. Pass one as compiler=, or set CXX.")


@contextlib.contextmanager
def _locked(out: pathlib.Path, name: str) -> Iterator[None]:
    """One process and thread at a time builds `name` in `out`. If that fails before anything was
    generated, the lock and the directories that were made for it are removed."""
    path = out / f".{name}.lock"
    made: set[pathlib.Path] = set()
    with _lock(path, made):
        try:
            yield
        except BaseException:
            if not (out / f"{name}.gen").exists():
                path.unlink()
                with contextlib.suppress(OSError):  # others may use the directory by now
                    for directory in sorted(made, reverse=True):
                        directory.rmdir()
            raise


def _lock(path: pathlib.Path, made: set[pathlib.Path]) -> IO[str]:
    """The file `path`, locked, and in `made` the directories that were made for it. A file that was
    removed meanwhile locks out nobody."""
    while True:
        made.update(d for d in path.parents if not d.exists())
        path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileNotFoundError), contextlib.ExitStack() as stack:
            lock = stack.enter_context(open(path, "w", encoding="utf-8"))
            fcntl.flock(lock, fcntl.LOCK_EX)
            if os.path.samestat(os.fstat(lock.fileno()), os.stat(path)):
                stack.pop_all()
                return lock


def _generate(command: list[str], specs: list[str], cxxflags: list[str], work: pathlib.Path,
              name: str) -> list[pathlib.Path]:
    """The emitted sources to compile."""
    depfile, manifest = work / "generate.d", work / f"{name}.manifest"
    step = _Step(work / "generate.json", [
        *command, "--standalone", "--emit=header,cpu,blob,c,python,manifest", f"--output-dir={work}",
        f"--depfile={depfile}", f"--stamp={work / 'generate.stamp'}", *specs, "--", *cxxflags])

    def outputs() -> list[pathlib.Path]:
        lines = manifest.read_text(encoding="utf-8").splitlines()
        return [work / line.split(" ", 2)[2] for line in lines if line.startswith("output ")]

    step.run(f"mshadow-gen: {', '.join(specs)}", specs, lambda: [depfile, manifest, *outputs()], depfile)
    return [path for path in outputs() if path.suffix == ".cc"]


def _compile(command: list[str], options: Sequence[str], work: pathlib.Path,
             sources: list[pathlib.Path]) -> list[pathlib.Path]:
    """The sources' objects."""
    directory = work / "objects"
    directory.mkdir(exist_ok=True)

    def compile_one(source: pathlib.Path) -> pathlib.Path:
        object_, depfile = directory / f"{source.name}.o", directory / f"{source.name}.d"
        step = _Step(directory / f"{source.name}.json", [
            *command, "-c", str(source), "-o", str(object_), "-MMD", "-MF", str(depfile), "-MT", "x", *options])
        step.run(f"the compiler: {source}", [source], lambda: [object_, depfile], depfile)
        return object_

    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(compile_one, sources))


def _link(command: list[str], options: Sequence[str], objects: list[pathlib.Path],
          library: pathlib.Path, work: pathlib.Path) -> None:
    """The library, which another process may have loaded: it is replaced, not overwritten."""
    script, linked = work / "objects" / "shown.map", work / "objects" / library.name
    script.write_text(_SHOWN, encoding="utf-8")
    step = _Step(work / "objects" / "link.json", [
        *command, f"-Wl,--version-script={script}", *map(str, objects), "-o", str(linked), *options])

    def publish() -> list[pathlib.Path]:
        os.replace(linked, library)
        return [library]

    step.run(f"the linker: {library}", objects, publish)


def _publish(source: pathlib.Path, target: pathlib.Path) -> None:
    """Replaces `target` by `source`, unless it is the same."""
    if _digest(source) != _digest(target):
        partial = target.with_name(f".{target.name}.tmp")
        shutil.copyfile(source, partial)
        os.replace(partial, target)


class _Step:
    """A command, and in the file `record` the digests of the files that it read and wrote. A command
    that was interrupted leaves other files than those, so it runs again."""

    def __init__(self, record: pathlib.Path, command: list[str]) -> None:
        self.record, self.command = record, command
        program = os.path.realpath(command[0])
        status = os.stat(program)
        self.identity = [*command, program, status.st_size, status.st_mtime_ns]

    def run(self, what: str, inputs: Sequence[_Path], written: Callable[[], list[pathlib.Path]],
            depfile: Optional[pathlib.Path] = None) -> None:
        """Runs the command unless it ran on the same files. `written` then returns what it wrote."""
        if self.is_done():
            return
        given = {str(path): _digest(path) for path in inputs}  # now: one may be edited meanwhile
        _execute(self.command, what)
        others = [*map(str, written()), *(_read_depfile(depfile) if depfile else [])]
        files = {**{path: _digest(path) for path in others}, **given}
        self.record.write_text(json.dumps({"command": self.identity, "files": files}), encoding="utf-8")

    def is_done(self) -> bool:
        try:
            known = json.loads(self.record.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return False
        return bool(known["command"] == self.identity
                    and all(_digest(path) == digest for path, digest in known["files"].items()))


def _execute(command: list[str], what: str) -> None:
    """What the command prints is in the exception if it fails, and on stderr if it succeeds."""
    try:
        result = subprocess.run(command, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, encoding="utf-8", errors="replace")
    except OSError as error:
        raise BuildError(f"{what}\n{command[0]} does not run: {error}") from None
    if result.returncode:
        raise BuildError(f"{what}\n{result.stdout or f'{shlex.join(command)} ended with {result.returncode}'}")
    sys.stderr.write(result.stdout)


def _digest(path: _Path) -> Optional[str]:
    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()
    except OSError:
        return None


def _read_depfile(path: pathlib.Path) -> list[str]:
    """The files of a Makefile's rule."""
    text = path.read_text(encoding="utf-8").replace("\\\n", " ")
    words = re.findall(r"(?:\\.|[^\s\\])+", text)[1:]  # without the target
    return [re.sub(r"\\(.)", r"\1", word).replace("$$", "$") for word in words]


class _Loader(importlib.machinery.SourceFileLoader):
    """Without the cache, which takes a file of the same second and size for the same file."""

    def get_code(self, fullname: str) -> types.CodeType:
        code: types.CodeType = self.source_to_code(self.get_data(self.path), self.path)
        return code


_loaded: dict[str, tuple[list[Optional[str]], types.ModuleType]] = {}  # by path


def _load(name: str, out: pathlib.Path) -> types.ModuleType:
    """The module, which is the same as before if nothing changed."""
    path, library = str(out / f"{name}.py"), out / f"lib{name}.so"
    content = [_digest(path), _digest(library)]
    known = _loaded.get(path)
    if known and known[0] == content:
        return known[1]
    loader = _Loader(name, path)
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    if known:  # by the old name, the dynamic loader would give the old library
        with tempfile.TemporaryDirectory() as directory:
            module.load(shutil.copy(library, directory))
    else:
        module.load(str(library))
    sys.modules[name] = module
    _loaded[path] = content, module
    return module
