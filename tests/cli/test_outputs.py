# SPDX-License-Identifier: Apache-2.0
"""What the commands print and write when all goes well."""
import json
import os
import pathlib
import re
import shutil
import unittest

from support import CliCase, contents, rule, sha256, snapshot


class GenerateTest(CliCase):
    def test_files(self):
        self.assert_ok(self.generate())
        names = {"toy.h", "toy.manifest"}
        for stem in ("step", "scale"):
            names |= {f"{stem}{suffix}" for suffix in (".gen.h", ".gen.cc", ".map.inc", ".loop.inc")}
        self.assertEqual(set(os.listdir(self.out)), names)

    def test_emit(self):
        self.assert_ok(self.generate("--emit=header,ir,report_json"))
        self.assertEqual(set(os.listdir(self.out)), {"toy.h", "toy.ir", "toy.report.json", "step.gen.h",
                                                     "step.map.inc", "scale.gen.h", "scale.map.inc"})
        self.assertIn("rule toy::Step", (self.out / "toy.ir").read_text())
        report = json.loads((self.out / "toy.report.json").read_text())
        self.assertEqual([k["name"] for k in report["kernels"]], ["Scale", "Step"])

    def test_kernels_of_a_rule_in_no_namespace(self):
        """The outputs are examined: each kernel may have views of its own."""
        view = "pool<red::sum>(flip(grad, 0), 1, 1, 1)"
        body = f"weight -= {view};\n  MSHADOW_STAGE();\n  weight += eta * {view};"
        text = re.sub(r"namespace toy {|}  // namespace toy", "", rule(body=body))
        self.assert_ok(self.generate(specs=[self.write("step.h", text)]))
        self.assertIn("::StepStage2GradPoolView", (self.out / "step.gen.h").read_text())

    def test_emit_brings_what_is_included(self):
        for kind, file in (("cpu", "step.gen.cc"), ("cuda", "step.gen.cu"), ("blob", "step.blob.cc")):
            with self.subTest(kind):
                listed = self.run_gen("list", "--outputs", "--name=toy", f"--emit={kind}", self.step)
                self.assert_ok(listed)
                self.assert_ok(self.generate(f"--emit={kind}"))
                for name in (file, "step.gen.h", "toy.h"):
                    self.assertIn(name, listed.stdout.split())
                    self.assertTrue((self.out / name).exists())

    def test_entries_bring_what_they_call(self):
        for kind in ("blob", "c", "python"):
            with self.subTest(kind):
                listed = self.run_gen("list", "--outputs", "--name=toy", f"--emit={kind}", self.step)
                self.assertLessEqual({"step.blob.cc", "step.gen.cc", "step.gen.h"}, set(listed.stdout.split()))

    def hash_of(self, *args):
        """In the names of what is emitted of step.h."""
        shutil.rmtree(self.out, ignore_errors=True)
        self.assert_ok(self.generate(*args))
        texts = "".join(path.read_text() for path in self.out.glob("step.*"))
        hashes = {h.lower() for h in re.findall(r"(?:fused_|NAMESPACE\(|_H_)([rR][0-9a-fA-F]{8})", texts)}
        self.assertEqual(len(hashes), 1, hashes)
        return hashes.pop()

    def test_names_have_a_hash_of_the_code(self):
        header = self.hash_of("--emit=header")
        self.assertEqual(self.hash_of("--emit=header,blob,ir"), header)
        self.assertEqual(self.hash_of(f"--license-header={self.write('licence', '// Ours.')}"), header)
        self.assertNotEqual(self.hash_of("--isa=avx2"), header)
        self.write("step.h", rule(body="weight += eta * grad;"))
        self.assertNotEqual(self.hash_of(), header)

    def test_cuda(self):
        self.assert_ok(self.generate("--cuda=on"))
        self.assertIn("__global__", (self.out / "step.gen.cu").read_text())
        self.assert_ok(self.generate("--cuda=off"))
        self.assertFalse((self.out / "step.gen.cu").exists())

    def test_isa(self):
        self.assert_ok(self.generate("--isa=avx512"))
        text = (self.out / "step.gen.cc").read_text()
        self.assertIn("baseline.inc", text)
        self.assertIn("avx512.inc", text)
        self.assertNotIn("avx2.inc", text)

    def test_standalone_has_expressions_where_rules_read_views(self):
        self.assert_ok(self.generate("--standalone"))
        self.assertIn("no rule reads views", (self.out / "toy.views.h").read_text())
        spec = rule(body="weight -= eta * mirror(grad);").replace("int dim, ", "").replace("dim", "2")
        self.step.write_text(spec)
        self.assert_ok(self.generate("--standalone"))
        self.assertIn("class Plan", (self.out / "toy.views.h").read_text())
        # A rule of several kernels, one of which does.
        self.step.write_text(spec.replace("weight -=", "weight = -grad; MSHADOW_STAGE(); weight -="))
        self.assert_ok(self.generate("--standalone"))
        self.assertIn("class Plan", (self.out / "toy.views.h").read_text())

    def test_dtypes(self):
        self.step.write_text(rule(more=", double"))
        self.assert_ok(self.generate())
        self.assertIn("double", (self.out / "step.gen.cc").read_text())
        self.assert_ok(self.generate("--dtypes=f32"))
        self.assertNotIn("<double>", (self.out / "step.gen.cc").read_text())
        self.assert_ok(self.generate("--dtypes=f64"))
        self.assertIn("no rules", (self.out / "scale.gen.cc").read_text())

    def test_namespace(self):
        self.assert_ok(self.generate("--namespace=outer::inner"))
        header = (self.out / "step.gen.h").read_text()
        self.assertIn("outer", header)
        self.assertIn("inner", header)

    def test_license_header(self):
        license_text = "// Copyright somebody.\n// All rights reserved.\n"
        path = self.write("license.txt", license_text)
        self.assert_ok(self.generate(f"--license-header={path}", "--cuda=on"))
        for output in self.out.iterdir():
            if output.suffix != ".manifest":
                self.assertTrue(output.read_text().startswith(license_text), output)


    def test_inputs_are_not_replaced(self):
        """A target that is called like its spec, or like what it includes, where these are; a stamp, a
        depfile or an output in an input's place."""
        self.write("toy.h", "namespace toy {}\n")
        spec = self.write("more.h", rule("More", include='#include "toy.h"\n'))
        license_text = self.write("out/toy.h", "// Copyright somebody.\n")
        cases = [("step.h", "--name=step", "--output-dir=.", self.step),
                 ("step.h", "--dry-run", "--name=step", f"--output-dir={self.dir}", self.step),
                 ("toy.h", "--name=toy", "--output-dir=.", spec),
                 ("step.h", "--name=toy", "--output-dir=new", f"--stamp={self.step}", self.step),
                 ("step.h", "--name=toy", "--output-dir=new", f"--stamp={self.dir / 's'}",
                  f"--depfile={self.step}", self.step),
                 ("toy.h", "--name=toy", "--output-dir=out", f"--license-header={license_text}", self.step)]
        before = snapshot(self.dir)
        for name, *args in cases:
            with self.subTest(args):
                self.assert_usage(self.run_gen("generate", *args), name, "would be replaced, but this run reads it", "--name")
                self.assertEqual(snapshot(self.dir), before)
        self.assert_ok(self.run_gen("generate", "--name=other", "--output-dir=.", spec))
        (self.dir / "round.h").symlink_to("round.h")  # a link that leads nowhere is replaced
        self.assert_ok(self.run_gen("generate", "--name=round", "--output-dir=.", spec))
        self.assertFalse((self.dir / "round.h").is_symlink())

    def test_license_that_is_no_comment(self):
        """--verify looks at the whole output; without it the user is taken at his word."""
        path = self.write("license.txt", "// Mine.\nint mine;\n")
        self.assert_usage(self.generate(f"--license-header={path}"), "license.txt", "comment", "--verify=off")
        self.assertFalse(self.out.exists())
        self.assert_ok(self.generate(f"--license-header={path}", "--verify=off"))
        self.assertIn("int mine;", (self.out / "step.gen.h").read_text())
        self.assert_ok(self.check(f"--license-header={path}", "--verify=off"))
        self.assert_usage(self.check(f"--license-header={path}"), "comment")

    def test_definitions_reach_the_spec(self):
        self.step.write_text(rule(body="weight -= FACTOR * grad;"))
        self.assert_status(self.generate(), 1)
        self.assert_ok(self.generate(specs=[self.step, "--", "-DFACTOR=eta"]))
        self.assertIn("option -DFACTOR=eta\n", (self.out / "toy.manifest").read_text())

    def test_runtime_dir(self):
        self.assert_ok(self.generate())
        before = contents(self.out)
        self.assert_ok(self.generate("--runtime-dir=" + os.environ["MSHADOW_RUNTIME_INCLUDE"]))
        self.assertEqual(contents(self.out), before)
        self.assert_status(self.generate(f"--runtime-dir={self.dir}/nowhere"), 1)

    def test_older_paths_of_headers(self):
        self.assert_ok(self.generate())
        before = contents(self.out)
        self.step.write_text(rule(include="#include <mshadow/op_extra.h>\n#include <mshadow/tensor_view.h>\n"))
        self.assert_ok(self.generate())
        self.assertEqual((self.out / "step.map.inc").read_text(), before["step.map.inc"].decode())
        self.assert_ok(self.generate("--runtime-dir=" + os.environ["MSHADOW_RUNTIME_INCLUDE"]))

    def test_unchanged_files_keep_their_time(self):
        self.assert_ok(self.generate())
        before = snapshot(self.out)
        self.assert_ok(self.generate())
        self.assertEqual(snapshot(self.out), before)
        self.step.write_text(rule(body="weight -= eta * grad * grad;"))
        self.assert_ok(self.generate())
        after = snapshot(self.out)
        changed = {name for name in after if after[name] != before[name]}
        self.assertIn("step.map.inc", changed)
        self.assertFalse({name for name in changed if name.startswith("scale")})

    def test_a_comment_changes_the_manifest_alone(self):
        self.assert_ok(self.generate())
        before = contents(self.out)
        self.step.write_text("// A remark.\n\n" + self.step.read_text())
        self.assert_ok(self.generate())
        after = contents(self.out)
        self.assertEqual([name for name in after if after[name] != before[name]], ["toy.manifest"])

    def test_no_absolute_path_in_any_output(self):
        self.assert_ok(self.generate("--emit=header,cpu,cuda,ir,report_json,manifest"))
        for name, data in contents(self.out).items():
            self.assertNotIn(str(self.dir).encode(), data, name)

    def test_path_base(self):
        self.assert_ok(self.generate(f"--path-base={self.dir.parent}"))
        self.assertIn(f"{self.dir.name}/step.h", (self.out / "step.gen.h").read_text())


