# SPDX-License-Identifier: Apache-2.0
"""Every command and every example of the manuals is run as it stands: a block of a page is claimed by
a test here (@shows), by a test elsewhere, or is named with the reason why it is not run. Commands that
take long, or need what a machine of CI lacks, are checked: what they call is there, and knows the
options."""
import functools
import json
import os
import pathlib
import re
import shutil
import tempfile
import unittest

import manuals
from support import BUILD, CMAKE, GEN, PACKAGE, PREFIX, SOURCE, SPECS, ProjectCase, ctest, need, run, words

ROOT = pathlib.Path(SOURCE)

# What is run by a test of another file, which reads the page or has the block in its project:
# (page, section or None, kind or None, beginning), the test.
ELSEWHERE = [
    (("docs/guide/README.md", None, "cpp", ""), "tests/guide/check_blocks.py"),
    (("docs/internals.md", "One rule through the passes", None, ""), "tests/cli/test_internals.py"),
    (("docs/manual/bazel.md", None, None, 'load("@mshadow_kernels//bazel:repository.bzl"'), "tests/package/test_bazel.py"),
    (("docs/manual/bazel.md", None, None, 'load("@mshadow_kernels//bazel:defs.bzl"'), "tests/package/test_bazel.py"),
    (("docs/manual/plain.md", None, None, "CXXFLAGS ="), "tests/package/test_plain.py"),
    (("docs/manual/python.md", None, "python", ""), "tests/python/test_manual.py"),
    (("docs/manual/python.md", "The package for Python", None, "pip "), "tests/python/test_wheel.py"),
    (("docs/manual/python.md", "Building the wheel", None, "pip "), "tests/python/test_wheel.py"),
    (("docs/manual/python.md", "Rules of your own", None, ""), "tests/python/test_gen_wheel.py"),
    (("docs/quick-start.md", None, "python", ""), "tests/python/test_manual.py"),
    (("docs/quick-start.md", None, None, "pip "), "tests/python/test_wheel.py"),
    (("docs/scale.md", None, None, "mpirun "), "tests/ranks/test_ranks.py"),
    *[((page, None, None, ""), "tests/language/check_blocks.py") for page in manuals.PAGES if page.startswith("docs/language/")],
]

# What is neither a command nor an example: (page, section, kind, beginning), what it is.
NOT_RUN = [
    (("docs/benchmarks/gpu.md", None, None, "scripts/gpu"), "needs a GPU"),
    (("docs/cuda.md", "What a kernel does", None, "adamw.gen.cc   checks"), "a diagram"),
    (("docs/internals.md", None, None, " specs/*.h ──▶ Clang AST"), "a diagram"),
    (("docs/internals.md", "IR text", None, "  operand weight"), "a form: all that may stand in a line, of no rule"),
    (("docs/internals.md", "IR text", None, "  reduction total_sum"), "a form: all that may stand in a line, of no rule"),
]

# Commands that are not run, and why; of each is checked that its program is there and knows what is
# asked of it.
CHECKED = {
    "scripts/bench": "measures for minutes",
    "scripts/check-style": "test cli.check_style runs it",
    "scripts/conformance": "needs PyPI",
    "scripts/demo": "builds everything and trains; tests examples.fashion_mnist.* run its program",
    "scripts/gpu": "needs a GPU, or builds all rules",
    "scripts/math/lgamma_of_double.py": "needs a library that no test needs",
    "scripts/math/polynomials.py": "computes for minutes, with a library that no test needs",
    "scripts/test": "runs this test",
    "scripts/update-bits": "builds all rules; test execution.bits runs it",
    "scripts/update-goldens": "writes into the source tree; test golden.up_to_date runs it",
    "tests/extending/try": "builds the generator anew; part `extending` runs it",
    "cmake": "builds everything, as whoever runs this has done",
    "cpack": "tests package.DebianTest.* run it",
    "ctest": "runs this test",
    "mshadow-gen": "named without a spec; with one in blocks, which are run",
    "pkg-config": "run in the blocks of docs/manual/plain.md",
}

# Placeholders of the manuals, and what may stand there.
PLACEHOLDERS = {"PART": "random", "DIR": "dir", "N": "1", "RULE": "AdamW", "PASS": "lower", "…": ""}


def shows(page, *beginnings):
    """A test of the blocks of a page that begin so; it gets their texts."""
    def decorate(test):
        @functools.wraps(test)
        def with_texts(self):
            return test(self, *[manuals.block(page, beginning) for beginning in beginnings])
        with_texts.blocks = [(page, None, None, beginning) for beginning in beginnings]
        return with_texts
    return decorate


def claims():
    """(page, section, kind, beginning) of every row above and every @shows."""
    tests = [test for value in globals().values() if isinstance(value, type) for test in vars(value).values()]
    return ([key for test in tests for key in getattr(test, "blocks", [])]
            + [key for key, _ in ELSEWHERE] + [key for key, _ in NOT_RUN])


def is_claim_of(key, block):
    page, section, kind, beginning = key
    return (page == block.page and section in (None, block.section) and kind in (None, block.kind)
            and block.text.startswith(beginning))


def only_code(text):
    """Without space, attributes and the hashes in names."""
    text = text.replace("[[maybe_unused]]", "")
    return re.sub(r"(?<![a-z0-9])r[0-9a-f]{8}\b", "rHASH", re.sub(r"\s+", "", text))


def flags_of(text):
    return set(re.findall(r"(?<![\w-])(--?[a-zA-Z][\w-]*)", text))


