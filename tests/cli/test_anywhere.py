# SPDX-License-Identifier: Apache-2.0
"""The program runs wherever it is copied, whatever surrounds it, and ends on any input."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import unittest

from support import GEN, CliCase, contents, rule

# With a header of the C++ library, which needs Clang's own.
STD = rule(include="#include <stddef.h>\n#include <cmath>\n#include <cstdint>\n#include <vector>\n")


def skip(reason):
    """For tests/cli/CMakeLists.txt: one test, one process, one verdict."""
    print(f"SKIP: {reason}")
    raise unittest.SkipTest(reason)


class CopiedTest(CliCase):
    def setUp(self):
        super().setUp()
        self.step.write_text(STD)
        self.assert_ok(self.generate())
        self.copy = self.dir / "empty" / "mshadow-gen"
        self.copy.parent.mkdir()
        shutil.copy(GEN, self.copy)

    def generate_with_copy(self, prefix=(), **options):
        return subprocess.run([*prefix, self.copy, "generate", "--name=toy", "-o", self.dir / "again",
                               self.step, self.scale], capture_output=True, text=True, timeout=120,
                              check=False, **options)

    def assert_same(self, result):
        self.assert_ok(result)
        self.assertEqual(contents(self.dir / "again"), contents(self.out))

    def test_with_the_headers_of_clang_hidden(self):
        hidden = [p for p in ("/usr/include/clang", "/usr/lib/clang",
                              *map(str, pathlib.Path("/usr/lib").glob("llvm-*/lib/clang"))) if os.path.isdir(p)]
        script = "".join(f"mount -t tmpfs none {p} && " for p in hidden) + 'exec "$@"'
        prefix = ["unshare", "--mount", "sh", "-c", script, "sh"]
        try:
            allowed = subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode == 0
        except FileNotFoundError:
            allowed = False
        if not allowed:
            skip("mounting over Clang's directories is not permitted")
        for path in hidden:
            shown = subprocess.run([*prefix, "ls", path], capture_output=True, text=True, check=True).stdout
            self.assertEqual(shown, "")
        self.assert_same(self.generate_with_copy(prefix))

    def test_with_configuration_files_of_clang_around(self):
        home = self.dir / "home"
        home.mkdir()
        for directory in (self.copy.parent, home):
            for name in ("clang.cfg", "clang++.cfg", "mshadow-gen.cfg", "x86_64-pc-linux-gnu-clang++.cfg"):
                (directory / name).write_text("-include /nonexistent.h\n")
        self.assert_same(self.generate_with_copy(env={**os.environ, "HOME": str(home)}))

    def test_with_a_poisoned_environment(self):
        poison = self.dir / "poison"
        for name in ("mshadow/kernel.h", "stddef.h", "cmath", "cstdint", "vector"):
            path = poison / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("#error poisoned\n")
        variables = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJCPLUS_INCLUDE_PATH", "SDKROOT",
                     "COMPILER_PATH", "GCC_EXEC_PREFIX", "INCLUDE", "CCC_OVERRIDE_OPTIONS")
        env = {**os.environ, **{name: str(poison) for name in variables}, "CCC_OVERRIDE_OPTIONS": "+-DX",
               "CFLAGS": "-Werror", "CXXFLAGS": "-nostdinc"}
        self.assert_same(self.generate_with_copy(env=env))

    def test_a_resource_directory_that_is_none_is_refused(self):
        result = self.generate("--resource-dir=/nonexistent")
        self.assertIn(result.returncode, (1, 2, 4))

    def test_in_an_empty_environment(self):
        self.assert_same(self.generate_with_copy(env={}, cwd="/"))


class LimitsTest(CliCase):
    """An error of the spec or a refusal, soon; never a crash, a hang or half an output."""
    SECONDS = 60

    def assert_ends(self, text, statuses=(1,)):
        self.step.write_text(text)
        start = time.monotonic()
        result = self.generate("--max-seconds=5", "--max-memory=600", specs=[self.step])
        self.assertLess(time.monotonic() - start, self.SECONDS)
        self.assertIn(result.returncode, statuses, result.stderr[-2000:])
        self.assertLess(len(result.stderr), 200000)
        self.assertEqual(self.out.exists(), result.returncode == 0)
        return result

    def test_long_chains(self):
        """The limit is said of the expression, where it stands, before Clang looks at its types."""
        for terms in (300, 1500, 5000, 100000):
            with self.subTest(terms):
                result = self.assert_ends(rule(body="weight = grad" + "\n + grad" * terms + ";"), (0, 1))
                shutil.rmtree(self.out, ignore_errors=True)
                if terms > 1000:
                    line = self.step.read_text().splitlines().index("  weight = grad") + 1 + 1001
                    self.assertIn(f"step.h:{line}:2: error: this expression has more than 1000 operators "
                                  "and calls (the limit) [mshadow-too-large]", result.stderr)
                    self.assertEqual(result.stderr.count("error:"), 1)

    def test_deep_nesting(self):
        for depth in (200, 5000, 100000):
            with self.subTest(depth):
                self.assert_ends(rule(body="weight = " + "(" * depth + "grad" + ")" * depth + ";"), (0, 1))
                shutil.rmtree(self.out, ignore_errors=True)
        self.assert_ends(rule(body="{" * 50000 + "weight = grad;" + "}" * 50000))
        self.assert_ends("namespace a {" * 20000)

    def test_limits_are_named(self):
        bomb = ("template <typename, typename> struct Two {};\n"
                "template <int n, typename T> struct Bomb : Bomb<n - 1, Two<T, int>>, Bomb<n - 1, Two<int, T>> {};\n"
                "template <typename T> struct Bomb<0, T> {};\n"
                "Bomb<30, int> bomb;\n")
        text = rule(include=bomb)
        line = 1 + next(i for i, l in enumerate(text.splitlines()) if ": Bomb<n - 1" in l)
        result = self.assert_ends(text)
        self.assertRegex(result.stderr, rf"step\.h:{line}:1: error: parsing this spec takes more than "
                                        r"(5 s of processor time|600 MiB of memory) \(the limit\) \[mshadow-too-large\]")
        self.assertIn("note: split the spec into several, or raise --max-seconds or --max-memory", result.stderr)
        found = self.generate("--max-seconds=1", "--diagnostics-format=json", specs=[self.step])
        self.assertEqual(json.loads(found.stderr)["diagnostics"][0]["id"], "mshadow-too-large")
        self.assert_usage(self.generate("--max-seconds=0"), "--max-seconds takes a number from 1")

    def test_many_statements(self):
        self.assert_ends(rule(body="weight -= eta * grad;\n" * 20000), (0, 1))

    def test_huge_files(self):
        self.assert_ends("// " + "x" * (64 << 20) + "\n")
        self.assert_ends(rule() + "\n" * (2 << 20))

    def test_bombs(self):
        macros = "#define A0 grad\n" + "".join(f"#define A{i} A{i - 1} + A{i - 1}\n" for i in range(1, 40))
        templates = ("template <int n> struct T { enum { v = T<n + 1>::v + T<n + 2>::v }; };\n"
                     "static_assert(T<0>::v, \"\");\n")
        constants = ("constexpr int f() { int n = 0; while (true) ++n; return n; }\n"
                     "static_assert(f(), \"\");\n")
        self.assert_ends(rule(include=macros, body="weight = A39;"))
        self.assert_ends(rule(include=templates))
        self.assert_ends(rule(include=constants))
        self.assert_ends(rule(include='#include "step.h"'))

    def test_bytes_that_are_no_text(self):
        for text in ("\0" * 1000, "\\\n" * 10000, '"', "/*", "R\"x(", "#if 1\n", "\ufeff" + rule()):
            with self.subTest(text[:4]):
                self.assert_ends(text, (0, 1))
                shutil.rmtree(self.out, ignore_errors=True)

    def test_includes_of_what_is_no_file(self):
        os.mkfifo(self.dir / "fifo.h")
        (self.dir / "zero.h").symlink_to("/dev/zero")
        (self.dir / "secret.h").symlink_to("/etc/passwd")
        for name in ("fifo.h", "zero.h", "secret.h", "/dev/zero", "/etc/passwd", "/proc/self/environ"):
            with self.subTest(name):
                result = self.assert_ends(rule(include=f'#include "{name}"'))
                self.assertNotIn("root:", result.stderr)

    def test_includes_within_a_project(self):
        """Headers of the project that the current directory or '.git' begins; nothing else, by no other name."""
        self.write("project/ops/op.h", "struct op;\n")
        self.write("project/ops/secret", "root:x\n")
        (self.dir / "project" / "ops" / "secret.h").symlink_to("secret")
        (self.dir / "project" / "ops" / "passwd.h").symlink_to("/etc/passwd")
        self.write("other.h", "struct other;\n")
        deep = self.dir / "project" / "specs" / "deep"

        def include(name, cwd):
            self.write("project/specs/deep/step.h", rule(include=f'#include "{name}"'))
            return self.run_gen("list", "--kernels", deep / "step.h", cwd=cwd)

        self.assert_status(include("../../ops/op.h", deep), 1)
        self.assert_ok(include("../../ops/op.h", self.dir / "project"))
        self.assert_ok(include("../../../other.h", self.dir))
        self.assert_status(include("../../../other.h", self.dir / "project"), 1)
        self.assert_status(include("../../ops/op.h", "/"), 1)
        (self.dir / "project" / ".git").mkdir()
        for cwd in (deep, "/"):
            self.assert_ok(include("../../ops/op.h", cwd))
            for name in ("../../../other.h", "../../ops/secret", "../../ops/secret.h", "../../ops/passwd.h"):
                with self.subTest(name):
                    result = include(name, cwd)
                    self.assert_status(result, 1)
                    self.assertNotIn("root:", result.stderr)

    def test_a_truncated_spec(self):
        text = rule(include="#include <stddef.h>\n")
        for length in range(0, len(text), 37):
            with self.subTest(length):
                self.assert_ends(text[:length], (0, 1))
                shutil.rmtree(self.out, ignore_errors=True)

    def test_a_long_command_line(self):
        specs = [self.write(f"s{i}.h", rule(f"Rule{i}")) for i in range(60)]
        (self.dir / "args").write_text("\n".join(f"'{p}'" for p in specs))
        self.assert_ok(self.run_gen("generate", "--name=toy", "-o", self.out, "@args"))
        self.assertEqual(len(list(self.out.glob("*.gen.cc"))), 60)

    def test_little_memory(self):
        """Out of memory is a refusal with words; nothing is written. Below, the system's loader says that it failed."""
        def run(megabytes, *args):
            return subprocess.run(["sh", "-c", f"ulimit -v {megabytes * 1024}; exec \"$@\"", "sh", GEN, *args],
                                  capture_output=True, text=True, timeout=120, check=False)

        least = next((m for m in range(20, 2000, 16) if run(m, "--version").returncode == 0), None)
        if least is None:
            skip("a sanitizer takes more addresses than any limit leaves")
        refused, accepted = 0, 0
        stack = 512  # of a parse: near the edge every allocation gets its turn to fail
        for megabytes in [*range(least, least + stack, 128), *range(least + stack - 16, least + stack + 64, 4)]:
            with self.subTest(megabytes):
                result = run(megabytes, "generate", "--name=toy", "-o", self.out, self.step)
                if result.returncode == 0:
                    accepted += 1
                    shutil.rmtree(self.out)
                    continue
                refused += 1
                self.assertIn(result.returncode, (4, 70), result.stderr)
                self.assertRegex(result.stderr, "^mshadow-gen: error: (out of memory|cannot .*: Cannot allocate memory)")
                self.assertFalse(self.out.exists())
        self.assertGreater(refused, 10)
        self.assertGreater(accepted, 0)


if __name__ == "__main__":
    sys.exit(unittest.main())