class StaleTest(CliCase):
    def test_outputs_of_a_removed_spec_are_removed(self):
        self.assert_ok(self.generate())
        self.write("out/mine.txt", "not an output")
        self.assert_ok(self.generate(specs=[self.step]))
        self.assertFalse([n for n in os.listdir(self.out) if n.startswith("scale")])
        self.assertTrue((self.out / "mine.txt").exists())
        self.assertTrue((self.out / "step.gen.h").exists())

    def test_an_edited_one_is_kept(self):
        self.assert_ok(self.generate())
        (self.out / "scale.gen.cc").write_text("int mine;\n")
        result = self.generate(specs=[self.step])
        self.assert_ok(result)
        self.assertIn("scale.gen.cc", result.stderr)
        self.assertEqual((self.out / "scale.gen.cc").read_text(), "int mine;\n")
        self.assertFalse((self.out / "scale.gen.h").exists())

    def test_a_manifest_cannot_name_files_elsewhere(self):
        victim = self.write("victim.txt", "precious")
        self.assert_ok(self.generate())
        manifest = self.out / "toy.manifest"
        for name in ("../victim.txt", str(victim), "./../victim.txt", ".victim"):
            with open(manifest, "a", encoding="utf-8") as file:
                file.write(f"output {sha256(b'precious')} {name}\n")
        self.assert_ok(self.generate())
        self.assertEqual(victim.read_text(), "precious")

    def test_garbage_in_the_manifest(self):
        self.assert_ok(self.generate())
        (self.out / "toy.manifest").write_bytes(b"\0\xff output\noutput x\noutput\n" * 100)
        self.assert_ok(self.generate())
        self.assert_ok(self.check())