class ManualsTest(unittest.TestCase):
    def test_every_block_has_a_test(self):
        blocks = manuals.all_blocks()
        self.assertGreater(len(blocks), 60)
        for block in blocks:
            found = [key for key in claims() if is_claim_of(key, block)]
            self.assertEqual(len(found), 1, f"{block.page}:{block.line} has tests {found}; write one, with @shows, "
                                            f"or name it and the reason in ELSEWHERE or NOT_RUN:\n{block.text}")
        for key in claims():
            self.assertTrue(any(is_claim_of(key, block) for block in blocks), f"{key} is in no manual")
        for (page, *_), test in ELSEWHERE:
            text = (ROOT / test).read_text()
            self.assertTrue(pathlib.Path(page).name in text or str(pathlib.Path(page).parent) in text, f"{test} does not read {page}")


class ManualCommandsTest(ProjectCase):
    """Those that are checked. Each of these methods takes the words behind the program's name."""

    def check(self, command):
        program, *arguments = command
        self.assertIn(program, CHECKED, f"{' '.join(command)}: no test runs it, and CHECKED has no reason for that")
        if "/" in program:
            path = ROOT / program
            self.assertTrue(path.is_file(), f"{program} is not there")
            self.assertTrue(path.suffix == ".py" or os.access(path, os.X_OK), f"{program} is no program")
        arguments = [re.sub(r"\b[A-Z]+\b|…", lambda found: PLACEHOLDERS.get(found.group(), found.group()), word)
                     for word in arguments]
        getattr(self, "check_" + re.sub(r"\W", "_", pathlib.Path(program).name))([a for a in arguments if a])

    def check_flags(self, arguments, known):
        unknown = flags_of(" ".join(arguments)) - flags_of(known)
        self.assertFalse(unknown, f"unknown options {unknown}")

    def check_test(self, arguments):
        run(ROOT / "scripts/test", *arguments, "--help")  # read from left to right: a mistake comes first

    def check_gpu(self, arguments):
        run(ROOT / "scripts/gpu", *arguments, "--help")

    def check_conformance(self, arguments):
        self.check_flags(arguments, run(ROOT / "scripts/conformance", "--help"))
        suites = [line.split()[0] for line in run(ROOT / "scripts/conformance", "--list").splitlines()]
        self.assertLessEqual({word for word in arguments if not word.startswith("-")}, set(suites))

    def check_bench(self, arguments):
        """Its usage has an entry for each way to call it."""
        usage = run(ROOT / "scripts/bench", "--help")
        entries = [entry.split("\n", 1)[0] for entry in re.split(r"^(?:usage:|      ) scripts/bench", usage, flags=re.M)[1:]]
        self.assertGreater(len(entries), 10)
        arguments = " ".join(arguments).replace("[", "").replace("]", "").split()
        flags = flags_of(" ".join(arguments)) - {"--help"}
        self.assertTrue(any(flags <= flags_of(entry) for entry in entries), f"no way to call it has {sorted(flags)}")

    def check_demo(self, arguments):
        self.check_flags(arguments, (ROOT / "examples/fashion_mnist/options.cc").read_text())

    def check_try(self, arguments):
        self.check_flags(arguments, run(ROOT / "tests/extending/try", "--help"))
        what, *names = [word for word in arguments if not word.startswith("--") and word != PLACEHOLDERS["DIR"]]
        self.assertIn(what, ("check", "run", "fails"))
        for name in names:
            self.assertTrue((ROOT / "tests/extending" / f"{name}.patch").is_file(), name)

    def check_cmake(self, arguments):
        presets = json.loads((ROOT / "CMakePresets.json").read_text())
        kind = "buildPresets" if arguments[0] == "--build" else "configurePresets"
        self.assertIn(arguments.pop(), [p["name"] for p in presets[kind] if not p.get("hidden")])
        self.assertIn(arguments, (["--preset"], ["--build", "--preset"]))

    def check_ctest(self, arguments):
        presets = json.loads((ROOT / "CMakePresets.json").read_text())
        if arguments[0] == "--preset":
            self.assertIn(arguments[1], [p["name"] for p in presets["testPresets"]])
        else:
            option, test, *more = arguments
            self.assertEqual((option, more), ("-R", ["-V"]))
            # From a directory of its own: in BUILD it would end the log of the ctest that runs this.
            with tempfile.TemporaryDirectory() as directory:
                (pathlib.Path(directory) / "CTestTestfile.cmake").write_text(f'subdirs("{BUILD}")\n')
                ctest = pathlib.Path(CMAKE).with_name("ctest")
                self.assertRegex(run(ctest, "--test-dir", directory, "-N", option, test), r"Test +#")

    def check_cpack(self, arguments):
        self.assertEqual(arguments, ["-G", "DEB"])
        self.assertRegex((ROOT / "tests/package/test_install.py").read_text(), r'"-G", "DEB"')

    def check_mshadow_gen(self, arguments):
        commands = ["generate", "check", "list", "explain"]
        if arguments and arguments[0] in commands:
            self.check_flags(arguments[1:], run(GEN, f"--help={arguments[0]}"))
        else:
            self.check_flags([re.sub("=.*", "", word) for word in arguments], run(GEN, "--help"))

    def check_pkg_config(self, arguments):
        need("pkg-config")
        run("pkg-config", *arguments, env={"PKG_CONFIG_PATH": str(next(PREFIX.rglob("pkgconfig")))})

    def check_check_style(self, arguments):
        self.assertEqual(arguments, [])

    check_update_bits = check_update_goldens = check_polynomials_py = check_lgamma_of_double_py = check_check_style

    def check_block(self, text):
        found = manuals.commands(text)
        self.assertTrue(found)
        for command in found:
            with self.subTest(" ".join(command)):
                self.check(command)

    def test_commands_in_sentences(self):
        found = [command for page in manuals.PAGES for command in manuals.commands_in_sentences(page)]
        self.assertGreater(len(found), 30)
        for command in found:
            with self.subTest(" ".join(command)):
                self.check(command)

    def test_a_mistake_is_found(self):
        for wrong in ("scripts/test --quik", "scripts/bench --views --threads 1", "scripts/gpu --pak DIR",
                      "scripts/demo --lst", "mshadow-gen check --dump-before=PASS", "cmake --preset realease",
                      "tests/extending/try run veiw", "scripts/none", "make all"):  # fmt: skip
            with self.assertRaises(AssertionError, msg=wrong):
                self.check(wrong.split())

    def test_the_programs_of_scripts_bench_know_its_options(self):
        usage = run(ROOT / "scripts/bench", "--help")
        known = "".join(path.read_text() for path in [ROOT / "benchmarks/options.cc", ROOT / "benchmarks/bench_lists.cc",
                                                      *ROOT.glob("benchmarks/*.py")])
        script = (ROOT / "scripts/bench").read_text().split("TXT\n}", 1)[1]  # the flags that choose a program
        self.assertFalse(flags_of(usage) - flags_of(known) - flags_of(script))

    @shows("README.md", "scripts/demo")
    def test_readme(self, text):
        self.check_block(text)

    @shows("CONTRIBUTING.md", "cmake --preset")
    def test_contributing(self, text):
        self.check_block(text)

    @shows("docs/extending.md", "tests/extending/try")
    def test_extending(self, text):
        self.check_block(text)
        need("git")
        run(ROOT / "tests/extending/try", "check")

    @shows("docs/conformance.md", "scripts/conformance")
    def test_conformance(self, text):
        self.check_block(text)

    @shows("docs/benchmarks/README.md", "scripts/bench --publish")
    def test_publish(self, text):
        self.check_block(text)

    @shows("docs/benchmarks/compile-time.md", "scripts/bench --compile-time --peer DIR", "scripts/bench --compile-time --rules")
    def test_compile_time(self, peers, rules):
        self.check_block(peers)
        self.check_block(rules)
        need("size")
        table = run("python3", "-B", ROOT / "benchmarks/compile_time.py", "--gen", GEN, "--rules", "blas1/axpby", "--rounds", "1",
                    "--levels", "O1", "--compilers", "g++")  # fmt: skip
        self.assertRegex(table, r"\| `blas1/axpby` \| \d+ \| \d+\.\d s, \d+ KB \|\n")

    @shows("docs/benchmarks/functional.md", "scripts/bench")
    def test_functional(self, text):
        self.check_block(text)

    @shows("docs/benchmarks/functions.md", "scripts/bench --functions", "scripts/bench --dividers", "scripts/bench --expressions")
    def test_functions(self, *commands):
        for command in commands:
            self.check_block(command)

    @shows("docs/benchmarks/mshadow.md", "scripts/bench")
    def test_mshadow(self, text):
        self.check_block(text)

    @shows("docs/benchmarks/products.md", "scripts/bench")
    def test_products(self, text):
        self.check_block(text)

    @shows("docs/benchmarks/random.md", "scripts/bench")
    def test_random(self, text):
        self.check_block(text)

    @shows("docs/benchmarks/rules.md", "scripts/bench")
    def test_rules(self, text):
        self.check_block(text)

    @shows("docs/benchmarks/lists.md", "scripts/bench --lists", "scripts/bench --python")
    def test_lists(self, *commands):
        for command in commands:
            self.check_block(command)

    @shows("docs/benchmarks/shapes.md", "scripts/bench")
    def test_shapes(self, text):
        self.check_block(text)

    @shows("docs/scale.md", "scripts/bench")
    def test_scale(self, text):
        self.check_block(text)
        printed = run("python3", "-B", ROOT / "benchmarks/scale.py").splitlines()
        page = (ROOT / "docs/scale.md").read_text()
        self.assertGreater(len(printed), 20)
        unwrapped = " ".join(page.split())
        for line in printed:
            self.assertIn(" ".join(line.split()), unwrapped)

    @shows("docs/benchmarks/sweeps.md", "scripts/bench")
    def test_sweeps(self, text):
        self.check_block(text)

    @shows("docs/benchmarks/streaming.md", "scripts/bench")
    def test_streaming(self, text):
        self.check_block(text)

    @shows("docs/benchmarks/torch.md", "scripts/bench")
    def test_torch(self, text):
        self.check_block(text)

    @shows("docs/benchmarks/deepspeed.md", "scripts/bench")
    def test_deepspeed(self, text):
        self.check_block(text)

    @shows("docs/benchmarks/halide.md", "scripts/bench")
    def test_halide(self, text):
        self.check_block(text)

    @shows("docs/benchmarks/views.md", "scripts/bench --views", "scripts/bench --steep")
    def test_views(self, *commands):
        for command in commands:
            self.check_block(command)


