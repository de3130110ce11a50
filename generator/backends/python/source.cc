// SPDX-License-Identifier: Apache-2.0
// optim.py: the rules of a target for Python, by way of its C functions.
#include <algorithm>
#include <cmath>

#include "backends/backends.h"
#include "backends/c/c_names.h"
#include "backends/common/entry_text.h"
#include "backends/common/spec_text.h"
#include "emit/comment.h"
#include "emit/literal.h"
#include "emit/template.h"
#include "ir/access.h"

namespace mgen {
namespace {

/// Keywords of Python that are names in C++.
const std::vector<std::string> kKeywords = {
    "False", "None",   "True",     "as",      "assert", "async",  "await",  "def",
    "del",   "elif",   "except",   "finally", "from",   "global", "import", "in",
    "is",    "lambda", "nonlocal", "pass",    "raise",  "with",   "yield"};
/// The names that target.tmpl.py defines, and those of Python that it uses: a rule with one of them
/// would replace it. No rule's name begins with an underscore or is a keyword of C++, so such names
/// are left out. tests/cli/test_python_names.py checks that none is missing.
const std::vector<std::string> kModuleNames = {
    "BufferError", "Error",     "Exception",  "IndexError", "List",   "NoInstance", "RuntimeError",
    "Tensor",      "TypeError", "ValueError", "any",        "ctypes", "dict",       "enumerate",
    "getattr",     "hasattr",   "isinstance", "issubclass", "len",    "list",       "load",
    "map",         "max",       "memoryview", "range",      "str",    "sys",        "tensor",
    "threading",   "tuple",     "type",       "zip"};

std::string Literal(const LiteralValue &value, ScalarKind kind) {
  if (kind == ScalarKind::kBool) return IntegerDigits(value, true) == "true" ? "True" : "False";
  if (!IsFloat(kind)) return IntegerDigits(value);
  const double number = std::visit([](auto v) { return static_cast<double>(v); }, value);
  if (std::isnan(number)) return "float(\"nan\")";
  if (std::isinf(number)) return number < 0 ? "-float(\"inf\")" : "float(\"inf\")";
  const bool is_float = static_cast<double>(static_cast<float>(number)) == number;
  std::string text = is_float ? FloatLiteral(static_cast<float>(number)) : DoubleLiteral(number);
  if (text.back() == 'f') text.pop_back();
  return text;
}

/// "float", "int32": the name of the type in ctypes, after "c_".
std::string CTypesName(ScalarKind kind) {
  if (kind == ScalarKind::kFloat64) return "double";
  if (IsFloat(kind)) return "float";
  const std::string name(CppName(kind));  // "int32_t", "bool"
  return name == "bool" ? name : name.substr(0, name.size() - 2);
}

std::string Escaped(const std::string &line) {
  std::string out;
  for (const char c : EscapeComment(line)) {
    if (c == '\\' || c == '"') out += '\\';
    out += c;
  }
  return out;
}

/// The rule's comment, with "x: what" for "\param x what".
std::string DocString(const PlanText &rule) {
  std::string doc;
  for (const std::string &line : RuleDoc(rule.plan().rule)) {
    std::string text = line;
    if (text.rfind("\\param ", 0) == 0) {
      const size_t name = 7, end = std::min(text.find(' ', name), text.size());
      text = text.substr(name, end - name) + ":" + text.substr(end);
    }
    doc += (doc.empty() ? "" : "\n") + Escaped(text);
  }
  if (doc.empty()) doc = rule.rule() + ".";
  return "\"\"\"" + doc + (doc.find('\n') == doc.npos ? "" : "\n") + "\"\"\"";
}

std::string Function(const PlanText &rule, const std::string &name, const std::string &c_name) {
  const std::string call = "_call_" + name;
  std::vector<std::string> params, args, handle = {"\"" + c_name + "\"", "\"" + rule.rule() + "\""};
  int index = 0;
  for (const EntryParam &param : EntryParams(rule, Append(kKeywords, {call}))) {
    const bool is_written = param.is_tensor && AccessOf(rule.plan(), index).written;
    ++index;
    params.push_back(param.name +
                     (param.value ? "=" + Literal(*param.value, param.type.kind) : ""));
    args.push_back(param.name);
    const std::string mark = !param.is_tensor ? ":" + CTypesName(param.type.kind)
                             : is_written     ? "="
                                              : "";
    handle.push_back("\"" + param.spec + mark + "\"");
  }
  Values values;
  values.Set("handle", RenderList(call + " = _Rule(", handle, ")"))
      .Set("signature", RenderList("def " + name + "(", params, "):"))
      .Set("doc", DocString(rule))
      .Set("call", RenderList(call + "(", args, ")", kLineWidth - 4));
  return RenderTemplate("python/function.tmpl.py", values);
}

/// "# " before every line of the license header, which is a comment of C++.
std::string License(const EmitOptions &options) {
  std::string text;
  for (size_t begin = 0; begin < options.license.size();) {
    const size_t end = std::min(options.license.find('\n', begin), options.license.size());
    text += "# " + options.license.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return text;
}

}  // namespace

std::vector<OutputFile> EmitPython(const std::vector<Plan> &plans, const EmitOptions &options) {
  const std::vector<SpecText> specs = GroupBySpec(plans, options);
  std::vector<std::string> all, functions;
  for (const SpecText &spec : specs) {
    for (const PlanText &rule : spec.rules) all.push_back(rule.rule());
  }
  CNames names(options.base);
  Scope scope;
  for (const auto *list : {&kKeywords, &kModuleNames}) {
    for (const std::string &name : *list) scope.Take(name);
  }
  for (const SpecText &spec : specs) {
    for (const PlanText &rule : spec.rules) {
      const std::string c_name = names.Next(rule);
      const bool is_only = std::count(all.begin(), all.end(), rule.rule()) == 1;
      functions.push_back(Function(rule, scope.Take(is_only ? rule.rule() : c_name), c_name));
    }
  }
  const std::string file = options.base + ".py";
  Values values;
  values
      .Set("banner", License(options) + "# " + file +
                         " -- generated by mshadow-gen: every rule of this target, for Python.")
      .Set("base", options.base)
      .Set("functions", Join(functions, "\n\n"));
  return {{file, RenderTemplate("python/target.tmpl.py", values)}};
}

}  // namespace mgen
