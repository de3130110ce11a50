# SPDX-License-Identifier: Apache-2.0
"""Projects in directories of their own, and what building them does."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
CMAKE = os.environ["CMAKE_COMMAND"]
SOURCE = os.environ["MSHADOW_SOURCE_DIR"]
BUILD = os.environ["MSHADOW_BINARY_DIR"]
GEN = os.environ["MSHADOW_GEN"]
PREFIX = pathlib.Path(os.environ["MSHADOW_PREFIX"])
FULL = bool(os.environ.get("MSHADOW_TEST_FULL"))  # part `packages` of scripts/test --full
SPECS = HERE / "consumer" / "kernels"
# As an installed project is found, with nothing of this machine's environment.
PACKAGE = [f"-DCMAKE_PREFIX_PATH={PREFIX}", "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF"]
# No generator, even where one is installed.
NO_GEN = ["-DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF", "-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF",
          f"-DCMAKE_MAKE_PROGRAM={shutil.which('ninja')}"]


def skip(reason):
    """For CMakeLists.txt: one test, one process, one verdict."""
    print(f"SKIP: {reason}")
    raise unittest.SkipTest(reason)


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            skip(f"{program} is not installed")


def run(*args, expect=0, cwd=None, env=None):
    """stdout and stderr together; `expect` other than 0: it must fail."""
    result = subprocess.run([str(a) for a in args], text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, timeout=900, check=False, cwd=cwd,
                            env={**os.environ, **(env or {})})
    if (result.returncode == 0) != (expect == 0):
        raise AssertionError(f"{args} ended with {result.returncode}:\n{result.stdout[-6000:]}")
    return result.stdout


def cmake(*args, expect=0, env=None):
    return run(CMAKE, *args, expect=expect, env=env)


def ctest(build_dir, expect=0):
    """Runs a build directory's tests."""
    program = pathlib.Path(CMAKE).with_name("ctest")
    return run(program, "--test-dir", build_dir, "--output-on-failure", expect=expect)


def words(text):
    """CMake breaks messages into lines."""
    return " ".join(text.split())


class Project:
    """A copy of a project of this directory, or one of these {name: text}, and its build."""

    def __init__(self, test, name, generator="Ninja", flags=(), configure=True, files=None):
        # Spaces in paths are what breaks first.
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix=f"mshadow {name} ")).resolve()
        test.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)
        self.source = self.dir / "source"
        self.build_dir = self.dir / "build"
        if files is None:
            shutil.copytree(HERE / name, self.source)
        else:
            self.source.mkdir()
            for file, text in files.items():
                (self.source / file).write_text(text)
        self.generator = generator
        # GCC compiles packets four times as fast at -O1 as at -O0, Clang fastest at -O0.
        level = "-O0" if any("clang++" in flag for flag in flags) else "-O1"
        self.flags = ["-DCMAKE_BUILD_TYPE=Debug", f"-DCMAKE_CXX_FLAGS_DEBUG={level}", *flags]
        self.env = {}
        if shutil.which("ccache"):
            self.flags.append(f"-DCMAKE_CXX_COMPILER_LAUNCHER={shutil.which('ccache')}")
            # Copies of one project share what was compiled. (Makefiles of CMake 3.20 do not
            # understand the relative dependencies that come with it.)
            if "version 3.20" not in run(CMAKE, "--version"):
                self.env = {"CCACHE_BASEDIR": str(self.dir), "CCACHE_NOHASHDIR": "1"}
        self.configured = self.configure() if configure else ""

    def configure(self, *flags, expect=0):
        return cmake("-S", self.source, "-B", self.build_dir, "-G", self.generator, *self.flags,
                     *flags, expect=expect, env=self.env)

    def build(self, target="all", expect=0):
        """(output, names of objects compiled, names of targets generated)"""
        output = cmake("--build", self.build_dir, "--parallel", "2", "--config", "Debug",
                       "--target", target, expect=expect, env=self.env)
        compiled = re.findall(r"Building CXX object (\S+)", output)
        generated = re.findall(r"mshadow-gen (\w+)\b(?! generate)", output)
        return output, [pathlib.Path(c).name for c in compiled], generated

    def new_build(self, name="again"):
        """The same sources, to be configured anew."""
        self.build_dir = self.dir / name

    def program(self, name="app"):
        found, = [p for p in self.build_dir.rglob(name) if p.is_file() and os.access(p, os.X_OK)]
        return found

    def run(self, name="app"):
        return run(self.program(name))

    def edit(self, name, old, new):
        path = self.source / name
        text = path.read_text()
        assert old in text, (name, old)
        path.write_text(text.replace(old, new))

    def take(self, *names, to="specs"):
        """Copies specs of the consumer into this project."""
        (self.source / to).mkdir(exist_ok=True)
        for name in names:
            shutil.copy(SPECS / name, self.source / to / name)


class ProjectCase(unittest.TestCase):
    def project(self, name, **options):
        return Project(self, name, **options)

    def directory(self):
        path = pathlib.Path(tempfile.mkdtemp(prefix="mshadow package ")).resolve()
        self.addCleanup(shutil.rmtree, path, ignore_errors=True)
        return path