class ExamplesCase(ProjectCase):
    def setUp(self):
        # Clang takes half of GCC's time without optimisation.
        self.compiler = shutil.which("clang++-19") or "g++"
        need(self.compiler, "pkg-config")
        self.dir = self.directory()
        self.gen = self.dir / "gen"
        self.env = {"PKG_CONFIG_PATH": str(next(PREFIX.rglob("pkgconfig"))),
                    "PATH": f"{pathlib.Path(GEN).parent}:/usr/bin:/bin"}  # fmt: skip

    def write(self, name, text):
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def generate(self, spec, *flags, name="kernels"):
        run(GEN, "generate", f"--name={name}", "--isa=baseline", "-o", self.gen, *flags, self.write("spec.h", spec))

    def run_main(self, text, *flags):
        """What a program prints that is made of this text and of what was generated."""
        libs = run("pkg-config", "--cflags", "--libs", "mshadow-kernels", env=self.env).split()
        run(self.compiler, "-std=c++17", "-O0", *flags, "-I", self.gen, "-I", self.dir, self.write("main.cc", text),
            *([] if "-DMSHADOW_UNFUSED" in flags else self.gen.glob("*.gen.cc")), *libs, "-o", self.dir / "app")  # fmt: skip
        return run(self.dir / "app")

    def shell(self, text, cwd=None):
        return run("bash", "-euo", "pipefail", "-c", text, cwd=cwd or self.dir, env=self.env)


