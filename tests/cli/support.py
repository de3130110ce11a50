# SPDX-License-Identifier: Apache-2.0
"""Running mshadow-gen on small specs in a directory of its own."""
import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

GEN = os.environ["MSHADOW_GEN"]
FULL = bool(os.environ.get("MSHADOW_TEST_FULL"))

RULE = """// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>
{include}
namespace {namespace} {{
using namespace mshadow;
using namespace mshadow::expr;

/// {doc}
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void {name}(Tensor<xpu, dim, DType> weight, const Tensor<xpu, dim, DType> &grad,
                           float eta = 0.1f) {{
  {body}
}}
MSHADOW_INSTANTIATE({name}, float{more});
}}  // namespace {namespace}
"""


def rule(name="Step", namespace="toy", body="weight -= eta * grad;", doc="A step.", include="", more=""):
    """The text of a spec with one rule."""
    return RULE.format(name=name, namespace=namespace, body=body, doc=doc, include=include, more=more)


ERROR = rule(body="for (float f = 0.0f; f < eta; ++f) weight -= eta * grad;")


class CliCase(unittest.TestCase):
    """A directory with step.h and scale.h, and what to do with them."""

    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="mshadow_cli_"))
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)
        self.out = self.dir / "out"
        self.step = self.write("step.h", rule())
        self.scale = self.write("scale.h", rule("Scale", body="weight = eta * grad;"))

    def write(self, name, text):
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run_gen(self, *args, cwd=None, env=None, **options):
        """Runs the tool; a hang is a failure."""
        environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "MSHADOW_GEN")}
        environment.update(env or {})
        return subprocess.run([GEN, *map(str, args)], cwd=cwd or self.dir, env=environment, text=True,
                              capture_output=True, timeout=120, check=False, **options)

    def generate(self, *args, name="toy", out=None, specs=None, **options):
        specs = [self.step, self.scale] if specs is None else specs
        return self.run_gen("generate", f"--name={name}", "-o", out or self.out, *args, *specs, **options)

    def check(self, *args, name="toy", specs=None, **options):
        specs = [self.step, self.scale] if specs is None else specs
        return self.run_gen("check", f"--name={name}", "-o", self.out, *args, *specs, **options)

    def assert_status(self, result, status):
        self.assertEqual(result.returncode, status, f"stdout: {result.stdout}\nstderr: {result.stderr}")

    def assert_ok(self, result):
        self.assert_status(result, 0)

    def assert_usage(self, result, *texts):
        """Status 2, one line on stderr that has the texts, nothing on stdout."""
        self.assert_status(result, 2)
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        for text in texts:
            self.assertIn(text, result.stderr)


def snapshot(directory):
    """What is in a directory: names, contents, times of files."""
    state = {}
    for path in sorted(pathlib.Path(directory).rglob("*")):
        info = path.lstat()
        content = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
        # Temporary names come and go in a directory: its time says nothing.
        state[str(path.relative_to(directory))] = (content, None if path.is_dir() else info.st_mtime_ns)
    return state


def contents(directory):
    return {name: content for name, (content, _) in snapshot(directory).items()}


def sha256(data):
    return hashlib.sha256(data).hexdigest()
