# SPDX-License-Identifier: Apache-2.0
"""VENDORED: generated sources under version control."""
import json
import shutil
import unittest

from support import CMAKE, GEN, NO_GEN, PACKAGE, PREFIX, Project, ProjectCase, cmake, ctest, run, words


class VendoredCase(ProjectCase):
    def start(self, generator="Ninja"):
        """A project with gen/ made by <target>_update."""
        project = Project(self, "vendored", generator, [*PACKAGE, f"-DMSHADOW_GEN={GEN}"],
                          configure=False)
        project.take("step.h", "scale.h", "rate.h")
        self.first = project.configure()
        self.update = project.build("toy_update")[0]
        return project

    def without_generator(self, project, *flags, expect=0):
        """Configures as somebody who has the runtime and nothing else."""
        project.new_build("plain")
        shutil.rmtree(project.build_dir, ignore_errors=True)
        project.flags = [f for f in project.flags if not f.startswith("-DMSHADOW_GEN=")]
        return words(project.configure("-DMSHADOW_KERNELS_MODE=VENDORED", *flags, expect=expect))


class WithGeneratorTest(VendoredCase):
    def test_first_time(self):
        project = self.start()
        self.assertIn("toy_update", self.first)  # what to do, said at configuration
        self.assertIn(".gitattributes", self.update)
        self.assertIn("gen/** linguist-generated=true -text", self.update)
        project.build()
        self.assertEqual(project.run(), "0 0 0\n")
        self.assertEqual(sorted(p.name for p in (project.source / "gen" / "toy").iterdir()),
                         sorted(f"{s}.{e}" for s in ("step", "scale") for e in
                                ("gen.h", "gen.cc", "gen.cu", "map.inc", "loop.inc"))
                         + ["toy.h", "toy.manifest"])
        self.assertNotIn("Warning", project.configure())

    def test_building_before_the_first_update_says_what_to_do(self):
        project = Project(self, "vendored", "Ninja", [*PACKAGE, f"-DMSHADOW_GEN={GEN}"],
                          configure=False)
        project.take("step.h", "scale.h", "rate.h")
        project.configure()
        output, _, _ = project.build(expect=1)
        self.assertIn("toy_update", output)

    def test_check_fails_with_a_diff(self):
        project = self.start()
        ctest(project.build_dir)
        project.build("toy_check")
        project.build("mshadow_check_all")

        project.edit("specs/rate.h", "0.5f", "0.25f")
        diff = ctest(project.build_dir, expect=1)
        self.assertIn("toy.vendored_up_to_date", diff)
        self.assertRegex(diff, r"(?m)^-.*0\.5")
        self.assertRegex(diff, r"(?m)^\+.*0\.25")
        self.assertIn("mshadow-gen generate", diff)
        project.build("toy_check", expect=1)

        project.build("mshadow_update_all")
        ctest(project.build_dir)
        project.build()
        self.assertEqual(project.run(), "1 2 3\n")

        project.edit("gen/toy/step.gen.cc", "LaunchStep", "LaunchStap")
        self.assertIn("LaunchStap", ctest(project.build_dir, expect=1))
        project.build("toy_update")
        ctest(project.build_dir)

    def test_generate_mode_leaves_the_vendored_files_alone(self):
        project = self.start()
        project.edit("specs/rate.h", "0.5f", "0.25f")
        before = {p: p.read_bytes() for p in (project.source / "gen").rglob("*.*")}
        project.new_build()
        project.configure("-DMSHADOW_KERNELS_MODE=GENERATE")
        project.build()
        self.assertEqual(project.run(), "1 2 3\n")
        self.assertEqual({p: p.read_bytes() for p in (project.source / "gen").rglob("*.*")}, before)

    def test_makefiles(self):
        project = self.start("Unix Makefiles")
        project.build()
        self.assertEqual(project.run(), "0 0 0\n")
        self.assertEqual(project.build()[1], [])