def spec_of(text, namespace="toy"):
    return (f"#include <mshadow/kernel.h>\n\nnamespace {namespace} {{\nusing namespace mshadow;\n"
            f"using namespace mshadow::expr;\n\n{text}\n}}\n")


def main_of(text, head=""):
    return ("#include <mshadow/tensor.h>\n#include <mshadow/tensor_container.h>\n#include <cmath>\n#include <cstdio>\n"
            f"{head}\nint main() {{\n{text}\n}}\n")


SOFTSIGN = """%s
/// out = in / (1 + |in|).
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Softsign(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = F<softsign>(in);
}
MSHADOW_INSTANTIATE(Softsign, float);
"""

# The statements of docs/expressions.md about assignments in place, and whether they throw.
IN_PLACE = {
    "t = mirror(t)": True,
    "t = t.T()": True,
    "slice<0>(t, 0, 3) = slice<0>(t, 1, 4)": True,
    "t = crop(unpool<red::maximum>(pad(t, 1, 1), …), size, 1, 1)": False,
    "slice<1>(t, 0, 2) = slice<1>(t, 2, 4)": False,
    "x = e / broadcast_keepdim(reduce_keepdim<red::sum, false>(e, 1), 1, n)": False,
    "y = x - broadcast_with_axis(reduce_with_axis<red::sum, false>(x, 1), 0, n)": False,
}


