# SPDX-License-Identifier: Apache-2.0
"""Emitted sources without CMake: a Makefile, one command, nothing installed."""
import re
import shutil
import unittest

from manuals import block
from support import FULL, GEN, PREFIX, SOURCE, SPECS, ProjectCase, need, run

SPEC = f"{SOURCE}/specs/optim/adamw.h"
FLAGS = ["--isa=baseline,avx2,avx512", "--dtypes=f32", f"--path-base={SOURCE}"]

MAIN = """#include "toy.h"
#include <cstdio>
#include <cstring>
#include <vector>

int main() {
  using namespace mshadow;
  const int n = 1037;
  std::vector<float> w(n), m(n), v(n), g(n);
  for (int i = 0; i < n; ++i) {
    w[i] = 0.1f * i;
    g[i] = 1.0f / (i + 1);
  }
  const auto tensor = [&](std::vector<float> &x) { return Tensor<cpu, 1, float>(x.data(), Shape1(n)); };
  for (int step = 1; step < 10; ++step) {
    optim::AdamW(tensor(w), tensor(m), tensor(v), tensor(g), 0.01f, 0.9f, 0.999f, 1e-8f, 0.01f, step);
  }
  unsigned hash = 0;
  for (float x : w) {
    unsigned bits;
    std::memcpy(&bits, &x, 4);
    hash = hash * 31 + bits;
  }
  std::printf("%08x\\n", hash);
}
"""

C_MAIN = """#include "toy_c.h"
#include <stdio.h>

int main(void) {
  float w[] = {1}, m[] = {0}, v[] = {0}, g[] = {1};
  const int64_t shape[] = {1};
  mshadow_tensor weight = {w, MSHADOW_FLOAT32, MSHADOW_CPU, 1, shape, 0, 0}, mean = weight;
  mshadow_tensor variance = weight, grad = weight;
  mean.data = m;
  variance.data = v;
  grad.data = g;
  if (optim_AdamW(&weight, &mean, &variance, &grad, 0.01f, 0.9f, 0.999f, 1e-8f, 0, 1) != MSHADOW_OK) return 1;
  printf("%g ", w[0]);
  weight.type = grad.type = MSHADOW_FLOAT64;
  if (optim_AdamW(&weight, &mean, &variance, &grad, 0.01f, 0.9f, 0.999f, 1e-8f, 0, 1) != MSHADOW_NO_INSTANCE) return 2;
  puts(mshadow_last_error());
  mshadow_stream *stream = 0;
  if (mshadow_stream_create(-1, &stream) != MSHADOW_ERROR) return 3;
  puts(mshadow_last_error());
  return 0;
}
"""

VIEWS = """#include <mshadow/kernel.h>

namespace toy {
using namespace mshadow;
using namespace mshadow::expr;

/// Elements at other places, and what is summed there.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Turn(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in, index_t by) {
  out = concat<1>(slice<1>(in, by, in.size(1)), slice<1>(in, 0, by)) - flip(in, 0) * 0.5f;
  out += reduce_with_axis<red::sum, false>(reshape(concat<0>(in, in), Shape3(2, in.size(0), in.size(1))), 0);
}
MSHADOW_INSTANTIATE(Turn, float);

/// An index that a vector names.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Embed(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &table,
                          const Tensor<xpu, 1, int32_t> &index) {
  out = take(index, table) * 2.0f;
}
MSHADOW_INSTANTIATE(Embed, float);
}  // namespace toy
"""

VIEWS_MAIN = """#include "toy.h"
#include <cstdio>
#include <cstring>
#include <vector>

int main() {
  using namespace mshadow;
  std::vector<float> in(7 * 301), out(in.size());
  for (size_t i = 0; i < in.size(); ++i) in[i] = 1.0f / static_cast<float>(i + 1);
  const auto tensor = [&](std::vector<float> &x) { return Tensor<cpu, 2, float>(x.data(), Shape2(7, 301)); };
  toy::Turn(tensor(out), tensor(in), 5);
  float sum = 0;
  for (float x : out) sum = sum * 0.5f + x;
  std::printf("%a\\n", static_cast<double>(sum));
  std::vector<int32_t> index = {6, 0, 1, 2, 3, 4, 7};
  try {
    toy::Turn(tensor(out), tensor(in), 302);
  } catch (const Error &error) {  // of two slices, made in any order
    std::puts(std::strstr(error.what(), "is not within"));
  }
  try {
    toy::Embed(tensor(out), tensor(in), Tensor<cpu, 1, int32_t>(index.data(), Shape1(7)));
  } catch (const Error &error) {
    std::puts(error.what());
  }
}
"""

CLANGS = ("clang++-14", "clang++-19") if FULL else ("clang++-19",)
MAKEFILE = block("docs/manual/plain.md", "CXXFLAGS =")