class ManifestTest(CliCase):
    def test_lines(self):
        helper = self.write("helper.h", "#define HELP 1\n")
        self.step.write_text(rule(include='#include "helper.h"'))
        self.assert_ok(self.generate())
        lines = (self.out / "toy.manifest").read_text().splitlines()
        self.assertEqual(lines[0], "format 1")
        self.assertEqual([line.split()[0] for line in lines], sorted(line.split()[0] for line in lines))
        for path in (self.step, self.scale, helper):
            self.assertIn(f"input {sha256(path.read_bytes())} {path.name}", lines)
        for path in self.out.iterdir():
            if path.name != "toy.manifest":
                self.assertIn(f"output {sha256(path.read_bytes())} {path.name}", lines)

    def test_line_ends_do_not_matter(self):
        self.assert_ok(self.generate())
        before = contents(self.out)
        self.step.write_bytes(self.step.read_bytes().replace(b"\n", b"\r\n"))
        self.assert_ok(self.generate())
        self.assertEqual(contents(self.out), before)


class DepfileTest(CliCase):
    def test_depfile_and_stamp(self):
        helper = self.write("a b#c$d.h", "#define HELP 1\n")
        self.step.write_text(rule(include=f'#include "{helper.name}"'))
        self.assert_ok(self.generate("--depfile=x.d", "--stamp=x.stamp"))
        text = (self.dir / "x.d").read_text()
        target, _, rest = text.partition(":")
        self.assertEqual(target, str(self.dir / "x.stamp"))
        self.assertIn(str(self.step), rest)
        self.assertIn(str(self.dir / r"a\ b\#c$$d.h"), rest)
        self.assertNotIn("__mshadow_gen__", rest)
        self.assertNotIn("/usr/include", rest)
        self.assertNotIn(str(self.out), rest)
        self.assertEqual((self.dir / "x.stamp").read_text(), "")

    def test_the_stamp_is_always_new(self):
        self.assert_ok(self.generate("--stamp=x.stamp"))
        stamp = self.dir / "x.stamp"
        os.utime(stamp, (1, 1))
        self.assert_ok(self.generate("--stamp=x.stamp"))
        self.assertGreater(stamp.stat().st_mtime, 1000)

    def test_no_stamp_after_errors(self):
        self.step.write_text("#error no\n")
        self.assert_status(self.generate("--depfile=x.d", "--stamp=x.stamp"), 1)
        self.assertFalse((self.dir / "x.stamp").exists())
        self.assertFalse((self.dir / "x.d").exists())

    def test_list_outputs(self):
        self.assert_ok(self.generate("--depfile=x.d", "--stamp=x.stamp", "--depfile-list-outputs"))
        self.assertIn(str(self.out / "toy.h"), (self.dir / "x.d").read_text())

    def test_runtime_headers_of_runtime_dir(self):
        include = os.environ["MSHADOW_RUNTIME_INCLUDE"]
        self.assert_ok(self.generate("--depfile=x.d", "--stamp=x.stamp", f"--runtime-dir={include}"))
        self.assertIn(f"{include}/mshadow/kernel.h", (self.dir / "x.d").read_text())