class ManualCppTest(ExamplesCase):
    @shows("README.md", "#include <mshadow/kernel.h>", "#include <first_rule_kernels.h>", "  for (int i = 0")
    def test_readme(self, spec, call, loop):
        self.generate(spec, name="first_rule_kernels")
        includes, statements = call[:call.index("  ")], call[call.index("  "):]
        by_hand = ("void ByHand(float *weight, const float *grad, int n, float eta, float lambda) {\n" + loop + "}\n")
        main = main_of(statements + """
            float w[] = {1.0f}, g[] = {0.5f};
            ByHand(w, g, 1, 0.1f, 0.01f);
            std::printf("%g %g %g\\n", weight[0][0], weight[2][4], w[0]);""", by_hand)  # fmt: skip
        # The block's own includes are all that it needs.
        main = main.replace("#include <mshadow/tensor.h>\n#include <mshadow/tensor_container.h>\n", includes)
        self.assertEqual(self.run_main(main), "0.949 0.949 0.949\n")
        self.assertEqual(self.run_main(main, "-DMSHADOW_UNFUSED"), "0.949 0.949 0.949\n")

    @shows("docs/guide/README.md", "template <typename xpu, int dim, typename DType>\nMSHADOW_KERNEL void UpdateRule")
    def test_guide(self, text):
        self.assertIn(text, (ROOT / "examples/first_rule/update_rule.h").read_text())  # which is built and run

    @shows("CONTRIBUTING.md", "struct softsign")
    def test_an_op(self, text):
        self.generate(spec_of(SOFTSIGN % text), "--emit=header,cpu,cuda,blob,c,python")
        main = main_of("""
            using namespace mshadow;
            float in[] = {-3, 0, 1}, out[3];
            toy::Softsign(Tensor<cpu, 1, float>(out, Shape1(3)), Tensor<cpu, 1, float>(in, Shape1(3)));
            std::printf("%g %g %g\\n", out[0], out[1], out[2]);""", '#include "spec.gen.h"')
        self.assertEqual(self.run_main(main), "-0.75 0 0.5\n")
        self.assertEqual(self.run_main(main, "-DMSHADOW_UNFUSED"), "-0.75 0 0.5\n")

    @shows("docs/expressions.md", "struct sigmoid")
    def test_an_operator_that_is_a_function(self, text):
        main = main_of("""
            using namespace mshadow::expr;
            mshadow::TensorContainer<mshadow::cpu, 1, float> a(mshadow::Shape1(200), 1.0f), b = a;
            a = F<sigmoid>(a);
            b = F<mshadow::op::sigmoid>(b);
            std::printf("%g %d\\n", a[199], a[199] == b[199]);""", "#include <mshadow/kernel.h>\n" + text)
        self.assertEqual(self.run_main(main), "0.731059 1\n")

    @shows("docs/expressions.md", "template <typename A, typename B>\nMSHADOW_EXPRESSION auto Huber")
    def test_an_expression_of_ones_own(self, text):
        spec, use = text.split("\n\n")
        self.generate(spec_of("/// Huber's loss.\n" + spec, "loss"))
        self.assertIn("// with the emitted header", use)
        main = main_of("""
            using namespace mshadow;
            using namespace mshadow::expr;
            TensorContainer<cpu, 2, float> out(Shape2(1, 2)), mask(Shape2(1, 2), 2.0f), x(Shape2(1, 2), 4.0f);
            TensorContainer<cpu, 2, float> target(Shape2(1, 2), 0.0f);
            TensorContainer<cpu, 1, float> mean(Shape1(2));
            mean[0] = 1.0f, mean[1] = 3.5f;
            """ + use + """
            std::printf("%g %g\\n", out[0][0], out[0][1]);""", '#include "spec.gen.h"')
        self.assertEqual(self.run_main(main), "5 0.25\n")  # 2 (3 - 1/2), 2 (1/2)^2 / 2
        self.assertEqual(self.run_main(main, "-DMSHADOW_UNFUSED"), "5 0.25\n")

    def test_assignments_in_place(self):
        """Examples in sentences: each is tried on matrices."""
        page = " ".join((ROOT / "docs/expressions.md").read_text().split())
        tries = ""
        for statement in IN_PLACE:
            self.assertIn(f"`{statement}`", page)
            statement = statement.replace("…", "pad(pooled, 0, 0), pad(pooled, 0, 0), 2, 2, 2")
            tries += "  Try([&] { " + re.sub(r"\be\b", "(x * x)", statement) + "; });\n"
        main = main_of("""
            const index_t n = 4;
            const Shape<2> size = Shape2(4, 4);
            TensorContainer<cpu, 2, float> t(size, 1.0f), x(size, 1.0f), y(size), pooled(Shape2(3, 3), 1.0f);
            """ + tries, """
            using namespace mshadow;
            using namespace mshadow::expr;
            template <typename F>
            void Try(F statement) {
              try { statement(); std::puts("fine"); } catch (const Error &) { std::puts("throws"); }
            }""")
        self.assertEqual(self.run_main(main).split(), ["throws" if throws else "fine" for throws in IN_PLACE.values()])

    @shows("docs/upgrading.md", "#error")
    def test_a_revision_that_is_refused(self, text):
        adamw = ROOT / "specs/optim/adamw.h"
        run(GEN, "generate", "--name=optim", "--isa=baseline", "-o", self.gen, adamw)
        header = self.gen / "adamw.gen.h"
        header.write_text(re.sub(r"(code revision |REVISION_MIN > |REVISION_MAX < )\d+", r"\g<1>1", header.read_text()))
        libs = run("pkg-config", "--cflags", "mshadow-kernels", env=self.env).split()
        output = run("g++", "-std=c++17", "-fsyntax-only", *libs, self.gen / "adamw.gen.cc", expect=1)
        self.assertIn(text.strip().lstrip("#"), words(output.replace("#", "")))

    def test_emitted_code(self):
        """docs/emitted-code.md: what stands between "…" is in the outputs of the specs that it names, comments included."""
        page = (ROOT / "docs/emitted-code.md").read_text()
        specs = sorted(set(re.findall(r"`(specs/\w+/\w+\.h)`", page))) + ["specs/layer/linear.h", "specs/loss/top_one.h",
                                                                          "tests/execution/flattened_rules.h",
                                                                          "tests/golden/expression/huber.h",
                                                                          "tests/golden/reducers/largest.h",
                                                                          "tests/golden/scans/average.h",
                                                                          "tests/golden/stages/layer.h"]
        for name, of_target in ("optim", ["specs/optim/adamw.h"]), ("all", specs):
            run(GEN, "generate", f"--name={name}", f"--path-base={ROOT}", "--cuda=on", "--emit=header,cpu,c", "-o",
                self.gen / name, *[ROOT / spec for spec in of_target])
        emitted = "\0".join(only_code(path.read_text()) for path in sorted(self.gen.glob("*/*.*")))
        for block in manuals.read_page("docs/emitted-code.md")[0]:
            for number, line in enumerate(block.text.splitlines(), block.line):
                for piece in map(only_code, line.split("…")):
                    self.assertTrue(piece in emitted, f"docs/emitted-code.md:{number} has what is not emitted: {line}")
    test_emitted_code.blocks = [("docs/emitted-code.md", None, None, "")]

    @shows("docs/internals.md", "rule optim::AdamW", "    if eq(step, 1i32)")
    def test_ir_text(self, head, branch):
        """What stands between "…" is in the text of the shipped rule."""
        for name, block in (("adamw", head), ("novograd", branch)):
            rules = run(GEN, "generate", f"--name={name}", f"--path-base={ROOT}", "--dump-after=merge_instances",
                        "-o", self.gen, ROOT / f"specs/optim/{name}.h")  # fmt: skip
            for line in block.splitlines():
                for piece in line.split("…"):
                    self.assertIn(piece.strip(), rules)


class ManualPlainTest(ExamplesCase):
    """docs/manual/plain.md."""

    def setUp(self):
        super().setUp()
        need("g++")
        shutil.copytree(SPECS, self.dir / "specs")
        self.write("main.cc", main_of("""
            using namespace mshadow;
            float w[] = {1}, g[] = {2};
            toy::Step(Tensor<cpu, 1, float>(w, Shape1(1)), Tensor<cpu, 1, float>(g, Shape1(1)));
            std::printf("%g\\n", w[0]);""", '#include "toy.h"').replace("#include <mshadow/tensor.h>\n#include <mshadow/tensor_container.h>\n", ""))

    @shows("docs/manual/plain.md", "mshadow-gen generate --name=toy")
    def test_with_the_runtime(self, text):
        self.shell(text)
        self.assertEqual(run(self.dir / "app"), "0\n")

    @shows("docs/manual/plain.md", "mshadow-gen generate --standalone")
    def test_with_nothing(self, text):
        self.shell(text)
        self.assertEqual(run(self.dir / "app"), "0\n")


