# SPDX-License-Identifier: Apache-2.0
"""Every way of getting this project into another one."""
import os
import pathlib
import re
import shutil
import unittest

from support import (BUILD, CMAKE, FULL, GEN, HERE, NO_GEN, PACKAGE, PREFIX, SOURCE, ProjectCase, cmake, need,
                     run, skip, words)

APP = HERE / "vendored" / "main.cc"


class PackageTest(ProjectCase):
    def test_find_package(self):
        project = self.project("consumer", flags=PACKAGE)
        self.assertIn("property MSHADOW_CUDA=OFF", project.configured)
        self.assertIn("property MSHADOW_ISA=baseline", project.configured)
        self.assertRegex(project.configured, r"property MSHADOW_HEADER=.*/generated/vendor/tuned/tuned_rules\.h")
        project.build()
        self.assertEqual(project.run(), "2 2 2\n")
        tuned = project.build_dir / "kernels" / "generated" / "vendor" / "tuned"
        self.assertTrue((tuned / "tuned.gen.cc").read_text().startswith("// Copyright of the consumer.\n"))
        for name in ("tuned.blob.cc", "tuned_rules.ir", "tuned_rules.py", "tuned_rules.pyi", "tuned_rules.report.html", "tuned_rules.report.json",
                     "tuned_rules_c.h"):
            self.assertTrue((tuned / name).exists(), name)

    def test_fetch_content(self):
        project = self.project("consumer", flags=[
            "-DHOW=fetch", f"-DMSHADOW_SOURCE_DIR={SOURCE}", f"-DMSHADOW_GEN={GEN}"])
        project.build("app")
        self.assertEqual(project.run(), "2 2 2\n")

    def test_add_subdirectory(self):
        project = self.project("consumer", generator="Unix Makefiles", flags=[
            "-DHOW=subdirectory", f"-DMSHADOW_SOURCE_DIR={SOURCE}", f"-DMSHADOW_GEN={GEN}",
            "-DMSHADOW_USE_BLAS=OFF"])
        project.build("app")
        self.assertEqual(project.run(), "2 2 2\n")

    def test_the_generator_is_built_as_a_part_too(self):
        """The project's own is used, whatever PATH has. Building it takes minutes: part `packages`."""
        project = self.project("consumer", flags=[
            "-DHOW=fetch", f"-DMSHADOW_SOURCE_DIR={SOURCE}", "-DMSHADOW_BUILD_GEN=ON", "-DMSHADOW_UNITY_BUILD=ON",
            "-DMSHADOW_USE_BLAS=OFF"])
        commands = (project.build_dir / "build.ninja").read_text()
        self.assertRegex(commands, r"_deps/\S*/mshadow-gen\S* generate ")
        if not FULL:
            return
        project.build("app")
        self.assertEqual(project.run(), "2 2 2\n")
        _, compiled, generated = project.build("app")
        self.assertEqual((compiled, generated), ([], []))

    def test_the_component_gen_is_required(self):
        runtime = self.directory()
        shutil.copytree(PREFIX, runtime, dirs_exist_ok=True)
        shutil.rmtree(runtime / "bin")
        for path in runtime.rglob("mshadow_kernels-gen*.cmake"):
            path.unlink()
        output = words(cmake("-S", HERE / "consumer", "-B", self.directory(), "-G", "Ninja",
                             f"-DCMAKE_PREFIX_PATH={runtime}", *NO_GEN,
                             "-DCMAKE_CXX_COMPILER=" + shutil.which("c++"), expect=1))
        self.assertIn("mshadow-gen is not installed", output)

    def test_a_package_can_be_moved(self):
        """Nothing of where it was built or first installed is left in it."""
        moved = self.directory() / "moved here"
        shutil.copytree(PREFIX, moved)
        project = self.project("consumer", flags=[f"-DCMAKE_PREFIX_PATH={moved}"])
        project.build("app")
        self.assertEqual(project.run(), "2 2 2\n")
        for path in moved.rglob("*.cmake"):
            text = path.read_text()
            self.assertNotIn(str(PREFIX), text, path)
            self.assertNotIn(BUILD, text, path)

    def test_pkg_config(self):
        need("pkg-config", "g++")
        env = {"PKG_CONFIG_PATH": str(next(PREFIX.rglob("pkgconfig")))}
        flags = run("pkg-config", "--cflags", "--libs", "mshadow-kernels", env=env).split()
        out = self.directory()
        gen = run("pkg-config", "--variable=mshadow_gen", "mshadow-kernels", env=env).strip()
        run(gen, "generate", "--name=toy", "-o", out / "toy", HERE / "consumer/kernels/step.h",
            HERE / "consumer/kernels/scale.h")
        run("g++", "-std=c++17", "-O1", "-I", out, APP, *(out / "toy").glob("*.gen.cc"), "-o",
            out / "app", *flags)
        self.assertEqual(run(out / "app"), "0 0 0\n")

    def test_shipped_rules(self):
        if not list(PREFIX.rglob("libmshadow_specs.*")):
            skip("the library of shipped rules was not built")
        project = self.project("shipped", flags=PACKAGE)
        project.build()
        self.assertEqual(project.run(), "0.9\n")
        self.assertEqual(project.run("app_unfused"), "0.9\n")
        # CMake before 3.23 knows no file sets: it must find the headers' directory by itself.
        exported, = PREFIX.rglob("mshadow_kernels-specs.cmake")
        self.assertRegex(exported.read_text(), r"INTERFACE_INCLUDE_DIRECTORIES .*mshadow_specs")

    def test_manual_and_completion(self):
        page = PREFIX / "share" / "man" / "man1" / "mshadow-gen.1"
        self.assertIn("--output-dir", page.read_text().replace("\\-", "-"))
        if shutil.which("man"):
            self.assertNotIn("warning", run("man", "--warnings", "-E", "UTF-8", "-l", page,
                                            env={"MANWIDTH": "80"}).split("OPTIONS")[0])
        completion = PREFIX / "share/bash-completion/completions/mshadow-gen"
        script = ('source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mshadow_gen; '
                  'echo "${COMPREPLY[@]}"')

        def complete(*line):
            return run("bash", "-c", script, completion, "mshadow-gen", *line).split()

        self.assertEqual(complete("ge"), ["generate"])
        self.assertEqual(complete("generate", "--output"), ["--output-dir="])
        self.assertEqual(complete("explain", "--output"), [])
        self.assertEqual(complete("generate", "--isa", "=", "avx"), ["avx2", "avx512"])
        self.assertEqual(complete("generate", "--emit", "=", "cpu,hea"), ["cpu,header"])
        self.assertEqual(complete("generate", "--color", "="), ["auto", "always", "never"])