class DryRunTest(CliCase):
    def test_dry_run(self):
        result = self.generate("--dry-run", "--stamp=x.stamp")
        self.assert_ok(result)
        self.assertIn(f"create {self.out}/toy.h\n", result.stdout)
        self.assertIn("create x.stamp\n", result.stdout)
        self.assertFalse(self.out.exists())
        self.assert_ok(self.generate())
        self.step.write_text(rule(body="weight = grad * eta;"))
        before = snapshot(self.out)
        result = self.generate("--dry-run", specs=[self.step])
        self.assertIn(f"update {self.out}/step.map.inc\n", result.stdout)
        self.assertIn(f"delete {self.out}/scale.gen.h\n", result.stdout)
        self.assertEqual(snapshot(self.out), before)


class CheckTest(CliCase):
    def test_up_to_date(self):
        self.assert_ok(self.generate())
        before = snapshot(self.dir)
        result = self.check()
        self.assert_ok(result)
        self.assertEqual((result.stdout, result.stderr), ("", ""))
        self.assertEqual(snapshot(self.dir), before)

    def test_differences(self):
        self.assert_ok(self.generate())
        path = self.out / "step.gen.h"
        path.write_text(path.read_text().replace("#include <mshadow/emitted/fused.h>", "#include <mshadow/other.h>"))
        result = self.check()
        self.assert_status(result, 3)
        self.assertIn(f"--- {path}\n+++ {path}\n@@ ", result.stdout)
        self.assertIn("-#include <mshadow/other.h>\n+#include <mshadow/emitted/fused.h>\n", result.stdout)
        self.assertIn("mshadow-gen generate", result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1)

    def test_missing(self):
        result = self.check()
        self.assert_status(result, 3)
        self.assertIn(f"--- /dev/null\n+++ {self.out}/toy.h\n", result.stdout)
        self.assertFalse(self.out.exists())

    def test_stale(self):
        self.assert_ok(self.generate())
        result = self.check(specs=[self.step])
        self.assert_status(result, 3)
        self.assertIn(f"--- {self.out}/scale.gen.h\n+++ /dev/null\n", result.stdout)

    def test_carriage_returns_are_ignored(self):
        self.assert_ok(self.generate())
        for path in self.out.iterdir():
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        self.assert_ok(self.check())

    def test_tool_version_matters_only_with_strict(self):
        self.assert_ok(self.generate())
        manifest = self.out / "toy.manifest"
        manifest.write_text(re.sub(r"(?m)^tool .*$", "tool 0.0.1", manifest.read_text()))
        self.assert_ok(self.check())
        self.assert_status(self.check("--strict"), 3)

    def test_errors_in_the_spec(self):
        self.assert_ok(self.generate())
        self.step.write_text("#error no\n")
        self.assert_status(self.check(), 1)