class ManualProgramTest(ExamplesCase):
    """docs/manual/mshadow-gen.md."""

    @shows("docs/manual/mshadow-gen.md", "mshadow-gen generate")
    def test_synopsis(self, text):
        lines = [line[len("mshadow-gen "):] for line in text.splitlines()]
        spec = str(SPECS / "step.h")
        for line in lines[:-2]:
            command = line.split()[0]
            options = {"list": ["--kernels"], "explain": []}.get(command, ["--name=toy", f"--output-dir={self.gen}"])
            optional = re.findall(r"\[(--\w+)=\w+\]", line)
            run(GEN, command, *options, *[f"{flag}=Step" for flag in optional], spec, "--", "-DUNUSED")
            self.assertEqual(line, f"{line.split(' [')[0]} [options] {''.join(f'[{f}=NAME] ' for f in optional)}SPEC... [-- CXXFLAGS...]")
        self.assertEqual(lines[-2].split(), ["help", "[ID|COMMAND]"])
        for topic in ("const-write", "list"):
            self.assertTrue(run(GEN, "help", topic))
        self.assertEqual(len(lines), 6)
        for alternative in lines[-1].split(" | "):
            self.assertTrue(run(GEN, alternative.replace("[=COMMAND]", "")))
            if "[=COMMAND]" in alternative:
                self.assertTrue(run(GEN, alternative.replace("[=COMMAND]", "=generate")))

    @shows("docs/manual/mshadow-gen.md", "format 1")
    def test_manifest(self, text):
        run(GEN, "generate", "--name=toy", "-o", self.gen, SPECS / "step.h")
        forms = [re.match(r"(\w+) ([\w ]*?)(  |$)", line).group(1, 2) for line in text.splitlines()]
        lines = (self.gen / "toy.manifest").read_text().splitlines()
        self.assertEqual([word for word, _ in forms], list(dict.fromkeys(line.split()[0] for line in lines)))
        parts = {"SHA256": r"[0-9a-f]{64}", "PATH": r"\S+", "NAME": r"\S+", "FLAG": r"--\S+", "N": r"\d+", "VERSION": r"[\d.]+", "1": "1"}
        for line in lines:
            word, rest = line.split(" ", 1)
            self.assertRegex(rest, "^" + " ".join(parts[part] for part in dict(forms)[word].split()) + "$", line)

    @shows("docs/manual/mshadow-gen.md", '{"name": "AdamW"')
    def test_list(self, text):
        shown = json.loads(text)
        listed = json.loads(run(GEN, "list", "--format=json", f"--path-base={ROOT / 'specs'}", ROOT / "specs/optim/adamw.h"))
        rule, = [r for r in listed["rules"] if r["name"] == "AdamW"]
        params = {p["name"]: p for p in rule.pop("params")}
        for param in shown.pop("params"):
            self.compare(param, params[param["name"]])
        self.compare(shown, rule)

    def compare(self, shown, printed):
        self.assertEqual(list(shown), list(printed))
        for key, value in shown.items():
            if value != "...":
                self.assertEqual(value, printed[key], key)