class WithoutGeneratorTest(VendoredCase):
    def test_builds_without_generator_clang_or_python(self):
        project = self.start()
        configured = self.without_generator(project)
        self.assertNotIn("Warning", configured)
        # A PATH with the compiler and its tools only.
        tools = self.directory()
        for tool in ("c++", "ninja", "as", "ld", "ar", "ranlib", "sh"):
            (tools / tool).symlink_to(shutil.which(tool))
        run(CMAKE, "--build", project.build_dir, env={"PATH": str(tools), **project.env})
        self.assertEqual(project.run(), "0 0 0\n")
        ctest(project.build_dir)  # by the manifest's fingerprints

    def test_no_generator_is_found_where_there_is_none(self):
        project = self.start()
        runtime = self.directory()
        shutil.copytree(PREFIX, runtime, dirs_exist_ok=True)  # as if only the dev package were there
        shutil.rmtree(runtime / "bin")
        for path in runtime.rglob("mshadow_kernels-gen*.cmake"):
            path.unlink()
        project.new_build()
        project.flags = [f for f in project.flags if "MSHADOW_GEN" not in f and "PREFIX_PATH" not in f]
        flags = [f"-DCMAKE_PREFIX_PATH={runtime}", *NO_GEN, "-DCMAKE_CXX_COMPILER=" + shutil.which("c++")]
        self.assertNotIn("add_mshadow_kernels(", project.configure(*flags))
        project.build()
        self.assertEqual(project.run(), "0 0 0\n")
        output = words(cmake("-S", project.source, "-B", project.dir / "strict", "-G", "Ninja", *flags,
                             "-DMSHADOW_KERNELS_MODE=GENERATE", expect=1))
        self.assertIn("Three ways out", output)

    def test_the_manifest_catches_what_is_stale(self):
        project = self.start()
        project.edit("specs/rate.h", "0.5f", "0.25f")
        output = self.without_generator(project)
        self.assertIn("CMake Warning", output)
        self.assertRegex(output, r"generated by mshadow-gen \d+\.\d+\.\d+, but specs/rate.h has changed since")
        self.assertIn("toy_update", output)
        self.assertIn("rate.h has changed", words(ctest(project.build_dir, expect=1)))
        project.build("toy_check", expect=1)
        project.build()  # a warning stops nobody
        self.assertIn("CMake Error", self.without_generator(project, "-DMSHADOW_VENDORED_STRICT=ON", expect=1))

    def test_the_manifest_catches_edits_by_hand(self):
        project = self.start()
        project.edit("gen/toy/scale.gen.cc", "// ", "//  ")
        self.assertIn("generated file scale.gen.cc has changed", self.without_generator(project))

    def test_a_killed_run_is_noticed(self):
        project = self.start()
        (project.source / "gen" / "toy" / "mshadow-gen.undo").write_text("")
        self.assertIn("a run of mshadow-gen was killed while it replaced them", self.without_generator(project))

    def test_the_manifest_catches_other_options(self):
        project = self.start()
        project.edit("CMakeLists.txt", "UNUSED=1", "UNUSED=2")
        self.assertIn("the options are other ones", self.without_generator(project))
        project.edit("CMakeLists.txt", "UNUSED=2", "UNUSED=1")
        project.edit("license.txt", "consumer", "producer")
        self.assertIn("the options are other ones", self.without_generator(project))

    def test_an_edit_is_noticed_by_the_next_build(self):
        project = self.start()
        self.without_generator(project)
        project.build()
        project.edit("specs/step.h", "weight -=", "weight +=")
        self.assertIn("specs/step.h has changed", words(project.build()[0]))

    def test_line_ends_do_not_matter(self):
        project = self.start()
        for path in [*(project.source / "gen" / "toy").iterdir(), *(project.source / "specs").iterdir()]:
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        self.assertNotIn("Warning", self.without_generator(project))

    def test_odd_text_has_the_same_fingerprint(self):
        project = self.start()
        project.edit("specs/rate.h", "namespace toy {", '// ;[]${A}$ENV{B}@C@ \\; " #[[ \\ .\nnamespace toy {')
        project.new_build("third")
        project.configure()
        project.build("toy_update")
        self.assertNotIn("Warning", self.without_generator(project))

    def test_nothing_vendored(self):
        project = self.start()
        shutil.rmtree(project.source / "gen")
        output = self.without_generator(project, expect=1)
        self.assertIn("holds no toy.manifest", output)


class OtherTargetsTest(VendoredCase):
    def test_specs_are_among_the_compile_commands(self):
        project = self.start()
        project.configure("-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
        commands = json.loads((project.build_dir / "compile_commands.json").read_text())
        command, = [c for c in commands if c["file"].endswith("specs/step.h")]
        self.assertIn("-DUNUSED=1", command["command"])
        _, compiled, _ = project.build()  # not by default
        self.assertNotIn("step.h.o", compiled)
        _, compiled, _ = project.build("toy_spec")
        self.assertEqual(sorted(compiled), ["scale.h.o", "step.h.o"])
        project.edit("specs/step.h", "weight -=", "weight -= no_such_name *")
        project.build("toy_spec", expect=1)

    def test_report(self):
        project = self.start()
        output, _, _ = project.build("toy_report")
        self.assertIn("toy::Step", output)
        self.assertIn("12 per element", output)


if __name__ == "__main__":
    unittest.main()