class ListTest(CliCase):
    def test_outputs_need_no_parse(self):
        self.assert_ok(self.generate("--cuda=on"))
        self.step.write_text("#error no\n")
        result = self.run_gen("list", "--name=toy", "--cuda=on", self.step, self.scale)
        self.assert_ok(result)
        self.assertEqual(set(result.stdout.split()), set(os.listdir(self.out)))
        self.assertEqual(self.run_gen("list", "--outputs", "--name=toy", "--cuda=on", self.step,
                                      self.scale).stdout, result.stdout)

    def test_kernels(self):
        result = self.run_gen("list", "--kernels", self.step)
        self.assert_ok(result)
        self.assertRegex(result.stdout, r"(?m)^toy::Step  f32  step\.h$")
        self.assertIn("  weight: DType tensor", result.stdout)

    def test_deps(self):
        helper = self.write("helper.h", "#define HELP 1\n")
        self.step.write_text(rule(include='#include "helper.h"'))
        result = self.run_gen("list", "--deps", "step.h")
        self.assertEqual(result.stdout.split(), [str(self.step), str(helper)])

    def test_json_has_each_parameters_part(self):
        spec = self.write("opt.h", """#include <mshadow/kernel.h>
namespace toy {
using namespace mshadow;
/// Momentum.
/// \\param weight what is trained
template <typename xpu, typename DType>
MSHADOW_KERNEL void Momentum(MSHADOW_PARAMETER Tensor<xpu, 2, DType> weight,
                             MSHADOW_STATE(0.5) Tensor<xpu, 2, float> mom,
                             MSHADOW_GRADIENT const Tensor<xpu, 2, DType> &grad,
                             MSHADOW_HYPER float lr = 0.001f, MSHADOW_STEP int t = 1) {
  mom = 0.9f * mom + expr::tcast<float>(grad) * (lr / float(t));
  weight = expr::tcast<DType>(expr::tcast<float>(weight) - mom);
}
MSHADOW_INSTANTIATE(Momentum, float, half::half_t);
}  // namespace toy
""")
        result = self.run_gen("list", "--format=json", "--name=toy", spec)
        self.assert_ok(result)
        listed = json.loads(result.stdout)
        self.assertEqual(list(listed), ["outputs", "deps", "rules"])
        momentum = listed["rules"][0]
        self.assertEqual((momentum["name"], momentum["namespace"], momentum["instances"]),
                         ("Momentum", "toy", [["f32"], ["f16"]]))
        self.assertIn("Momentum.", momentum["doc"])
        params = {p.pop("name"): p for p in momentum["params"]}
        self.assertEqual(list(params), ["weight", "mom", "grad", "lr", "t"])
        self.assertEqual(params["weight"], {"kind": "tensor", "role": "parameter", "rank": 2, "type": "DType",
                                            "read": True, "written": True, "doc": "what is trained"})
        self.assertEqual(params["mom"]["initial"], 0.5)
        self.assertEqual((params["mom"]["role"], params["mom"]["type"]), ("state", "f32"))
        self.assertEqual((params["grad"]["role"], params["grad"]["written"]), ("gradient", False))
        self.assertEqual((params["lr"]["role"], params["lr"]["default"]), ("hyper", 0.001))
        self.assertEqual((params["t"]["role"], params["t"]["type"], params["t"]["default"]), ("step", "i32", 1))
        only = json.loads(self.run_gen("list", "--format=json", "--kernels", spec).stdout)
        self.assertEqual(list(only), ["rules"])


    def test_what_is_read_and_written(self):
        """Directly or through parts and views; not what an earlier kernel wrote whole."""
        spec = self.write("half.h", """#include <mshadow/kernel.h>
using namespace mshadow;
using namespace mshadow::expr;
template <typename xpu, typename DType>
MSHADOW_KERNEL void Halves(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, DType> sum,
                           const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 2, DType> &turned,
                           const Tensor<xpu, 2, DType> &like, bool more) {
  slice<1>(out, 0, in.size(1)) = in + mirror(turned) + slice<0>(sum, 0, like.size(0));
  MSHADOW_STAGE();
  if (more) sum = F<op::identity>(in);
  MSHADOW_STAGE();
  if (more) sum = slice<1>(out, 0, in.size(1)) + in;
}
MSHADOW_INSTANTIATE(Halves, float);
template <typename xpu, typename DType>
MSHADOW_KERNEL void Twice(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = F<op::identity>(in);
  MSHADOW_STAGE();
  out += in;
}
MSHADOW_INSTANTIATE(Twice, float);
""")
        result = self.run_gen("list", "--format=json", "--kernels", spec)
        self.assert_ok(result)
        access = [{p["name"]: p["read"] * "r" + p["written"] * "w" for p in rule["params"] if p["kind"] == "tensor"}
                  for rule in json.loads(result.stdout)["rules"]]
        self.assertEqual(access, [{"out": "rw", "sum": "rw", "in": "r", "turned": "r", "like": ""},
                                  {"out": "w", "in": "r"}])


