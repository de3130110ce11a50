# SPDX-License-Identifier: Apache-2.0
"""--numerics=contract: sums take products unrounded where one instruction does both, and nothing else changes.
--numerics=correct: functions are others, and every file says so.
--numerics=fast: also quotients and square roots are approximations, and every file says so. (Their errors are the
business of tests/packet/fast_test.cc and of the oracle in tests/execution.)"""
import json
import pathlib
import re
import shutil
import unittest

from support import GEN, ProjectCase, need, run

SPEC = """#include <mshadow/kernel.h>

namespace toy {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Add(Tensor<xpu, dim, DType> y, const Tensor<xpu, dim, DType> &x, float a) {
  y = a * x + y;
}
MSHADOW_INSTANTIATE(Add, float, double, half::half_t);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Minus(Tensor<xpu, dim, DType> y, const Tensor<xpu, dim, DType> &x, float a) {
  y -= a * x;
}
MSHADOW_INSTANTIATE(Minus, float, double, half::half_t);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void From(Tensor<xpu, dim, DType> y, const Tensor<xpu, dim, DType> &x, float a) {
  y = a * x - y;
}
MSHADOW_INSTANTIATE(From, float, double, half::half_t);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Exp(Tensor<xpu, dim, DType> y, const Tensor<xpu, dim, DType> &x, float a) {
  y = F<op::exp>(x);
}
MSHADOW_INSTANTIATE(Exp, float, double, half::half_t);
}  // namespace toy
"""

QUOTIENTS = """#include <mshadow/kernel.h>
#include <mshadow/expr/op_extra.h>

namespace toy {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Divide(Tensor<xpu, dim, DType> y, const Tensor<xpu, dim, DType> &x) {
  y = y / (x + 1.0f);
}
MSHADOW_INSTANTIATE(Divide, float, double);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Root(Tensor<xpu, dim, DType> y, const Tensor<xpu, dim, DType> &x) {
  y = F<op::square_root>(x) + F<op::reciprocal_square_root>(y);
}
MSHADOW_INSTANTIATE(Root, float);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Product(Tensor<xpu, dim, DType> y, const Tensor<xpu, dim, DType> &x) {
  y = y * x;
}
MSHADOW_INSTANTIATE(Product, float);
}  // namespace toy
"""

# For each rule and type: elements that are the strict kernel's, elements that are rounded once.
MAIN = """#include "strict.h"
#include "contract.h"
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>
using namespace mshadow;
constexpr int kCount = 1021;  // a tail of every width

template <typename T, typename Strict, typename Contract, typename Once>
void Compare(const char *name, Strict strict, Contract contract, Once once) {
  std::vector<T> x(kCount), y(kCount), s(kCount), c(kCount);
  unsigned state = 12345;
  const auto random = [&] {
    state = state * 1664525u + 1013904223u;
    return state / 1e9 - 1;
  };
  for (int i = 0; i < kCount; ++i) {
    x[i] = T(random());
    s[i] = c[i] = y[i] = T(random());
  }
  const auto tensor = [](std::vector<T> &v) { return Tensor<cpu, 1, T>(v.data(), Shape1(kCount)); };
  const float a = 1.1f;
  strict(tensor(s), tensor(x), a);
  contract(tensor(c), tensor(x), a);
  int same = 0, rounded_once = 0;
  for (int i = 0; i < kCount; ++i) {
    same += std::memcmp(&s[i], &c[i], sizeof(T)) == 0;
    rounded_once += static_cast<double>(c[i]) == once(static_cast<double>(a), static_cast<double>(x[i]),
                                                      static_cast<double>(y[i]));
  }
  std::printf("%s%zu %d %d\\n", name, 8 * sizeof(T), same, rounded_once);
}

template <typename T>
double Fma(double a, double b, double c) {
  return sizeof(T) == 8 ? std::fma(a, b, c) : std::fma(float(a), float(b), float(c));
}

template <typename T>
void CompareAll() {
#define RULE(Name) [](auto y, auto x, float a) { NAMESPACE::toy::Name(y, x, a); }
#define NAMESPACE strict
  const auto add = RULE(Add), minus = RULE(Minus), from = RULE(From), exp = RULE(Exp);
#undef NAMESPACE
#define NAMESPACE contract
  Compare<T>("Add", add, RULE(Add), [](double a, double x, double y) { return Fma<T>(a, x, y); });
  Compare<T>("Minus", minus, RULE(Minus), [](double a, double x, double y) { return Fma<T>(-a, x, y); });
  Compare<T>("From", from, RULE(From), [](double a, double x, double y) { return Fma<T>(a, x, -y); });
  Compare<T>("Exp", exp, RULE(Exp), [](double, double, double) { return 0.0; });
}

int main() {
  CompareAll<float>();
  CompareAll<double>();
  CompareAll<half::half_t>();
}
"""
COUNT = 1021
MODES = ("strict", "contract")
APPROXIMATE = ("div.full.f32", "sqrt.approx.f32", "rsqrt.approx.f32")


