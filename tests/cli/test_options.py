# SPDX-License-Identifier: Apache-2.0
"""The command line itself: statuses, streams, suggestions, every flag."""
import json
import os
import pathlib
import re
import unittest

from support import ERROR, CliCase, rule


class UsageTest(CliCase):
    def test_no_command(self):
        self.assert_usage(self.run_gen(), "no command", "--help")

    def test_misspelt_command(self):
        self.assert_usage(self.run_gen("genrate"), "unknown command 'genrate'", "did you mean 'generate'?")

    def test_misspelt_flag(self):
        self.assert_usage(self.generate("--isas=avx2"), "'--isas=avx2'", "did you mean '--isa'?")

    def test_flag_of_another_command(self):
        self.assert_usage(self.generate("--kernel=Step"), "only by: explain")

    def test_misspelt_kind_lists_the_kinds(self):
        self.assert_usage(self.generate("--emit=header,cpus"), "header", "manifest", "did you mean 'cpu'?")

    def test_misspelt_isa_dtype_pass_format(self):
        for flag, right in (("--isa=avx3", "avx2"), ("--dtypes=fp16", "f16"), ("--dump-after=shared", "share"),
                            ("--diagnostics-format=jsn", "json"), ("--color=alway", "always"),
                            ("--cuda=onn", "on")):
            with self.subTest(flag):
                self.assert_usage(self.generate(flag), f"did you mean '{right}'?")

    def test_missing_arguments(self):
        self.assert_usage(self.run_gen("generate", self.step), "--name")
        self.assert_usage(self.run_gen("generate", "--name=toy", self.step), "--output-dir")
        self.assert_usage(self.run_gen("generate", "--name=toy", "-o", self.out), "no SPEC")
        self.assert_usage(self.generate("--depfile=d"), "--stamp")
        self.assert_usage(self.generate("--depfile-list-outputs"), "--depfile")
        self.assert_usage(self.run_gen("generate", self.step, "--isa"), "--isa")

    def test_a_flag_twice(self):
        self.assert_usage(self.generate("--isa=avx2", "--isa=avx512"), "--isa")

    def test_names_that_are_no_identifiers(self):
        for name in ("a/b", "..", "../x", "a-b", "", "9a", "a b", "class", "x" * 65, "a\nb"):
            with self.subTest(name):
                result = self.generate(name=name)
                self.assert_status(result, 2)
                self.assertFalse(self.out.exists())

    def test_namespace_is_checked(self):
        for text in ("a::", "::a", "a:b", "a b", "a::class", "typeof", "a::std", "a::mshadow", "printf", "BUFSIZ"):
            with self.subTest(text):
                self.assert_usage(self.generate(f"--namespace={text}"), "--namespace")

    def test_max_errors_is_a_number(self):
        for text in ("x", "-1", "1x", "99999999999"):
            self.assert_usage(self.generate(f"--max-errors={text}"), "--max-errors")

    def test_unknown_warning(self):
        self.assert_usage(self.generate("-Wno-such-thing"), "such-thing")

    def test_two_specs_of_one_stem(self):
        other = self.write("other/Step.h", rule("Other"))
        self.assert_usage(self.generate(specs=[self.step, other]), "step.h", "Step.h")
        self.assert_usage(self.generate(specs=[self.step, self.step]), "step.h")

    def test_stem_that_is_no_identifier(self):
        for name in ("my-step.h", "step.v2.h", "9.h"):
            self.assert_usage(self.generate(specs=[self.write(name, rule())]), "identifier")

    def test_kernel_that_does_not_exist(self):
        self.assert_usage(self.run_gen("explain", "--kernel=Stap", self.step), "did you mean 'Step'?")


class ResponseFileTest(CliCase):
    def test_arguments_are_split_and_unquoted(self):
        out = self.dir / "out dir"
        self.write("args", f"--name=toy\n -o '{out}' \"{self.step}\"\n")
        self.assert_ok(self.run_gen("generate", "@args", self.scale))
        self.assertTrue((out / "toy.h").exists())

    def test_unreadable(self):
        result = self.run_gen("generate", "@nowhere")
        self.assert_status(result, 4)
        self.assertIn("nowhere", result.stderr)

    def test_open_quote_and_nesting(self):
        self.write("args", "--name='toy")
        self.assert_usage(self.run_gen("generate", "@args"), "not closed")
        self.write("args", "@other")
        self.assert_usage(self.run_gen("generate", "@args"), "nest")