class ManualOptimTest(ExamplesCase):
    """docs/manual/optim.md."""

    def run_with_specs(self, main, *names):
        specs = [ROOT / f"specs/optim/{name}.h" for name in names]
        run(GEN, "generate", "--name=optimizers", "--isa=baseline", "-o", self.gen, *specs)
        main = "#include <algorithm>\n#include <cmath>\n#include <cstdio>\n#include <fstream>\n#include <vector>\n" + main
        return self.run_main(main)

    @shows("docs/manual/optim.md", "#include <adamw.gen.h>", "struct File", '  File out{', '  File in{')
    def test_a_training_and_its_checkpoint(self, training, file, save, load):
        """The control of a resumed training is one that is not interrupted."""
        find_gradients = """
            template <typename Model>
            void FindGradients(Model *model) {
              for (auto &l : *model) l.weight_grad = l.weight * 0.5f, l.bias_grad = l.bias + 1.0f;
            }
            """
        main = training + """
            struct Run {
              std::vector<Layer> model;
              Optimizer optimizer;
              Run() : model(3) {
                for (Layer &l : model) {
                  l.weight.Resize(Shape2(4, 5), 1.0f), l.weight_grad.Resize(Shape2(4, 5), 0.0f);
                  l.bias.Resize(Shape1(5), 1.0f), l.bias_grad.Resize(Shape1(5), 0.0f);
                }
                AddTo(&optimizer, &model);
              }
              void Save() {""" + save + """}
              void Load() {""" + load + """}
            };
            int main() {
              Run whole, first, second;
              Train(&whole.optimizer, &whole.model, 5);
              Train(&first.optimizer, &first.model, 3);
              first.Save();
              second.Load();
              Train(&second.optimizer, &second.model, 5);
              const Layer &a = whole.model[2], &b = second.model[2];
              std::printf("%d %d %d\\n", a.weight[1][2] == b.weight[1][2], a.bias[4] == b.bias[4], a.weight[1][2] < 1);
            }"""
        self.assertEqual(self.run_with_specs(find_gradients + file + main, "adamw", "sgd"), "1 1 1\n")

    @shows("docs/manual/optim.md", "  const int64_t rows")
    def test_phases(self, text):
        main = """
            #include <adafactor.gen.h>
            #include <mshadow/optim.h>
            #include <mshadow/tensor_container.h>
            using namespace mshadow;
            int main() {
              TensorContainer<cpu, 2> weight(Shape2(2, 3), 1.0f), grad(Shape2(2, 3), 0.5f);
              Optimizer optimizer;
              """ + text + """
              optimizer.Step();
              std::printf("%d\\n", weight[1][2] < 1);
            }"""
        self.assertEqual(self.run_with_specs(main, "adafactor"), "1\n")

    def run_pipeline(self, text):
        """A step of two layers: do a weight and its copy decrease, and the norm of the gradients."""
        main = """
            #include <mshadow/optim.h>
            #include <mshadow/tensor_container.h>
            #include <pipeline.gen.h>
            using namespace mshadow;
            struct Layer {
              TensorContainer<cpu, 2> weight, average;
              TensorContainer<cpu, 2, bfloat::bf16_t> copy, grad;
            };
            int main() {
              const index_t layers = 2;
              std::vector<Layer> model(layers);
              for (Layer &l : model) {
                l.weight.Resize(Shape2(2, 3), 1.0f), l.average.Resize(Shape2(2, 3), 1.0f);
                l.copy.Resize(Shape2(2, 3)), l.grad.Resize(Shape2(2, 3), bfloat::bf16_t(2.0f));
              }
              TensorContainer<cpu, 1> factor(Shape1(1)), taken(Shape1(1)), norm(Shape1(1)), of_layers(Shape1(layers));
              TensorContainer<cpu, 1> inv_bias1(Shape1(1)), inv_bias2(Shape1(1));
              Optimizer optimizer;
              """ + text + """
              Tensor<cpu, 1> of_loss = scale;
              of_loss = 4.0f;
              optimizer.Step();
              std::printf("%d %d ", model[1].weight[1][2] < 1, static_cast<float>(model[1].copy[1][2]) <= 1);
              std::printf("%.5g\\n", norm[0]);
            }"""
        return self.run_with_specs(main, "pipeline")

    @shows("docs/manual/optim.md", "  auto squares", "  auto lion")
    def test_mixed_precision(self, adamw, lion):
        self.assertEqual(self.run_pipeline(adamw), "1 1 1.7321\n")
        rest = [line for line in adamw.split("\n") if not re.search("bias|update", line)]
        self.assertEqual(self.run_pipeline("\n".join(rest) + lion), "1 1 1.7321\n")

    @shows("docs/manual/optim.md", "/// SGD of a weight in float", "  optimizer.Group<toy::MasterSGDRule>")
    def test_a_copy(self, spec, use):
        self.generate(spec_of(spec))
        main = main_of("""
            using namespace mshadow;
            TensorContainer<cpu, 1> weight(Shape1(3), 1.0f);
            TensorContainer<cpu, 1, half::half_t> copy(Shape1(3)), grad(Shape1(3), half::half_t(0.5f));
            Optimizer optimizer;
            """ + use + """
            optimizer.Set("lr", 0.5);
            optimizer.Step();
            std::printf("%g %g\\n", weight[2], static_cast<float>(copy[2]));""", '#include <mshadow/optim.h>\n#include "spec.gen.h"')
        self.assertEqual(self.run_main(main), "0.75 0.75\n")

    @shows("docs/manual/optim.md", "  optimizer.Group<optim::SplitAdamWRule>")
    def test_split_weights(self, text):
        """Steps of 1e-4 are too small for weights in 16 bits; 100 of them are not lost."""
        main = """
            #include <mshadow/optim.h>
            #include <mshadow/tensor_container.h>
            #include <split.gen.h>
            using namespace mshadow;
            int main() {
              using bfloat::bf16_t;
              TensorContainer<cpu, 1, bf16_t> weight(Shape1(3), bf16_t(1.0f)), grad(Shape1(3), bf16_t(0.5f));
              Optimizer optimizer;
              """ + text + """
              for (int i = 0; i < 100; ++i) optimizer.Step();
              std::printf("%g\\n", static_cast<float>(weight[2]));
            }"""
        self.assertEqual(self.run_with_specs(main, "split"), "0.988281\n")

    @shows("docs/manual/optim.md", "/// SGD whose learning rate", "  optimizer.Group<toy::DecayedSGDRule>")
    def test_a_rule_that_counts(self, spec, use):
        self.generate(spec_of(spec))
        main = main_of("""
            using namespace mshadow;
            TensorContainer<cpu, 1> weight(Shape1(3), 2.0f), grad(Shape1(3), 3.0f), lr(Shape1(1), 0.5f);
            Optimizer optimizer;
            """ + use + """
            optimizer.Step();
            optimizer.Step();
            std::printf("%g %g\\n", weight[2], optimizer.State<1>(0, "step")[0]);""", '#include <mshadow/optim.h>\n#include "spec.gen.h"')
        self.assertEqual(self.run_main(main), "0.25 2\n")


class ManualThreadsTest(ExamplesCase):
    """docs/manual/threads.md."""

    @shows("docs/manual/threads.md", "  {\n    const mshadow::ThreadLimit", "/// Runs task(context, i)", "  mshadow::SetThreadPool")
    def test_a_pool(self, limit, function, use):
        pool = """
            #include <mshadow/thread_pool.h>
            #include <functional>
            #include <thread>
            #include <vector>
            struct WorkerPool {
              int runs = 0;
              int size() const { return 3; }
              void Run(int tasks, const std::function<void(int)> &task) {
                runs += tasks;
                std::vector<std::thread> threads;
                for (int i = 0; i < tasks; ++i) threads.emplace_back(task, i);
                for (std::thread &thread : threads) thread.join();
              }
            };
            """
        main = main_of("""
            mshadow::TensorContainer<mshadow::cpu, 2> t(mshadow::Shape2(1000, 1000), 1.0f);
            struct { mshadow::Tensor<mshadow::cpu, 2> t; void Run() { t *= 2.0f; } } list{t};
            WorkerPool pool;
            """ + use + """
            list.Run();
            const int all = pool.runs;
            """ + limit + """
            std::printf("%d %d %g\\n", all, pool.runs - all, t[999][999]);""", pool + function)
        self.assertEqual(self.run_main(main), "3 2 4\n")


HEAD = "cmake_minimum_required(VERSION 3.20)\nproject(app LANGUAGES C CXX)\nfind_package(mshadow_kernels REQUIRED COMPONENTS gen)\n"