class PlainCase(ProjectCase):
    def setUp(self):
        need("g++")
        self.dir = self.directory()
        self.gen = self.dir / "gen"
        (self.dir / "main.cc").write_text(MAIN)

    def generate(self, *args, name="toy", out=None):
        run(GEN, "generate", f"--name={name}", "-o", out or self.gen, *FLAGS, *args, SPEC)

    def pkg_config(self):
        need("pkg-config")
        return {"PKG_CONFIG_PATH": str(next(PREFIX.rglob("pkgconfig")))}

    def compile(self, *args, compiler="g++", out="app"):
        run(compiler, "-std=c++17", "-I", self.gen, self.dir / "main.cc", *args, "-o", self.dir / out,
            cwd=self.dir)
        return run(self.dir / out)

    def with_runtime(self, *flags, compiler="g++"):
        libs = run("pkg-config", "--cflags", "--libs", "mshadow-kernels", env=self.pkg_config()).split()
        return self.compile(*flags, *self.gen.glob("*.gen.cc"), *libs, compiler=compiler)


class MakefileTest(PlainCase):
    def test_makefile(self):
        need("make")
        self.generate()
        (self.dir / "Makefile").write_text(MAKEFILE)
        run("make", cwd=self.dir, env=self.pkg_config())
        self.assertEqual(run(self.dir / "app"), self.with_runtime("-O1"))


class CommandTest(PlainCase):
    def test_the_same_bits_with_any_flags(self):
        self.generate()
        usual = self.with_runtime("-O2")
        for flags in (["-O0"], ["-O2", "-march=native", "-ffp-contract=fast"], ["-Os", "-fno-inline"]):
            with self.subTest(flags):
                self.assertEqual(self.with_runtime(*flags), usual)
        for compiler in CLANGS:
            if shutil.which(compiler):
                with self.subTest(compiler):
                    self.assertEqual(self.with_runtime("-O1", "-ffp-contract=fast", compiler=compiler), usual)

    def test_flags_that_break_bits_are_refused(self):
        self.generate()
        libs = run("pkg-config", "--cflags", "mshadow-kernels", env=self.pkg_config()).split()
        for flag in ("-ffast-math", "-Ofast", "-ffinite-math-only"):
            output = run("g++", "-std=c++17", flag, "-fsyntax-only", *libs, self.gen / "adamw.gen.cc", expect=1)
            self.assertIn("#error", output)

    def test_skew_is_refused_with_the_remedy(self):
        self.generate()
        header = self.gen / "adamw.gen.h"
        text = header.read_text()
        libs = run("pkg-config", "--cflags", "mshadow-kernels", env=self.pkg_config()).split()
        newest = int(re.search(r"MSHADOW_GEN_REVISION_MAX < (\d+)", text)[1])
        for revision in (0, newest + 1):
            changed = re.sub(r"(MSHADOW_GEN_REVISION_M\w+ [<>]) \d+", rf"\1 {revision}", text)
            self.assertNotEqual(changed, text)
            header.write_text(changed)
            output = run("g++", "-std=c++17", "-fsyntax-only", *libs, self.gen / "adamw.gen.cc", expect=1)
            self.assertIn("generate it again", output)