class AnswerTest(CliCase):
    def test_version(self):
        result = self.run_gen("--version")
        self.assert_ok(result)
        self.assertRegex(result.stdout, r"^mshadow-gen \d+\.\d+\.\d+ \(code revision \d+\)\n$")
        version = json.loads(self.run_gen("--version", "--format=json").stdout)
        self.assertEqual(list(version), ["name", "version", "protocol", "code_revision"])

    def test_config(self):
        config = json.loads(self.run_gen("--print-config", "--format=json").stdout)
        self.assertEqual(config["isa"][0], "baseline")
        self.assertIn("cpu", config["emit"])
        text = self.run_gen("--print-config").stdout
        self.assertIn("isa: " + " ".join(config["isa"]) + "\n", text)

    def test_resource_dir(self):
        result = self.run_gen("--print-resource-dir")
        self.assert_ok(result)
        self.assertEqual(result.stdout, os.environ["MSHADOW_CLANG_RESOURCE_DIR"] + "\n")
        self.assert_ok(self.generate(f"--resource-dir={result.stdout.strip()}"))

    def test_help_goes_to_stdout(self):
        for args in (["--help"], ["-h"], ["--help=list"], ["list", "--help"]):
            result = self.run_gen(*args)
            self.assert_ok(result)
            self.assertEqual(result.stderr, "")
            self.assertTrue(all(len(line) <= 100 for line in result.stdout.splitlines()))
        self.assert_usage(self.run_gen("--help=lst"), "did you mean 'list'?")

    def test_help_names_the_same_flags_as_the_parser(self):
        """Every flag of --help is taken, and no other; values come from the metavariable."""
        values = {"on|off": "on", "text|json": "text", "auto|always|never": "never", "strict|correct|contract|fast": "fast",
                  "run-to-run|everywhere": "run-to-run",
                  "[no-]NAME": "no-no-rules",
                  "N": "3", "MIB": "2048", "NS": "ns", "PASS": "share", "BASE": "toy"}
        lists = {"--emit": "header,cpu", "--isa": "baseline,avx2", "--dtypes": "f32"}
        for command in ("generate", "check", "list", "explain"):
            text = self.run_gen(f"--help={command}").stdout
            text = text[text.index("OPTIONS"):text.index("KINDS OF OUTPUT")]
            flags = re.findall(r"^    (-\S+?)(?:, (--[\w-]+))?(?:=(\S+)|(\[no-\]NAME))?(?:  .*)?$", text, re.M)
            self.assertGreater(len(flags), 10)
            for short, long, equals, joined in flags:
                flag = long or short
                with self.subTest(command=command, flag=flag):
                    metavar = equals or joined
                    argument = short if joined else flag
                    if metavar:
                        value = lists.get(flag) or values.get(metavar) or {
                            "--runtime-dir": os.environ["MSHADOW_RUNTIME_INCLUDE"],
                            "--resource-dir": os.environ["MSHADOW_CLANG_RESOURCE_DIR"],
                            "--license-header": str(self.write("license", "// Mine.\n")),
                            "--kernel": "Step"}.get(flag) or str(self.dir / flag.strip("-"))
                        argument += value if joined else "=" + value
                    base = ["--name=toy", f"--output-dir={self.out}", "--stamp=stamp", "--depfile=depfile"]
                    base = [b for b in base if b.split("=")[0] != flag and f" {b.split('=')[0]}" in
                            " " + " ".join(x for f in flags for x in f[:2])]
                    if flag == "--path-base":
                        argument = f"--path-base={self.dir}"
                    result = self.run_gen(command, *base, argument, self.step)
                    self.assertIn(result.returncode, (0, 3), result.stderr)


class AuditTest(CliCase):
    def test_every_flag_has_a_test_of_its_own(self):
        """Beyond being taken: some test says what the flag does."""
        text = "".join(self.run_gen(f"--help={c}").stdout for c in ("generate", "check", "list", "explain"))
        flags = set(re.findall(r"^    (?:-\w, )?(--?[\w-]+)", text + self.run_gen("--help").stdout, re.M))
        self.assertGreater(len(flags), 35)
        tests = pathlib.Path(__file__).resolve().parent
        used = "".join(p.read_text() for d in (tests, tests.parent / "package") for p in d.glob("*.py"))
        # To be tried out by the test of --help is no test of one's own.
        begin = used.index("    def test_help_names_the_same_flags")
        used = used[:begin] + used[used.index("    def test_every_flag"):]
        for flag in sorted(flags):
            with self.subTest(flag):
                self.assertRegex(used, rf'["\s]{flag}(?![\w-])' if flag != "-W" else r'"-Wno-\w')

    def test_what_is_installed_beside_the_tool(self):
        self.assertIn(".TH ", self.run_gen("--print-man").stdout)
        self.assertIn("complete -o filenames -F", self.run_gen("--print-completion").stdout)


