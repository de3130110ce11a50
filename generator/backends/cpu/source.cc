// SPDX-License-Identifier: Apache-2.0
// adamw.gen.cc and adamw.loop.inc.
#include <algorithm>

#include "backends/backends.h"
#include "backends/common/banner.h"
#include "backends/common/skeleton.h"
#include "backends/cpu/pieces.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace {

bool HasShortRows(const SpecText &spec) {
  return std::any_of(spec.kernels.begin(), spec.kernels.end(),
                     [](const PlanText &kernel) { return kernel.plan().schedule.short_rows > 0; });
}
bool HasTiles(const PlanText &kernel) { return !kernel.plan().schedule.tiled.empty(); }
bool Collects(const PlanText &kernel) { return kernel.plan().schedule.collected > 0; }
bool JoinsRows(const PlanText &kernel) {
  return kernel.plan().schedule.joins_tiled || Collects(kernel);
}
bool HasBands(const PlanText &kernel) { return HasTiles(kernel) && kernel.plan().kept.is_rows(); }

/// The includes of a region for the words of the kernels' bodies.
std::string Words(const SpecText &spec) {
  std::vector<std::string> lines;
  const auto include = [&lines](bool uses, const std::string &file) {
    if (uses) lines.push_back("#include <mshadow/packet/" + file + ".inc>");
  };
  for (const std::string &words : CpuWords(spec.kernels)) include(true, words);
  include(spec.HasRowBuffers(), "row_buffer");
  include(spec.ReadsViews(), "views");
  include(HasShortRows(spec), "short_rows_in_packets");
  const auto any = [&spec](bool (*has)(const PlanText &)) {
    return std::any_of(spec.kernels.begin(), spec.kernels.end(), has);
  };
  include(any(JoinsRows), "rows_follow");
  include(any(Collects), "collected_in_packets");
  include(any(HasTiles), "tiles_in_packets");
  include(any(HasBands), "bands_in_packets");
  return Join(lines, "\n");
}

std::string Regions(const SpecText &spec, const EmitOptions &options) {
  const std::string words = Words(spec);
  Values::List isas;
  for (const char *isa : {"avx2", "avx512"}) {
    if (std::find(options.isa.begin(), options.isa.end(), isa) == options.isa.end()) continue;
    const bool wide = std::string(isa) == "avx512";
    isas.push_back(Values()
                       .Set("isa", isa)
                       .Set("macro", wide ? "MSHADOW_HAS_AVX512" : "MSHADOW_HAS_AVX2")
                       .Set("words", words));
  }
  Values values;
  values.Set("stem", spec.stem).Set("isas", isas).Set("words", words);
  return RenderTemplate("cpu/regions.tmpl.gen.cc", values);
}

bool HasStages(const SpecText &spec) {
  return std::any_of(spec.rules.begin(), spec.rules.end(),
                     [](const PlanText &rule) { return rule.plan().is_staged(); });
}

bool HasLeaves(const SpecText &spec) {
  return std::any_of(spec.kernels.begin(), spec.kernels.end(),
                     [](const PlanText &kernel) { return kernel.plan().leaves.has_value(); });
}

NamespacePath Unnamed(NamespacePath path) {
  path.push_back("");
  return path;
}

OutputFile Source(const SpecText &spec, const EmitOptions &options) {
  NamespacedText body;
  if (options.cuda) {
    std::string where = "// In " + spec.stem + ".gen.cu.\n";  // above the first one
    for (const PlanText &rule : spec.kernels) {
      body.Add(rule.fused_path(), where + KernelDeclarationText(rule));
      where.clear();
    }
  }
  body.Add(Unnamed(spec.home), Regions(spec, options));
  for (const PlanText &rule : spec.kernels) {
    body.Add(Unnamed(rule.fused_path()), RunText(rule, options));
  }
  for (const PlanText &rule : spec.rules) {
    if (!rule.plan().is_staged()) continue;
    if (rule.has_scalars()) body.Add(Unnamed(rule.fused_path()), PrepareText(rule));
    body.Add(Unnamed(rule.fused_path()), StagedText(rule, spec, options));
  }
  for (const PlanText &rule : spec.rules) body.Add(rule.fused_path(), LaunchText(rule));
  for (const PlanText &rule : spec.rules) {
    if (!rule.plan().rule.is_expression) continue;
    body.Add(rule.fused_path(), ExpressionEntriesText(rule));
  }
  const std::string what =
      JoinAnd(spec.RuleNames()) +
      " on the CPU: argument checks, scalars, loops for each instruction set, launchers.";
  Values values;
  values.Set("banner", Banner(spec, ".gen.cc", what, options))
      .Set("stem", spec.stem)
      .Set("has_products", spec.HasCalls(Statement::kProduct))
      .Set("has_scatters", spec.HasCalls(Statement::kScatter))
      .Set("has_sorts", spec.HasCalls(Statement::kSort))
      .Set("has_leaves", HasLeaves(spec))
      .Set("is_staged", HasStages(spec))
      .Set("begin", options.isa.size() > 1 ? "begin_strict" : "begin_baseline")
      .Set("body", body.Finish());
  return {spec.stem + ".gen.cc", RenderTemplate("cpu/spec.tmpl.gen.cc", values)};
}

OutputFile Loops(const SpecText &spec, const EmitOptions &options) {
  std::vector<std::string> rules;
  for (const PlanText &rule : spec.kernels) rules.push_back(LoopText(rule, options));
  Values values;
  values
      .Set("banner", Banner(spec, ".loop.inc",
                            "The CPU's loops. " + spec.stem +
                                ".gen.cc includes this file for each instruction set.",
                            options))
      .Set("rules", Join(rules, "\n"));
  return {spec.stem + ".loop.inc", RenderTemplate("cpu/spec.tmpl.loop.inc", values)};
}

}  // namespace

std::vector<OutputFile> EmitCpu(const std::vector<Plan> &plans, const EmitOptions &options) {
  std::vector<OutputFile> files;
  for (const SpecText &spec : GroupBySpec(plans, options)) {
    files.push_back(Loops(spec, options));
    files.push_back(Source(spec, options));
  }
  return files;
}

}  // namespace mgen
