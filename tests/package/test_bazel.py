# SPDX-License-Identifier: Apache-2.0
"""The rule for Bazel, offline, with Debian's Bazel."""
import itertools
import os
import pathlib
import re
import shutil
import unittest

from support import GEN, HERE, SOURCE, SPECS, ProjectCase, need, run, skip

SHARED = pathlib.Path("/usr/share/bazel")
# Repositories that Bazel would download; Debian has them as packages.
REPOSITORIES = {"platforms": SHARED / "tools/platforms", "rules_java": SHARED / "rules/java",
                "rules_proto": SHARED / "rules/proto"}


MANUAL = HERE.parents[1] / "docs" / "manual" / "bazel.md"
MANUAL_MAIN = """#include <mshadow/tensor.h>
#include <cstdio>
#include "optim.h"

int main() {
  float w[] = {1, 2}, g[] = {2, 4};
  toy::Step(mshadow::Tensor<mshadow::cpu, 1, float>(w, mshadow::Shape1(2)),
            mshadow::Tensor<mshadow::cpu, 1, float>(g, mshadow::Shape1(2)));
  std::printf("%g %g\\n", w[0], w[1]);
}
"""


def manual_block(file):
    """The lines that the manual tells users to write into a file, as they stand."""
    text = MANUAL.read_text()
    after = text[text.index(f"In `{file}`"):]
    lines = after.splitlines()[2:]
    return "\n".join(line[4:] for line in itertools.takewhile(lambda line: not line or line.startswith("    "), lines))


class BazelTest(ProjectCase):
    def setUp(self):
        need("bazel")
        for path in REPOSITORIES.values():
            if not path.exists():
                skip(f"{path} is not installed")
        self.dir = self.directory()
        # Bazel's own directories bear no spaces.
        self.root = pathlib.Path(str(self.dir).replace(" ", "_"))
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)
        self.work = self.root / "app"
        shutil.copytree(HERE / "bazel_app", self.work)
        self.source = self.root / "mshadow"  # without build directories
        self.source.mkdir()
        for name in ("bazel", "runtime"):
            shutil.copytree(f"{SOURCE}/{name}", self.source / name)
        for name in ("BUILD.bazel", "WORKSPACE.bazel", "MODULE.bazel"):
            shutil.copy(f"{SOURCE}/{name}", self.source)
        shutil.copytree(SPECS, self.work / "specs")
        workspace = self.work / "WORKSPACE.bazel"
        text = workspace.read_text().replace("# @MANUAL@", manual_block("WORKSPACE.bazel"))
        workspace.write_text(text.replace("@SOURCE@", str(self.source)).replace("@GEN@", GEN))
        # The manual's generator is the installed one.
        self.env = {"PATH": f"{pathlib.Path(GEN).parent}:{os.environ['PATH']}"}
        self.addCleanup(self.bazel, "shutdown")

    def bazel(self, *args, expect=0):
        return run("bazel", f"--output_user_root={self.root}/out", *args,
                   cwd=self.work, expect=expect, env=self.env)

    def build(self, *targets, expect=0):
        targets = targets or ["//:app"]
        flags = [f"--override_repository={name}={path}" for name, path in REPOSITORIES.items()]
        flags.append(f"--override_repository=rules_cc={self.work}/rules_cc")
        return self.bazel("build", "--subcommands", "--jobs=2", "--compilation_mode=fastbuild", *flags,
                          f"--disk_cache={self.root}/cache", *targets, expect=expect)

    def generated(self, output):
        return sorted(re.findall(r"SUBCOMMAND: # //:(\w+)_codegen", output))

    def test_rule(self):
        output = self.build()
        self.assertEqual(self.generated(output), ["other", "toy"])
        self.assertEqual(run(self.work / "bazel-bin" / "app"), "2 2 2\n")
        self.assertEqual(self.generated(self.build()), [])

        with self.subTest("an edit generates anew what depends on it"):
            rate = self.work / "specs" / "rate.h"
            rate.write_text(rate.read_text().replace("0.5f", "0.25f"))
            self.assertEqual(self.generated(self.build()), ["toy"])
            self.assertEqual(run(self.work / "bazel-bin" / "app"), "3 4 5\n")

        with self.subTest("the manual's example"):
            example = self.work / "example"
            shutil.copytree(SPECS, example / "specs")
            (example / "specs" / "step.h").rename(example / "specs" / "adamw.h")
            (example / "main.cc").write_text(MANUAL_MAIN)
            (example / "BUILD.bazel").write_text(manual_block("BUILD.bazel"))
            self.build("//example:app")
            self.assertEqual(run(self.work / "bazel-bin" / "example" / "app"), "0 0\n")

        with self.subTest("the cache has everything"):
            self.bazel("clean")
            hits, = re.findall(r"INFO: \d+ processes: (\d+) remote cache hit", self.build())
            self.assertGreaterEqual(int(hits), 2 + 8 + 3 + 1)  # generation, the runtime, kernels, main
            self.assertEqual(run(self.work / "bazel-bin" / "app"), "3 4 5\n")

        with self.subTest("entries for C and Python, reports"):
            self.assertEqual(self.generated(self.build("//:c_app", "//:toy_kernels.so", "//:toy_python", "//:toy_reports")), [])
            bin = self.work / "bazel-bin"
            self.assertEqual(run(bin / "c_app"), "2 4 6\n")
            script = ("import array, toy; toy.load('./toy_kernels.so'); w = array.array('f', [1, 2]); "
                      "toy.Scale(w, 3); print(*w)")
            self.assertEqual(run("python3", "-c", script, cwd=bin, env={"PYTHONPATH": str(bin / "toy.gen")}), "3.0 6.0\n")
            for suffix in (".ir", ".manifest", ".report.html", ".report.json"):
                self.assertTrue((bin / "toy.gen" / f"toy{suffix}").is_file(), suffix)
            self.assertIn("// Numerics: fast.", (bin / "other.gen" / "tuned.gen.h").read_text())

        with self.subTest("a kind that there is not"):
            build = self.work / "BUILD.bazel"
            text = build.read_text()
            build.write_text(text.replace('"python"', '"pyhton"'))
            self.assertIn("emit: expected some of blob, c, ir, manifest, python, report_html, report_json, got 'pyhton'",
                          self.build(expect=1))
            build.write_text(text)

        with self.subTest("a header that is not declared is not there"):
            build = self.work / "BUILD.bazel"
            build.write_text(build.read_text().replace('    hdrs = ["specs/rate.h"],\n', ""))
            self.assertIn("rate.h", self.build(expect=1))


if __name__ == "__main__":
    unittest.main()