class ExportTest(ProjectCase):
    """An installed library that contains kernels, used by a project without a generator."""

    def check(self, kind, *flags):
        exporter = self.project("exporter", configure=False, flags=[f"-DTYPE={kind}", *flags])
        exporter.take("step.h", "scale.h", "rate.h")
        exporter.configure()
        exporter.build()
        prefix = exporter.dir / "prefix"
        cmake("--install", exporter.build_dir, "--prefix", prefix)
        self.assertEqual(len(list(prefix.rglob("python/exported.py"))), int(kind == "SHARED"))
        importer = self.project("importer", flags=[
            f"-DCMAKE_PREFIX_PATH={prefix};{PREFIX}", "-DMSHADOW_KERNELS_MODE=VENDORED"])
        shutil.rmtree(exporter.source)
        shutil.rmtree(exporter.build_dir)
        importer.build()
        self.assertEqual(importer.run(), "0 0 0\n")

    def test_static(self):
        self.check("STATIC", *PACKAGE)

    def test_shared(self):
        self.check("SHARED", *PACKAGE)

    def test_with_mshadow_as_a_part(self):
        self.check("STATIC", f"-DMSHADOW_SOURCE_DIR={SOURCE}", f"-DMSHADOW_GEN={GEN}",
                   "-DMSHADOW_USE_BLAS=OFF")