class ExplainTest(CliCase):
    def test_text(self):
        result = self.run_gen("explain", self.step, self.scale)
        self.assert_ok(result)
        self.assertIn("toy::Step  (step.h:", result.stdout)
        self.assertIn("1 statement in 1 pass", result.stdout)
        self.assertIn("12 per element", result.stdout)
        self.assertNotIn("Step", self.run_gen("explain", "--kernel=toy::Scale", self.step, self.scale).stdout)

    def test_rules_that_share_a_name(self):
        spec = pathlib.Path(__file__).resolve().parents[1] / "frontend" / "overloads.h"
        titles = lambda kernel: re.findall(r"^specs::([\w:]+)  \(", self.run_gen("explain", *kernel, spec).stdout, re.M)
        self.assertEqual(titles([]), ["FillRank1", "FillRank2", "inner::Fill"])
        self.assertEqual(titles(["--kernel=Fill"]), ["FillRank1", "FillRank2", "inner::Fill"])
        self.assertEqual(titles(["--kernel=FillRank2"]), ["FillRank2"])
        listed = json.loads(self.run_gen("list", "--format=json", spec).stdout)["rules"]
        self.assertEqual([rule.get("overloads") for rule in listed], ["Fill", "Fill", None])

    def test_numerics(self):
        for mode, row in (("strict", None), ("contract", "contract"), ("fast", "fast, 0 operations approximated within 4 ULP")):
            args = ["explain", f"--numerics={mode}", "--kernel=Step", self.step, self.scale]
            report = json.loads(self.run_gen(*args, "--format=json").stdout)
            self.assertEqual(report["numerics"], mode)
            self.assertEqual(report["kernels"][0].get("approximate"), 0 if mode == "fast" else None)
            rows = re.findall(r"^  numerics +(.*)$", self.run_gen(*args).stdout, re.M)
            self.assertEqual(rows, [row] if row else [])

    def test_determinism(self):
        """The level is in reports and headers; a rule that gives less than what is asked for is refused."""
        args = ["explain", "--kernel=Step", self.step, self.scale]
        for mode, level, row in (("strict", "everywhere", "everywhere"),
                                 ("contract", "run-to-run",
                                  "from run to run only, because with --numerics=contract, rounding depends on the "
                                  "instruction set")):
            report = json.loads(self.run_gen(*args, f"--numerics={mode}", "--format=json").stdout)
            self.assertEqual(report["kernels"][0]["determinism"], level)
            text = self.run_gen(*args, f"--numerics={mode}").stdout
            self.assertEqual(re.findall(r"^  determinism +(.*)$", text, re.M), [row])
            result = self.generate("--determinism=everywhere", f"--numerics={mode}")
            if level == "everywhere":
                self.assert_ok(result)
                self.assertIn("// Determinism: the same bits everywhere.\n", (self.out / "step.gen.h").read_text())
            else:
                self.assert_status(result, 1)
                self.assertIn("for --determinism=everywhere, generate it with --numerics=strict", result.stderr)
            self.assert_ok(self.generate(f"--numerics={mode}", "--emit=header,cpu,blob,c"))
            said = re.findall(r"^// Numerics: (\w+)\.", (self.out / "toy_c.h").read_text(), re.M)
            self.assertEqual(said, [] if mode == "strict" else [mode])

    def test_json(self):
        result = self.run_gen("explain", "--format=json", "--kernel=Step", self.step, self.scale)
        self.assert_ok(result)
        kernel, = json.loads(result.stdout)["kernels"]
        self.assertEqual((kernel["name"], kernel["passes"], kernel["bytes_per_element"]), ("Step", 1, 12))
        self.assertEqual(kernel["operands"][0],
                         {"name": "weight", "type": "DType", "map": "identity", "load": True, "store": "always"})
        part, = kernel["parts"]
        self.assertEqual((part["kind"], part["statements"], part["loads"], part["stores"]),
                         ("sweep", [1], ["weight", "grad"], ["weight"]))
        self.assertEqual((part["flops"], kernel["workspace_bytes"]), (2, 0))
        self.assertEqual(kernel["launch"], {
            "split": "elements", "lanes": {"baseline": 4, "avx2": 8, "avx512": 16}, "streamed": None, "waits_for_divider": False,
            "gpu": {"threads_per_block": 256, "vector": 4, "vectors_in_flight": 1}})

    def test_short_rows(self):
        """A slice says how many elements a row has."""
        spec = self.write("rows.h", (
            "#include <mshadow/kernel.h>\nnamespace toy {\nusing namespace mshadow;\nusing namespace mshadow::expr;\n"
            "template <typename xpu, typename DType>\n"
            "MSHADOW_KERNEL void Colours(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {\n"
            "  out = slice<1>(in, 0, 3) * 2.0f;\n}\nMSHADOW_INSTANTIATE(Colours, float);\n}\n"))
        report = json.loads(self.run_gen("explain", "--format=json", spec).stdout)
        self.assertEqual(report["kernels"][0]["launch"]["short_rows"], 3)
        self.assertIn("CPU: rows of 3; a packet has elements of several", self.run_gen("explain", spec).stdout)

    def test_page(self):
        """Each kernel with its text and what a script draws from: the report, the spec and the loops.
        Nothing comes from elsewhere, and nothing ends the script before its end."""
        self.assert_ok(self.generate("--emit=report_html"))
        page = (self.out / "toy.report.html").read_text()
        self.assertIn('<a href="#toy::Step">toy::Step</a>', page)
        self.assertIn("1 statement in 1 pass", page)
        self.assertNotRegex(page, r"https?://|<link|<script [^>]*src|@import|fetch\(")
        text, data, script = re.fullmatch(
            r'(.*)<script type="application/json" id="report">(.*?)</script>\n<script>(.*)</script>\n</html>\n', page,
            re.S).groups()
        pre = text[text.index("<pre>"):]
        self.assertEqual(set(re.findall("<(/?[a-z0-9]+)", pre)) - {"h2", "/h2", "div", "/div", "details", "/details",
                                                                   "summary", "/summary"}, {"pre", "/pre"})
        report = json.loads(data)
        explained = json.loads(self.run_gen("explain", "--format=json", self.step, self.scale).stdout)
        self.assertEqual(report["kernels"], explained["kernels"])
        self.assertEqual(report["specs"], {spec.name: spec.read_text() for spec in (self.step, self.scale)})
        self.assertIn("MSHADOW_BODY void StepRows", report["loops"]["step.h"])
        self.assertNotIn("</", data)

    def test_what_stops_fusion(self):
        """Each sweep, and where it reads what only the end of another one gives."""
        specs = pathlib.Path(__file__).resolve().parents[2] / "specs"
        result = self.run_gen("explain", "--kernel=Softmax", specs / "activation" / "softmax.h")
        self.assert_ok(result)
        lines = (specs / "activation" / "softmax.h").read_text().splitlines()
        line = {text: 1 + next(i for i, l in enumerate(lines) if text in l) for text in ("total =", "out =")}
        self.assertIn("  row pass 2  statement 2; loads in; reduces total_sum; 4 bytes, 2 flops, exp per element\n",
                      result.stdout)
        self.assertIn("  e: promoted<DType>, on CPUs computed once per row, and kept for the later row passes\n", result.stdout)
        self.assertIn("CPU: out is written with non-temporal stores if a launch moves more bytes than the cache "
                      "holds\n", result.stdout)
        self.assertIn(f"separate: statement 3 (line {line['out =']}) reads total, which is complete only after "
                      f"statement 2 (line {line['total =']})\n", result.stdout)

    def test_random_numbers_are_not_loaded(self):
        """No memory holds them, so they are no bytes."""
        spec = pathlib.Path(__file__).resolve().parents[2] / "specs" / "regularize" / "dropout.h"
        result = self.run_gen("explain", "--kernel=RandomDropout", spec)
        self.assert_ok(result)
        self.assertIn("loads in; stores out; 8 bytes", result.stdout)

    def test_what_views_repeat_is_in_cache(self):
        """Gain and bias of each channel are no bytes of each pixel, but a slice is."""
        spec = pathlib.Path(__file__).resolve().parents[2] / "specs" / "normalize" / "group_norm.h"
        result = self.run_gen("explain", "--kernel=GroupNorm", spec)
        self.assert_ok(result)
        self.assertIn("  bytes       8 per element, for the first of the types; unfused 16\n", result.stdout)
        self.assertIn("loads in, gain_reshape, bias_reshape, mean and inv_std; stores out; 8 bytes,", result.stdout)
        result = self.run_gen("explain", self.write("halves.h", """
            #include <mshadow/kernel.h>
            using namespace mshadow;
            using namespace mshadow::expr;
            template <typename xpu>
            MSHADOW_KERNEL void Halves(Tensor<xpu, 2, float> out, const Tensor<xpu, 2, float> &in,
                                       const Tensor<xpu, 1, float> &v, index_t n) {
              out = slice<1>(in, n, 2 * n) * F<op::exp>(broadcast_with_axis(v, 0, n));
            }
            MSHADOW_INSTANTIATE(Halves, Types<>);
            """))
        self.assert_ok(result)
        self.assertIn("  bytes       8 per element", result.stdout)

    def test_requirements_on_some_extents(self):
        """A tensor that only says how values of a view are counted need not have the view's shape."""
        rules = pathlib.Path(__file__).resolve().parents[1] / "execution" / "temporary_rules.h"
        self.assert_ok(self.run_gen("generate", "--name=rules", "-o", self.dir, rules))
        text = " ".join((self.dir / "temporary_rules.gen.h").read_text().replace("\n//", "").split())
        self.assertIn("'in_flip' and 'out' have the same extents but the last;", text)
        self.assertIn("'in_flip' and 'out' have the same extents but that of dimension 2;", text)

    def test_values_of_vectors(self):
        """Of what a vector's elements are the values: a row, a column, a channel."""
        specs = pathlib.Path(__file__).resolve().parents[2] / "specs"
        for spec, operand in (("normalize/batch_norm_2d.h", "gain: f32, one value per channel, load"),
                              ("normalize/layer_norm.h", "gain: DType, one value per column, load"),
                              ("normalize/layer_norm.h", "mean: f32, one value per row, store")):
            result = self.run_gen("explain", specs / spec)
            self.assert_ok(result)
            self.assertIn(operand + "\n", result.stdout)

    def test_passes_are_counted_as_listed(self):
        """A product is a pass, and so are all sweeps over the rows of one kernel."""
        specs = pathlib.Path(__file__).resolve().parents[2] / "specs"
        for name in ("layer/attention.h", "layer/linear.h", "optim/lamb.h", "normalize/local_response.h"):
            result = self.run_gen("explain", specs / name)
            self.assert_ok(result)
            for rule in result.stdout.split("\n\n"):
                passes = int(re.search(r"in (\d+) pass", rule)[1])
                listed = re.findall(r"^  (product|(?:row|channel) pass 1|pass \d+) ", rule, re.M)
                self.assertEqual(len(listed), passes, rule)

    def test_rows_and_columns_are_one_pass(self):
        """The pass over columns that the kernel over rows may do is said to be left out, and is not counted."""
        specs = pathlib.Path(__file__).resolve().parents[2] / "specs" / "normalize"
        for spec, rule, leaves, moved in (
                ("layer_norm.h", "LayerNormBackward", ["gain_grad_sum", "bias_grad_sum"], 12),
                ("rms_norm.h", "RmsNormBackward", ["gain_grad_sum"], 12)):
            args = "explain", f"--kernel={rule}", specs / spec
            kernel, = json.loads(self.run_gen(*args, "--format=json").stdout)["kernels"]
            self.assertEqual((kernel["passes"], kernel["bytes_per_element"], len(kernel["stages"])), (1, moved, 2))
            self.assertTrue(kernel["parts"][0]["may_be_left_out"])
            self.assertNotIn("leaves", kernel["stages"][0]["launch"])
            self.assertEqual(kernel["stages"][1]["launch"]["leaves"], leaves)
            text = self.run_gen(*args).stdout
            self.assertEqual(re.findall(r"^  ((?:or |row )?pass(?: \d)?) ", text, re.M),
                             ["or pass", "row pass 1", "row pass 2"])
            self.assertIn("left out where the kernel over rows computes the same for 32 rows each\n", text)
            self.assertIn(f"computes {' and '.join(leaves)} of 32 rows each, where that is faster\n", text)
            self.assertIn(f"{' and '.join(leaves)} by leaves: 32 elements, one after the other, are a leaf; ", text)
            orders = kernel["stages"][1]["launch"]["orders"]
            self.assertEqual(set(orders), {"lanes", "leaves"})
            self.assertEqual(orders["leaves"]["reductions"], leaves)

    def test_kernels_around_an_if(self):
        """Branches are passes with what stands before them and behind them."""
        body = """weight -= eta * grad;
  if (eta > 0.5f) {
    MSHADOW_STAGE();
    weight *= 2.0f;
  } else {
    weight += grad;
  }
  weight = weight * eta;"""
        result = self.run_gen("explain", self.write("branches.h", rule("Branches", body=body)))
        self.assert_ok(result)
        self.assertIn("4 statements in 2 passes; unfused 4 passes\n", result.stdout)
        self.assertEqual(re.findall(r"^  kernel +(.*)$", result.stdout, re.M),
                         ["of statements 1 and 3", "of statements 2 and 4"])

    def test_views_that_are_slow(self):
        """A view whose expression is evaluated for each element is named; one that is read by index is not."""
        spec = self.write("sums.h", (
            "#include <mshadow/kernel.h>\nnamespace toy {\nusing namespace mshadow;\nusing namespace mshadow::expr;\n"
            "template <typename xpu, typename DType>\n"
            "MSHADOW_KERNEL void Sums(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {\n"
            "  out = implicit_dot(in, in) + mirror(in);\n}\n"
            "MSHADOW_INSTANTIATE(Sums, float);\n}\n"))
        kernel = json.loads(self.run_gen("explain", "--format=json", spec).stdout)["kernels"][0]
        self.assertEqual([note.split(" ", 1)[1] for note in kernel["performance"]],
                         ["is evaluated one element at a time, where tensors are read in packets of up to 64 bytes (line 7); "
                          "such a part took 2.2 times as long in a measurement"])

    def test_a_kernel_that_has_nothing_to_do_is_not_launched(self):
        body = """weight -= eta * grad;
  MSHADOW_STAGE();
  if (eta > 0.5f) weight *= 2.0f;"""
        self.assert_ok(self.generate(specs=[self.write("sometimes.h", rule("Sometimes", body=body))]))
        runs = re.findall(r"^ *(.*)\{\n *mshadow::RunPlan<", (self.out / "sometimes.gen.cc").read_text(), re.M)
        self.assertEqual(runs, ["if (shape1.Size() > 0) ", "if (shape2.Size() > 0 && s2.eta_above_half) "])

    def test_a_rule_that_reduces_everything(self):
        specs = pathlib.Path(__file__).resolve().parents[2] / "specs"
        result = self.run_gen("explain", "--format=json", "--kernel=Lamb", specs / "optim" / "lamb.h")
        self.assert_ok(result)
        kernel, = json.loads(result.stdout)["kernels"]
        self.assertEqual([part["kind"] for part in kernel["parts"]], ["sweep", "once", "sweep"])
        self.assertEqual([part["bytes_per_element"] for part in kernel["parts"]], [24, 0, 16])
        self.assertEqual(kernel["parts"][2]["begins_because"]["reads"], "ratio")
        self.assertEqual(kernel["workspace_bytes"], 2 * 256 * 16 * 4 + 4)
        self.assertEqual(kernel["launch"]["split"], "elements, in chunks")


if __name__ == "__main__":
    unittest.main()
