// SPDX-License-Identifier: Apache-2.0
// The CUDA back end: adamw.gen.cu for each spec.
#include <algorithm>

#include "backends/backends.h"
#include "backends/common/banner.h"
#include "backends/common/namespaces.h"
#include "backends/cuda/pieces.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace {

NamespacePath In(NamespacePath path, const std::vector<std::string> &inner) {
  path.insert(path.end(), inner.begin(), inner.end());
  return path;
}

/// The includes for the words of the kernels' bodies.
std::string Words(const SpecText &spec) {
  std::set<std::string> words = GpuWords(spec.kernels);
  words.insert("kernel");
  if (spec.HasCalls(Statement::kScatter)) words.insert("scatter");
  if (spec.HasCalls(Statement::kSort)) words.insert("sort_rows");
  std::vector<std::string> lines;
  for (const std::string &file : words) {
    lines.push_back("#include <mshadow/cuda/" + file + ".cuh>");
  }
  return Join(lines, "\n");
}

/// The instances of the functions that calls run, each once.
std::string CallInstances(const SpecText &spec) {
  std::set<std::string> lines;
  for (const PlanText &rule : spec.rules) {
    for (const PlanStage &stage : rule.plan().stages) {
      if (!stage.call || stage.call->kind == Statement::kProduct) continue;
      for (const PlanText::Instance &instance : rule.Instances()) {
        const auto type = [&](int tensor) {
          return rule.TypeName(rule.plan().rule.params[tensor].type, instance);
        };
        if (stage.call->kind == Statement::kSort) {
          const int columns = stage.call->sort.columns;
          lines.insert(RenderList(
              "MSHADOW_SORT_INSTANCE(",
              {type(stage.call->left.tensor), columns < 0 ? "int32_t" : type(columns)}, ");"));
          continue;
        }
        lines.insert(RenderList("MSHADOW_SCATTER_INSTANCE(",
                                {stage.call->clips ? "true" : "false", type(stage.call->target),
                                 type(stage.call->left.tensor)},
                                ");"));
      }
    }
  }
  return Join({lines.begin(), lines.end()}, "\n");
}

std::string Body(const SpecText &spec) {
  NamespacedText text;
  for (const PlanText &rule : spec.kernels) {
    if (cuda::IsTuned(rule.plan())) text.Add(In(spec.home, {""}), cuda::TuningText(rule));
  }
  Values region;
  region.Set("stem", spec.stem)
      .Set("views", spec.ReadsViews())
      .Set("row_buffers", spec.HasRowBuffers());
  const NamespacePath device = In(spec.home, {"", "device"});
  text.Add(device, RenderTemplate("cuda/region.tmpl.gen.cu", region));
  for (const PlanText &rule : spec.kernels) text.Add(device, cuda::KernelText(rule));
  for (const PlanText &rule : spec.kernels) {
    if (cuda::TakesVectors(rule.plan())) text.Add(In(spec.home, {""}), cuda::StartText(rule));
  }
  for (const PlanText &rule : spec.kernels) text.Add(rule.fused_path(), cuda::EntryText(rule));
  if (const std::string instances = CallInstances(spec); !instances.empty()) {
    text.Add({}, instances);
  }
  return text.Finish();
}

}  // namespace

std::vector<OutputFile> EmitCuda(const std::vector<Plan> &plans, const EmitOptions &options) {
  std::vector<OutputFile> files;
  for (const SpecText &spec : GroupBySpec(plans, options)) {
    const auto calls_libm = [](const PlanText &rule) {
      return !rule.plan().lanewise_calls.empty();
    };
    Values values;
    values.Set("banner", Banner(spec, ".gen.cu", "CUDA kernels and their launches.", options))
        .Set("stem", spec.stem)
        .Set("words", Words(spec))
        .Set("calls_libm", std::any_of(spec.kernels.begin(), spec.kernels.end(), calls_libm))
        .Set("body", Body(spec));
    files.push_back({spec.stem + ".gen.cu", RenderTemplate("cuda/spec.tmpl.gen.cu", values)});
  }
  return files;
}

}  // namespace mgen
