# SPDX-License-Identifier: Apache-2.0
"""A build for another processor, with a generator that runs on this one."""
import os
import unittest

from support import GEN, HERE, PREFIX, SOURCE, ProjectCase, need, run
from test_plain import FLAGS, MAIN, SPEC

QEMU = ["qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu"]


class CrossTest(ProjectCase):
    def setUp(self):
        need("aarch64-linux-gnu-g++")

    def project_for(self, *flags, env=None):
        project = self.project("consumer", configure=False, flags=[
            f"-DCMAKE_TOOLCHAIN_FILE={HERE}/aarch64.cmake", "-DHOW=subdirectory",
            f"-DMSHADOW_SOURCE_DIR={SOURCE}", "-DMSHADOW_USE_BLAS=OFF", *flags])
        project.env.update(env or {})
        project.configure()
        project.build("app")
        self.assertIn("aarch64", run("aarch64-linux-gnu-readelf", "-h", project.program()).lower())
        return project

    def run_there(self, program):
        need(QEMU[0])
        return run(*QEMU, program)

    def test_generator_named(self):
        project = self.project_for(f"-DMSHADOW_GEN={GEN}")
        self.assertEqual(self.run_there(project.program()), "2 2 2\n")

    def test_generator_in_path(self):
        """As it is found when the package mshadow-gen is installed on the host."""
        path = f"{PREFIX}/bin:{os.environ['PATH']}"
        project = self.project_for(env={"PATH": path})
        self.assertIn(f"{PREFIX}/bin/mshadow-gen", (project.build_dir / "build.ninja").read_text())

    def test_the_same_text_as_on_this_processor(self):
        there = self.project_for(f"-DMSHADOW_GEN={GEN}")
        here = self.project("consumer", flags=["-DHOW=subdirectory", f"-DMSHADOW_SOURCE_DIR={SOURCE}",
                                               f"-DMSHADOW_GEN={GEN}", "-DMSHADOW_USE_BLAS=OFF"])
        here.build("mshadow_codegen_all")
        for path in (here.build_dir / "kernels").rglob("*.gen.*"):
            other = there.build_dir / path.relative_to(here.build_dir)
            if path.is_file():
                self.assertEqual(path.read_bytes(), other.read_bytes(), path)

    def test_standalone_gives_the_same_bits_as_here(self):
        need(QEMU[0], "g++")
        out = self.directory()
        (out / "main.cc").write_text(MAIN)
        run(GEN, "generate", "--standalone", "--name=toy", "-o", out / "toy", *FLAGS, SPEC)
        for compiler, program in (("g++", "here"), ("aarch64-linux-gnu-g++", "there")):
            run(compiler, "-std=c++17", "-O1", "-I", out / "toy", out / "main.cc",
                *(out / "toy").glob("*.cc"), "-pthread", "-o", out / program)
        self.assertEqual(self.run_there(out / "there"), run(out / "here"))


if __name__ == "__main__":
    unittest.main()
