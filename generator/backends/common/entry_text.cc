// SPDX-License-Identifier: Apache-2.0
#include "backends/common/entry_text.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <string_view>

#include "emit/comment.h"
#include "emit/layout.h"
#include "emit/names.h"
#include "emit/output_file.h"

namespace mgen {
namespace {

/// "a, b or c": the instances. One with several types is in angle brackets.
std::string Choice(const PlanText &rule,
                   const std::function<std::string(const PlanText::Instance &)> &name) {
  if (rule.type_params().empty()) return "";
  std::vector<std::string> names;
  for (const auto &instance : rule.plan().rule.instances) {
    names.push_back(instance.size() == 1 ? name(instance) : "<" + name(instance) + ">");
  }
  return JoinAnd(names, "or");
}

/// The C constant of an element type: "MSHADOW_FLOAT32".
std::string CTypeFlag(ScalarKind kind) {
  std::string flag = "MSHADOW_";
  for (const char c : ElementTypeName(kind)) {
    flag += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return flag;
}

}  // namespace

std::vector<EntryParam> EntryParams(const PlanText &rule,
                                    const std::vector<std::string> &reserved) {
  Scope scope;
  for (const std::string &name : reserved) scope.Take(name);
  std::vector<EntryParam> params;
  for (const Param &param : rule.plan().rule.signature()) {
    EntryParam entry{scope.Take(param.name), param.name, param.is_tensor, param.type.symbolic(),
                     CallerType(param),      {},         param.doc};
    if (!param.is_tensor && entry.is_symbolic) entry.type = Type{ScalarKind::kFloat64};
    if (!param.is_tensor && param.value) {
      entry.value = std::visit([](auto v) { return LiteralValue(v); }, *param.value);
    }
    params.push_back(entry);
  }
  return params;
}

std::string ScalarTypeName(const EntryParam &param) {
  return std::string(CppName(param.type.kind));
}

Type TypeOfDefault(const EntryParam &param) {
  const auto *number = param.value ? std::get_if<int64_t>(&*param.value) : nullptr;
  const bool fits = number != nullptr && *number == static_cast<int32_t>(*number);
  return fits && param.type == Type{ScalarKind::kInt64} ? Type{ScalarKind::kInt32} : param.type;
}

std::string ElementTypeName(ScalarKind kind) {
  static constexpr const char *kIds[] = {
#define MGEN_SCALAR_KIND(id, ir_name, cpp_name, bytes, category) #id,
#include "ir/scalar_kinds.def"
#undef MGEN_SCALAR_KIND
  };
  if (!IsElementKind(kind)) throw EmitError("no element type of tensors");
  std::string name;
  for (const char c : std::string_view(kIds[static_cast<int>(kind)]).substr(1)) {
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return name;
}

std::string TypeChoice(const PlanText &rule) {
  return Choice(rule, [](const PlanText::Instance &types) { return ShortName(types, ", "); });
}

std::string TypeChoiceInC(const PlanText &rule) {
  return Choice(rule, [](const PlanText::Instance &types) {
    std::vector<std::string> names;
    for (const ScalarKind kind : types) names.push_back(CTypeFlag(kind));
    return Join(names, ", ");
  });
}

std::vector<std::string> RuleDoc(const Rule &rule) {
  std::vector<std::string> lines = rule.doc;
  for (const Param &param : rule.signature()) {
    const std::string tag = "\\param " + param.name;
    bool has = param.doc.empty();
    for (const std::string &line : rule.doc) has = has || line.find(tag) != std::string::npos;
    if (!has) lines.push_back(tag + " " + param.doc);
  }
  return lines;
}

void AddToDoc(const std::string &line, std::vector<std::string> *doc) {
  const auto is_param = [](const std::string &l) { return l.find("\\param") != std::string::npos; };
  doc->insert(std::find_if(doc->begin(), doc->end(), is_param), line);
}

std::string TargetBanner(const std::string &text, const EmitOptions &options) {
  std::string license = options.license;
  if (!license.empty() && license.back() != '\n') license += '\n';
  const std::string notice = NoticeOf(options.numerics);
  return license + WrapComment(text, "// ", "// ", kLineWidth) +
         (notice.empty() ? "" : "\n" + WrapComment(notice, "// ", "// ", kLineWidth));
}

}  // namespace mgen