class NumericsTest(ProjectCase):
    def setUp(self):
        self.dir = self.directory()
        for mode in MODES:
            (self.dir / f"{mode}_toy.h").write_text(SPEC)  # one rule, two kernels: files of two names

    def generate(self, mode, *args):
        out = self.dir / mode
        run(GEN, "generate", f"--name={mode}", "-o", out, f"--namespace={mode}", "--isa=baseline,avx2,avx512",
            f"--numerics={mode}", "--standalone", *args, self.dir / f"{mode}_toy.h")
        return out

    def counts(self, isa):
        """{rule and bits: (elements as strict, elements rounded once)}."""
        lines = run(self.dir / "app", env={"MSHADOW_ISA": isa}).splitlines()
        return {name: (int(same), int(once)) for name, same, once in map(str.split, lines)}

    def test_sums_take_products_unrounded(self):
        need("g++")
        outs = [self.generate(mode) for mode in MODES]
        sources = [source for out in outs for source in out.glob("*.gen.cc")]
        (self.dir / "main.cc").write_text(MAIN)
        run("g++", "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", *(f"-I{out}" for out in outs),
            self.dir / "main.cc", *sources, outs[0] / "strict.runtime.cc", "-pthread", "-o", self.dir / "app")
        for name, (same, _) in self.counts("baseline").items():
            self.assertEqual(same, COUNT, f"{name}: the baseline has no such instruction")
        cpuinfo = pathlib.Path("/proc/cpuinfo")
        if "avx2" not in (cpuinfo.read_text() if cpuinfo.exists() else ""):
            return
        for name, (same, once) in self.counts("avx2").items():
            if name.startswith("Exp") or name.endswith("16"):
                self.assertEqual(same, COUNT, name)
            else:
                self.assertEqual(once, COUNT, name)
                self.assertLess(same, COUNT, f"{name}: contraction changed nothing")

    def test_kernels(self):
        need("nvcc")
        counts = {}
        for mode in MODES:
            out = self.generate(mode, "--cuda=on", "--dtypes=f32")
            run("nvcc", "-std=c++17", "-arch=sm_90", "-ptx", "-DMSHADOW_USE_CUDA=1", f"-I{out}",
                out / f"{mode}_toy.gen.cu", "-o", self.dir / f"{mode}.ptx")
            text = (self.dir / f"{mode}.ptx").read_text()
            counts[mode] = len(re.findall(r"\bfma\.rn\.f32", text))
            # All are inline assembly: in strict mode the elementary functions' own. nvcc makes none.
            ours = re.findall(r"// begin inline asm\s+fma\.rn\.f32 [^;]*;\s+// end inline asm", text)
            self.assertEqual(counts[mode], len(ours), mode)
        self.assertGreater(counts["contract"], counts["strict"])

    def test_kernels_that_approximate(self):
        need("nvcc")
        for mode in ("contract", "fast"):
            (self.dir / f"{mode}_toy.h").write_text(QUOTIENTS)
            out = self.generate(mode, "--cuda=on")
            run("nvcc", "-std=c++17", "-arch=sm_90", "-ptx", "-DMSHADOW_USE_CUDA=1", f"-I{out}",
                out / f"{mode}_toy.gen.cu", "-o", self.dir / f"{mode}.ptx")
            text = (self.dir / f"{mode}.ptx").read_text()
            for instruction in APPROXIMATE:
                self.assertEqual(re.search(rf"\b{re.escape(instruction)}\b", text) is not None, mode == "fast", instruction)
            self.assertEqual("div.rn.f32" in text, mode == "contract")
            self.assertIn("div.rn.f64", text, "doubles divide exactly")
            self.assertNotIn(".ftz", text, "subnormals are kept")

    def test_correct_functions_of_a_file_are_its_own(self):
        """One that was compiled with other instructions must not stand in for them; and no compiler warns."""
        need("nm")
        (self.dir / "correct_toy.h").write_text(SPEC)
        out = self.generate("correct")
        for compiler in ("g++", "clang++-19"):
            if not shutil.which(compiler):
                continue
            with self.subTest(compiler):
                run(compiler, "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-c", out / "correct_toy.gen.cc",
                    "-o", self.dir / "toy.o")
                symbols = re.findall(r" (\w) .*ExpInAnyCase", run("nm", "-C", self.dir / "toy.o"))
                self.assertTrue(symbols, "what is rare is not apart")
                self.assertEqual(set(symbols), {"t"})

    def test_it_is_said(self):
        for mode in (*MODES, "correct", "fast"):
            (self.dir / f"{mode}_toy.h").write_text(QUOTIENTS)
            out = self.generate(mode)
            for file in (f"{mode}_toy.gen.h", f"{mode}_toy.gen.cc", f"{mode}_toy.map.inc"):
                said = re.findall(r"^// Numerics: (\w+)\.", (out / file).read_text(), re.M)
                self.assertEqual(said, [mode] if mode != "strict" else [], file)
            card = r"^// ((?:\d+|No) operations? (?:is|are)) approximate"
            cards = re.findall(card, (out / f"{mode}_toy.gen.h").read_text(), re.M)
            self.assertEqual(cards, ["1 operation is", "2 operations are", "No operation is"] if mode == "fast" else [])
            report = json.loads(run(GEN, "explain", "--format=json", f"--numerics={mode}", self.dir / f"{mode}_toy.h"))
            self.assertEqual(report["numerics"], mode)
            self.assertEqual([k.get("approximate") for k in report["kernels"]], [1, 2, 0] if mode == "fast" else 3 * [None])
            manifest = (out / f"{mode}.manifest").read_text()
            self.assertEqual(f"option --numerics={mode}\n" in manifest, mode != "strict")
            for other in (*MODES, "correct", "fast"):
                run(GEN, "check", f"--name={mode}", "-o", out, f"--namespace={mode}", "--isa=baseline,avx2,avx512",
                    f"--numerics={other}", "--standalone", self.dir / f"{mode}_toy.h", expect=0 if other == mode else 3)
            shutil.rmtree(out)
        text = run(GEN, "generate", "--name=x", "-o", self.dir / "x", "--numerics=fats",
                   self.dir / "strict_toy.h", expect=2)
        self.assertIn("unknown numerics mode 'fats' (known: strict, correct, contract, fast); did you mean 'fast'?", text)


if __name__ == "__main__":
    unittest.main()