class StrangeProjectsTest(ProjectCase):
    """Settings of other people's projects that generated code must bear."""

    def check(self, *flags):
        project = self.project("consumer", flags=[*PACKAGE, *flags])
        project.build("app")
        self.assertEqual(project.run(), "2 2 2\n")

    WARNINGS = "-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Werror"

    def test_warnings_are_errors(self):
        for compiler in ("g++", "clang++-14", "clang++-19"):
            if shutil.which(compiler):
                with self.subTest(compiler):
                    self.check(f"-DCMAKE_CXX_FLAGS={self.WARNINGS}", f"-DCMAKE_CXX_COMPILER={compiler}")

    def test_newer_standards(self):
        for standard in ("20", "23"):
            with self.subTest(standard):
                self.check(f"-DCMAKE_CXX_STANDARD={standard}", "-DCMAKE_CXX_EXTENSIONS=OFF")

    def test_unity_build(self):
        self.check("-DCMAKE_UNITY_BUILD=ON")

    def test_hidden_symbols_and_shared_libraries(self):
        self.check("-DBUILD_SHARED_LIBS=ON", "-DCMAKE_CXX_VISIBILITY_PRESET=hidden")

    def test_automoc(self):
        """Qt's generators have nothing to look for in kernels, nor in this project as a part of another."""
        for flags in (PACKAGE, ["-DHOW=subdirectory", f"-DMSHADOW_SOURCE_DIR={SOURCE}", f"-DMSHADOW_GEN={GEN}"]):
            project = self.project("consumer", flags=["-DCMAKE_AUTOMOC=ON", "-DCMAKE_AUTOUIC=ON", "-DCMAKE_AUTORCC=ON",
                                                      *flags])
            ours = [t for t in re.findall(r"([\w:]+)_autogen\b", (project.build_dir / "build.ninja").read_text())
                    if t != "app"]
            self.assertEqual(ours, [])
            named = re.findall(r"found for target (\w+)", words(project.configured))
            self.assertEqual(set(named) - {"app"}, set())

    def test_in_a_program_with_qt(self):
        project = self.project("qt", flags=PACKAGE, configure=False)
        project.take("step.h", "rate.h")
        output = project.configure()
        if "no Qt" in output:
            skip("Qt is not installed")
        project.build()
        self.assertEqual(project.run(), "moved 1\n")

    def test_a_file_called_version_hides_no_header(self):
        project = self.project("consumer", flags=PACKAGE)
        (project.source / "version").write_text("1.0\n")
        project.build("app")


class DebianTest(ProjectCase):
    """The packages install, work and go away again."""

    def test_packages(self):
        need("dpkg", "dpkg-deb", "cpack")
        if os.geteuid() != 0:
            skip("installing packages takes root")
        out = self.directory()
        cpack = pathlib.Path(CMAKE).with_name("cpack")
        run(cpack, "-G", "DEB", "-B", out, "--config", f"{BUILD}/CPackConfig.cmake")
        packages = sorted(out.glob("*.deb"))
        self.assertEqual([p.name.split("_")[0] for p in packages], ["libmshadow-kernels-dev", "mshadow-gen"])
        dev, gen = packages
        self.assertIn("libclang-cpp", run("dpkg-deb", "-f", gen, "Depends"))
        self.assertNotIn(BUILD, run("dpkg-deb", "--contents", dev))

        root = out / "root"
        admin = root / "var" / "lib" / "dpkg"
        for directory in (admin / "info", admin / "updates"):
            directory.mkdir(parents=True)
        for name in ("status", "available"):
            (admin / name).touch()
        dpkg = ["dpkg", f"--root={root}", "--force-not-root", "--force-depends", "--force-architecture"]
        run(*dpkg, "-i", *packages)
        project = self.project("consumer", flags=[f"-DCMAKE_PREFIX_PATH={root}/usr"])
        project.build("app")
        self.assertEqual(project.run(), "2 2 2\n")
        self.assertIn(str(root), (project.build_dir / "build.ninja").read_text())
        run(root / "usr/bin/mshadow-gen", "--version")

        run(*dpkg, "--remove", "mshadow-gen", "libmshadow-kernels-dev")
        left = [p for p in root.rglob("*") if p.is_file() and admin not in p.parents]
        self.assertEqual([p for p in left if p.name != "dpkg.log"], [])


if __name__ == "__main__":
    unittest.main()