class StandaloneTest(PlainCase):
    def test_no_header_of_ours(self):
        self.generate("--standalone", "--cuda=on")
        for path in self.gen.iterdir():
            for line in path.read_text().splitlines():
                if line.startswith("#include"):
                    self.assertNotIn("mshadow/", line, path)
        listed = run(GEN, "list", "--standalone", "--cuda=on", "--name=toy", SPEC).split()
        self.assertEqual(sorted(listed), sorted(p.name for p in self.gen.iterdir()))
        run(GEN, "check", "--standalone", "--cuda=on", "--name=toy", "-o", self.gen, *FLAGS, SPEC)

    def test_the_same_bits(self):
        self.generate()
        usual = self.with_runtime("-O1")
        shutil.rmtree(self.gen)
        self.generate("--standalone")
        warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
        sources = list(self.gen.glob("*.cc"))
        self.assertEqual(self.compile("-O1", *warnings, *sources, "-pthread"), usual)
        self.assertEqual(self.compile("-O1", "-fopenmp", *sources), usual)
        self.assertEqual(run(self.dir / "app", env={"MSHADOW_ISA": "baseline"}), usual)
        for compiler in CLANGS:
            if shutil.which(compiler):
                with self.subTest(compiler):
                    self.assertEqual(self.compile("-O1", *warnings, *sources, "-pthread", compiler=compiler), usual)

    def test_views(self):
        """The runtime's expressions, and their checks, are among what is written."""
        spec = self.dir / "turn.h"
        spec.write_text(VIEWS)
        (self.dir / "main.cc").write_text(VIEWS_MAIN)
        flags = ["--name=toy", "-o", self.gen, "--isa=baseline,avx2,avx512", spec]
        run(GEN, "generate", *flags)
        usual = self.with_runtime("-O1")
        self.assertIn("is not within dimension 1, whose extent is 301", usual)
        self.assertIn("index 7 at position 6 is not within [0,7)", usual)
        shutil.rmtree(self.gen)
        run(GEN, "generate", "--standalone", "--cuda=on", *flags)
        for path in self.gen.iterdir():
            self.assertFalse(re.search("^#include.*mshadow/", path.read_text(), re.MULTILINE), path)
        warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
        sources = list(self.gen.glob("*.cc"))
        self.assertEqual(self.compile("-O1", *warnings, *sources, "-pthread"), usual)
        self.assertEqual(run(self.dir / "app", env={"MSHADOW_ISA": "baseline"}), usual)
        for compiler in CLANGS:
            if shutil.which(compiler):
                with self.subTest(compiler):
                    self.assertEqual(self.compile("-O0", *warnings, *sources, "-pthread", compiler=compiler), usual)
        nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
        if nvcc:
            run(nvcc, "-std=c++17", "-DMSHADOW_USE_CUDA=1", "-I", self.gen, self.dir / "main.cc", *sources,
                *self.gen.glob("*.cu"), "-o", self.dir / "app")
            self.assertEqual(run(self.dir / "app"), usual)

    def test_rows_and_columns(self):
        """What a kernel over rows with leaves needs is among what is written."""
        run(GEN, "generate", "--standalone", "--cuda=on", "--isa=baseline", "--name=toy", "-o", self.gen,
            f"{SOURCE}/specs/normalize/layer_norm.h")
        self.assertIn("LeavesPay", (self.gen / "layer_norm.gen.cc").read_text())
        run("g++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-Wl,--no-undefined",
            *self.gen.glob("*.cc"), "-pthread", "-o", self.dir / "toy.so")

    def test_a_program_in_c(self):
        """Without CMake, a header or a library of ours."""
        need("gcc")
        self.generate("--standalone", "--emit=header,cpu,c")
        for path in self.gen.iterdir():
            self.assertFalse(re.search("^#include.*mshadow/", path.read_text(), re.MULTILINE), path)
        (self.dir / "main.c").write_text(C_MAIN)
        run("gcc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", self.gen, "-c",
            self.dir / "main.c", "-o", self.dir / "main.o")
        run("g++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror", *self.gen.glob("*.cc"),
            self.dir / "main.o", "-pthread", "-o", self.dir / "app")
        self.assertEqual(run(self.dir / "app"), "0.99 AdamW: argument 'weight': expected float32, got float64; "
                         "to support other element types, add them to MSHADOW_INSTANTIATE in specs/optim/adamw.h\n"
                         "mshadow_stream_create: expected a library built with CUDA, got one without\n")

    def test_what_the_entries_of_a_library_do(self):
        """Every call and every message of tests/entries, views of all ranks among them."""
        need("gcc")
        entries = f"{SOURCE}/tests/entries"
        run(GEN, "generate", "--standalone", "--name=entry_kernels", "-o", self.gen, "--emit=header,cpu,c",
            f"--path-base={SOURCE}", f"{entries}/entry_rules.h")
        run("gcc", "-std=c11", "-I", self.gen, "-c", f"{entries}/c_entry_test.c", "-o", self.dir / "main.o")
        run("g++", "-std=c++17", "-O1", *self.gen.glob("*.cc"), self.dir / "main.o", "-pthread", "-o",
            self.dir / "app")
        self.assertEqual(run(self.dir / "app"), "Success!\n")

    def test_two_targets_in_one_program(self):
        self.generate("--standalone")
        other = self.dir / "other"
        run(GEN, "generate", "--standalone", "--name=other", "-o", other, SPECS / "scale.h")
        (self.dir / "main.cc").write_text('#include "other.h"\n' + MAIN.replace(
            "  unsigned hash", "  toy::Scale(tensor(w), 2.0f);\n  unsigned hash"))
        sources = [*self.gen.glob("*.cc"), other / "scale.gen.cc"]
        self.compile("-O1", "-I", other, *sources, "-pthread")

    def test_kernels(self):
        nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
        if not nvcc:
            need("nvcc")
        self.generate("--standalone", "--cuda=on", "--emit=header,cpu,c")
        sources = sorted(self.gen.glob("*.c[cu]"))
        self.assertEqual([p.name for p in sources],
                         ["adamw.blob.cc", "adamw.gen.cc", "adamw.gen.cu", "toy.c_api.cc", "toy.cuda.cu",
                          "toy.instances.cc", "toy.runtime.cc", "toy_c.cc"])
        run(nvcc, "-std=c++17", "-DMSHADOW_USE_CUDA=1", "-I", self.gen, self.dir / "main.cc", *sources,
            "-o", self.dir / "app")
        run(self.dir / "app")  # the CPU's side


if __name__ == "__main__":
    unittest.main()