class ManualCMakeTest(ProjectCase):
    """docs/manual/cmake.md: each block is the CMakeLists.txt, or the part of it behind HEAD."""

    def made(self, text, **files):
        # Unoptimised code of any size, in half of GCC's time.
        flags = [f"-DCMAKE_CXX_COMPILER={shutil.which('clang++-19')}"] if shutil.which("clang++-19") else []
        project = self.project("manual", files={"CMakeLists.txt": text, **files}, flags=[*PACKAGE, *flags], configure=False)
        shutil.copytree(ROOT / "specs" / "optim", project.source / "specs")
        project.configure()
        return project

    @shows("docs/manual/cmake.md", "cmake_minimum_required")
    def test_first_example(self, text):
        header, = re.findall(r"# (#include .*)", text)
        project = self.made(text, **{"main.cc": main_of("""
            using namespace mshadow;
            float w[] = {1}, g[] = {1};
            optim::SGD(Tensor<cpu, 1, float>(w, Shape1(1)), Tensor<cpu, 1, float>(g, Shape1(1)), 0.5f);
            std::printf("%g\\n", w[0]);""", header)})
        project.build("app")
        self.assertEqual(project.run(), "0.5\n")

    @shows("docs/manual/cmake.md", "add_mshadow_kernels(<target>")
    def test_synopsis(self, text):
        function = (ROOT / "cmake" / "MshadowKernels.cmake").read_text()
        keywords = re.findall(r"^  set\((?:switches|one|many) ([^)]*)\)", function, re.M)
        shown = re.findall(r"(?:^  |\[)([A-Z_]+)", text, re.M)
        self.assertEqual(sorted(shown), sorted(" ".join(keywords).split()))

    @shows("docs/manual/cmake.md", "add_mshadow_kernels(optim SPECS specs/adamw.h EMIT blob)", "const int64_t shape")
    def test_types_known_at_run_time(self, calls, use):
        blob, c, python = calls.splitlines()
        project = self.made(HEAD + blob)
        project.build("optim_codegen")
        self.assertTrue((project.build_dir / "optim.gen" / re.search(r"# #include <(.*)>", blob).group(1)).is_file())

        begin, end = use.split("…\n")
        header = re.search(r"# (#include .*)", c).group(1)
        main = f"""{header}
            #include <stdio.h>
            int main(void) {{
              static float data[1000], m[1000], v[1000], g[1000] = {{1}};
              {begin}
              mshadow_tensor mean = weight, variance = weight, grad = weight;
              mean.data = m, variance.data = v, grad.data = g;
              {end}
              printf("%g\\n", data[0]);
              return 0;
            }}
            """
        project = self.made(HEAD + c + "\nadd_executable(app main.c)\ntarget_link_libraries(app PRIVATE optim)\n", **{"main.c": main})
        project.build("app")
        self.assertEqual(project.run(), "-0.001\n")

        project = self.made(HEAD + python)
        project.build("optim_codegen")
        statement = re.search(r"# (import .*)", python).group(1)
        run("python3", "-B", "-c", f"{statement}; optim.AdamW", cwd=project.build_dir / "optim.gen")

    @shows("docs/quick-start.md", "cmake_minimum_required(VERSION 3.20)\nproject(app LANGUAGES C CXX)", "#include <optim_c.h>")
    def test_quick_start_of_c(self, text, main):
        project = self.made(text, **{"train.c": main})
        project.build()
        self.assertEqual(project.run("train"), "-0.001\n")

    @shows("docs/quick-start.md", "cmake_minimum_required(VERSION 3.20)\nproject(app LANGUAGES CXX)", "#include <mshadow/optim.h>")
    def test_quick_start_of_cpp(self, text, main):
        project = self.made(text, **{"train.cc": main})
        project.build()
        self.assertEqual(project.run("train"), "-0.00999955\n")

    @shows("docs/manual/cmake.md", "add_mshadow_kernels(optim SPECS specs/adamw.h VENDORED gen)")
    def test_vendored(self, text):
        project = self.made(HEAD + "enable_testing()\n" + text)
        project.build("optim_update")
        self.assertTrue((project.source / "gen" / "adamw.gen.cc").is_file())
        project.configure()
        project.build("optim_check")
        self.assertIn("optim.vendored_up_to_date", ctest(project.build_dir))


class MigrationTest(unittest.TestCase):
    """docs/migration.md has tables of names."""

    def names(self, pattern):
        found = set(re.findall(pattern, (ROOT / "docs/migration.md").read_text()))
        self.assertGreater(len(found), 5)
        return found

    def test_rules_are_there(self):
        specs = "".join(path.read_text() for path in ROOT.glob("specs/optim/*.h"))
        self.assertFalse(self.names(r"optim::(\w+)") - set(re.findall(r"MSHADOW_KERNEL void (\w+)\(", specs)))

    def test_classes_and_functions_of_pytorch_are_there(self):
        package = ROOT / "python/mshadow_kernels"
        text = "".join((package / f"{name}.py").read_text() for name in ("torch", "_adafactor", "_muon", "_functional"))
        there = set(re.findall(r"^(?:class|def) (\w+)", text, re.M))
        self.assertFalse(self.names(r"mk\.torch\.(\w+)") - there)

    def test_defaults(self):
        """A row that says that a default differs is right about ours."""
        page = (ROOT / "docs/migration.md").read_text()
        self.assertIn("`AdamW` has 0.01", page)
        self.assertIn("float decay = 0.01f", (ROOT / "specs/optim/adamw.h").read_text())
        self.assertIn("`upper=10`", page)
        self.assertIn("double upper = 10.0", (ROOT / "specs/optim/lamb.h").read_text())


class ManualBazelTest(unittest.TestCase):
    @shows("docs/manual/bazel.md", 'cc_binary(\n    name = "toy_kernels.so"')
    def test_a_library_for_python(self, text):
        self.assertIn(text, (ROOT / "tests/package/bazel_app/BUILD.bazel").read_text())  # which test_bazel.py builds


if __name__ == "__main__":
    unittest.main()
