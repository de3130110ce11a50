// SPDX-License-Identifier: Apache-2.0
// adamw.blob.h and adamw.blob.cc: rules for tensors whose element types, rank and device are known
// at run time.
#include <algorithm>

#include "backends/backends.h"
#include "backends/common/banner.h"
#include "backends/common/entry_text.h"
#include "backends/common/namespaces.h"
#include "emit/comment.h"
#include "emit/literal.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace {

/// The entry of one rule.
class BlobEntry {
 public:
  explicit BlobEntry(const PlanText &rule) : rule_(rule) {
    std::vector<std::string> reserved = {"tensors", "device", "mshadow", "Launch" + rule.rule()};
    params_ = EntryParams(rule, reserved);
    Scope scope({"tensors", "device", "mshadow"});
    for (const EntryParam &param : params_) scope.Take(param.name);
    for (const std::string &type : rule.type_params()) tags_.push_back(scope.Take(TagName(type)));
  }

  std::string Declaration() const {
    const std::string types = TypeChoice(rule_);
    const std::string what = "Runs " + rule_.rule() + (types.empty() ? "" : " for " + types) +
                             " on the device of the tensors.";
    return DocComment({what}) + "\n" + Signature(true) + ";";
  }

  std::string Definition() const {
    std::vector<std::string> tensors, args, lambda = {"auto device"}, types;
    for (const EntryParam &param : params_) {
      if (param.is_tensor) tensors.push_back("&" + param.name);
      args.push_back(Argument(param));
    }
    for (const std::string &tag : tags_) {
      lambda.push_back("auto " + tag);
      types.push_back("mshadow::TypeOf<decltype(" + tag + ")>");
    }
    const std::string args_type =
        rule_.rule() + "Args" + (types.empty() ? "" : TemplateArgs(types));
    Values values;
    values.Set("signature", Signature(false) + " {")
        .Set("tensors", RenderList("const mshadow::BlobArg *const tensors[] = {", tensors, "};",
                                   kLineWidth - 2))
        .Set("rule", rule_.rule())
        .Set("lambda", Join(lambda, ", "))
        .Set("launch", RenderList("Launch" + rule_.rule() + "(device, " + args_type + "{", args,
                                  "});", kLineWidth - 4));
    return RenderTemplate("blob/entry.tmpl.blob.cc", values);
  }

 private:
  /// "DType" -> "dtype": the parameter of the lambda that has this type.
  static std::string TagName(const std::string &type) {
    std::string name;
    for (const char c : type) name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return IsIdentifier(name) ? name : name + "_type";
  }

  std::string Signature(bool with_defaults) const {
    std::vector<std::string> params;
    for (const EntryParam &param : params_) {
      if (param.is_tensor) {
        params.push_back("const mshadow::BlobArg &" + param.name);
        continue;
      }
      const std::string type = ScalarTypeName(param);
      const bool has_default = with_defaults && param.value;
      params.push_back(
          type + " " + param.name +
          (has_default ? " = " + LiteralText(*param.value, TypeOfDefault(param), type) : ""));
    }
    return RenderList("void " + rule_.rule() + "(", params, ")");
  }

  std::string Argument(const EntryParam &param) const {
    if (!param.is_symbolic) {
      if (!param.is_tensor) return param.name;
      return "mshadow::Arg<" + std::string(CppName(param.type.kind)) + ">(" + param.name + ")";
    }
    const Param &own = Find(param.spec);
    const std::string &tag = tags_[static_cast<size_t>(own.type.param)];
    if (own.type.promoted) {
      return "mshadow::Arg<mshadow::Promoted<mshadow::TypeOf<decltype(" + tag + ")>>>(" +
             param.name + ")";
    }
    return std::string(param.is_tensor ? "mshadow::Arg(" : "mshadow::ScalarOf(") + param.name +
           ", " + tag + ")";
  }

  const Param &Find(const std::string &name) const {
    size_t i = 0;
    while (rule_.plan().rule.params[i].name != name) ++i;
    return rule_.plan().rule.params[i];
  }

  const PlanText &rule_;
  std::vector<EntryParam> params_;
  std::vector<std::string> tags_;  // of the type parameters
};

std::string SpecPart(const SpecText &spec, bool definitions) {
  NamespacedText text;
  for (const PlanText &rule : spec.rules) {
    const BlobEntry entry(rule);
    text.Add(rule.fused_path(), definitions ? entry.Definition() : entry.Declaration());
  }
  return text.Finish();
}

OutputFile Header(const SpecText &spec, const EmitOptions &options) {
  bool needs_math_h = false;
  for (const PlanText &rule : spec.rules) needs_math_h = needs_math_h || rule.NeedsMathHeader();
  const std::string file = spec.stem + ".blob.h";
  const std::string what =
      JoinAnd(spec.RuleNames()) +
      " for tensors whose element types, rank and device are known only at run time. A call runs "
      "the instance that fits. If none does, it throws mshadow::Error, which lists the instances, "
      "and writes nothing.";
  Values values;
  values.Set("banner", Banner(spec, ".blob.h", what, options))
      .Set("file", file)
      .Set("guard", spec.Guard(file))
      .Set("revision", std::to_string(kCodeRevision))
      .Set("needs_math_h", needs_math_h)
      .Set("entries", SpecPart(spec, false));
  return {file, RenderTemplate("blob/spec.tmpl.blob.h", values)};
}

OutputFile Source(const SpecText &spec, const EmitOptions &options) {
  Values values;
  values
      .Set("banner",
           Banner(spec, ".blob.cc", "Finds the instance for the blobs of a call.", options))
      .Set("stem", spec.stem)
      .Set("entries", SpecPart(spec, true));
  return {spec.stem + ".blob.cc", RenderTemplate("blob/spec.tmpl.blob.cc", values)};
}

}  // namespace

std::vector<OutputFile> EmitBlob(const std::vector<Plan> &plans, const EmitOptions &options) {
  std::vector<OutputFile> files;
  for (const SpecText &spec : GroupBySpec(plans, options)) {
    files.push_back(Header(spec, options));
    files.push_back(Source(spec, options));
  }
  return files;
}

}  // namespace mgen