class DiagnosticsTest(CliCase):
    def test_errors_go_to_stderr_and_nothing_is_written(self):
        self.step.write_text(ERROR)
        result = self.generate()
        self.assert_status(result, 1)
        self.assertEqual(result.stdout, "")
        self.assertRegex(result.stderr, re.compile(r"^\S+step\.h:\d+:\d+: error: .* \[mshadow-loop\]$", re.M))
        self.assertFalse(self.out.exists())

    def test_json(self):
        self.step.write_text(ERROR)
        diagnostics = json.loads(self.generate("--diagnostics-format=json").stderr)
        self.assertEqual(diagnostics["diagnostics"][0]["id"], "mshadow-loop")

    def test_color(self):
        self.step.write_text(ERROR)
        self.assertNotIn("\033", self.generate().stderr)
        self.assertNotIn("\033", self.generate("--color=never").stderr)
        self.assertIn("\033", self.generate("--color=always").stderr)

    def test_warnings(self):
        nothing = self.write("nothing.h", "#include <mshadow/kernel.h>\n")
        result = self.generate(specs=[nothing])
        self.assert_ok(result)
        self.assertIn("warning:", result.stderr)
        self.assertIn("[mshadow-no-rules]", result.stderr)
        for flag in ("-Wno-no-rules", "-q", "--quiet"):
            result = self.generate(flag, specs=[nothing])
            self.assert_ok(result)
            self.assertEqual(result.stderr, "")
        for flag in ("--werror", "-Werror", "-Werror=no-rules"):
            result = self.generate(flag, specs=[nothing], out=self.dir / "other")
            self.assert_status(result, 1)
            self.assertIn("error:", result.stderr)
            self.assertFalse((self.dir / "other").exists())

    def test_a_spec_without_rules_gives_its_files_all_the_same(self):
        nothing = self.write("nothing.h", "#include <mshadow/kernel.h>\n")
        self.assert_ok(self.generate("-q", specs=[self.step, nothing]))
        self.assertIn("no rules", (self.out / "nothing.gen.cc").read_text())

    def test_max_errors(self):
        bad = "\n".join(f"for (float f{i} = 0; f{i} < eta; ++f{i}) weight -= eta * grad;" for i in range(5))
        self.step.write_text(rule(body=bad))
        every = self.generate("--max-errors=0").stderr.count(" error: ")
        self.assertGreater(every, 2)
        self.assertEqual(self.generate("--max-errors=2").stderr.count(" error: "), 2)

    def test_two_rules_of_one_name(self):
        self.scale.write_text(rule("Step", body="weight = grad * eta;"))
        result = self.generate()
        self.assert_status(result, 1)
        self.assertIn("[mshadow-duplicate-rule]", result.stderr)
        self.assertIn("step.h", result.stderr)
        self.assertIn("scale.h", result.stderr)
        self.scale.write_text(rule("Step", namespace="other"))
        self.assert_ok(self.generate())

    def test_success_is_silent(self):
        result = self.generate()
        self.assert_ok(result)
        self.assertEqual((result.stdout, result.stderr), ("", ""))

    def test_verbose_logs_to_stderr(self):
        for flag in ("-v", "--verbose"):
            result = self.generate(flag)
            self.assert_ok(result)
            self.assertEqual(result.stdout, "")
            self.assertRegex(result.stderr, r"mshadow-gen: emit: \d+\.\d ms")

    def test_dump_after(self):
        passes = self.run_gen("--print-config").stdout.split("passes: ")[1].split()
        for name in passes:
            result = self.generate(f"--dump-after={name}")
            self.assert_ok(result)
            self.assertIn("Step", result.stderr, name)
            self.assertEqual(result.stdout, "")
        self.assertIn("1: weight -= mul(", self.generate("--dump-after=check").stderr)
        self.assertIn("1: weight = sub(", self.generate("--dump-after=expand_savers").stderr)


if __name__ == "__main__":
    unittest.main()
