# SPDX-License-Identifier: Apache-2.0
"""Libraries that are made apart and meet in one program: each runs its own rules."""
import unittest

from support import GEN, PREFIX, ProjectCase, need, run

SPEC = """#include <mshadow/kernel.h>

namespace toy {{
using namespace mshadow;
using namespace mshadow::expr;

/// Every library has a rule of this name.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void {rule}(Tensor<xpu, dim, DType> weight, const Tensor<xpu, dim, DType> &grad) {{
  weight {formula} grad;
}}
MSHADOW_INSTANTIATE({rule}, float);
}}  // namespace toy
"""

USE = """#include "kernels.h"

float {name}(float weight, float grad) {{
  const auto one = [](float *x) {{ return mshadow::Tensor<mshadow::cpu, 1, float>(x, mshadow::Shape1(1)); }};
  toy::Step(one(&weight), one(&grad));
  return weight;
}}
"""

MAIN = """#include <cstdio>

float first(float weight, float grad);
float second(float weight, float grad);
float third(float weight, float grad);

int main() {
  std::printf("%g %g %g\\n", first(7, 2), second(7, 2), third(7, 2));
}
"""

# Two rules of a name in two namespaces, and a rule of another name in a spec of the same path.
ALL = """#include "first/kernels.h"
#include "second/kernels.h"
#include "first/step.blob.h"
#include "second/step.blob.h"
#include "third/step.gen.h"
#include "third/step.blob.h"

void All(mshadow::Tensor<mshadow::cpu, 1, float> x, const mshadow::BlobArg &blob) {
  one::toy::Step(x, x);
  one::toy::Step(blob, blob);
  two::toy::Step(x, x);
  two::toy::Step(blob, blob);
  one::toy::Walk(x, x);
  one::toy::Walk(blob, blob);
}
"""


class TogetherCase(ProjectCase):
    def setUp(self):
        need("g++", "pkg-config")
        self.dir = self.directory()
        self.libs = run("pkg-config", "--cflags", "--libs", "mshadow-kernels",
                        env={"PKG_CONFIG_PATH": str(next(PREFIX.rglob("pkgconfig")))}).split()

    def generate(self, name, formula, *flags, rule="Step"):
        """The same names and paths in each project."""
        project = self.dir / f"project of {name}"
        (project / "specs").mkdir(parents=True)
        (project / "specs" / "step.h").write_text(SPEC.format(formula=formula, rule=rule))
        run(GEN, "generate", "--name=kernels", "--isa=baseline", f"--path-base={project}", "-o",
            self.dir / name, *flags, project / "specs" / "step.h")
        return self.dir / name

    def compile(self, *args):
        run("g++", "-std=c++17", "-O1", *args, *self.libs, cwd=self.dir)


class OneProgramTest(TogetherCase):
    def library(self, name, formula, *flags):
        """Its objects."""
        out = self.generate(name, formula)
        (self.dir / f"{name}.cc").write_text(USE.format(name=name))
        self.compile("-I", out, "-c", *flags, out / "step.gen.cc", "-o", f"{name}_kernels.o")
        self.compile("-I", out, "-c", *flags, f"{name}.cc", "-o", f"{name}.o")
        return [f"{name}_kernels.o", f"{name}.o"]

    def test_static_and_shared_libraries(self):
        for name, formula in (("first", "+="), ("second", "-=")):
            run("ar", "rc", f"lib{name}.a", *self.library(name, formula), cwd=self.dir)
        self.compile("-shared", *self.library("third", "*=", "-fPIC"), "-o", "libthird.so")
        (self.dir / "main.cc").write_text(MAIN)
        self.compile("-c", "main.cc", "-o", "main.o")
        for order in (["-lfirst", "-lsecond", "-lthird"], ["-lthird", "-lsecond", "-lfirst"]):
            with self.subTest(order):
                self.compile("main.o", "-L.", "-Wl,-rpath,.", *order, "-o", "app")
                self.assertEqual(run("./app", cwd=self.dir), "9 5 14\n")


class OneFileTest(TogetherCase):
    def test_headers_of_one_path(self):
        self.generate("first", "+=", "--namespace=one", "--emit=header,blob")
        self.generate("second", "-=", "--namespace=two", "--emit=header,blob")
        self.generate("third", "+=", "--namespace=one", "--emit=header,blob", rule="Walk")
        (self.dir / "all.cc").write_text(ALL)
        self.compile("-fsyntax-only", "-I", self.dir, "all.cc")


if __name__ == "__main__":
    unittest.main()
