// SPDX-License-Identifier: Apache-2.0
// optim.py and optim.pyi: the rules of a target for Python, by way of its C functions, and their
// types.
#include <algorithm>
#include <cmath>
#include <sstream>

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
/// The names that target.tmpl.py and target.tmpl.pyi define, and those of Python that they use: a
/// rule with one of them would replace it. No rule's name begins with an underscore or is a keyword
/// of C++, so such names are left out. tests/cli/test_python_names.py checks that none is missing.
const std::vector<std::string> kModuleNames = {
    "BufferError", "Error",      "Exception",    "ImportError", "Inaccessible", "IndexError",
    "List",        "NoInstance", "RuntimeError", "Tensor",      "TensorLike",   "TypeError",
    "ValueError",  "any",        "array",        "bytearray",   "contextlib",   "ctypes",
    "dict",        "enumerate",  "getattr",      "hasattr",     "isinstance",   "issubclass",
    "len",         "list",       "load",         "map",         "max",          "memoryview",
    "object",      "range",      "str",          "sys",         "tensor",       "threading",
    "tuple",       "type",       "typing",       "zip"};

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

/// "float32, float64 or float32": the types of a tensor in the instances, or the only one.
std::string TypesOf(const Rule &rule, const Param &param) {
  std::vector<std::string> names;
  for (const auto &instance : rule.instances) {
    names.push_back(ElementTypeName(KindIn(param.type, instance)));
  }
  const bool is_one = std::count(names.begin(), names.end(), names[0]) == int64_t(names.size());
  return is_one ? names[0] : JoinAnd(names, "or");
}

std::string RankOf(const Param &param) {
  return param.rank == Param::kRankParam ? "any number" : std::to_string(param.rank);
}

/// "2 of out and in; 1 of bias": what `text` says of each tensor; "2" if it says it of all.
template <typename Text>
std::string OfTensors(const Rule &rule, const Text &text) {
  std::vector<std::string> texts, parts;
  std::vector<std::vector<std::string>> names;
  for (const Param &param : rule.signature()) {
    if (!param.is_tensor) continue;
    const auto at = std::find(texts.begin(), texts.end(), text(param));
    if (at == texts.end()) names.emplace_back();
    const size_t i = at - texts.begin();
    if (at == texts.end()) texts.push_back(text(param));
    names[i].push_back(param.name);
  }
  if (texts.size() == 1) return texts[0];
  for (size_t i = 0; i < texts.size(); ++i) parts.push_back(texts[i] + " of " + JoinAnd(names[i]));
  return Join(parts, "; ");
}

/// What a caller must know of the tensors: lines of at most the width of a docstring.
std::vector<std::string> TensorLines(const Rule &rule, const std::vector<std::string> &written) {
  std::vector<std::string> lines;
  const auto add = [&lines](const std::string &text) {
    std::istringstream wrapped(WrapComment(text, "", "", kLineWidth - 4));
    for (std::string line; std::getline(wrapped, line);) lines.push_back(line);
  };
  add("Element types: " +
      OfTensors(rule, [&rule](const Param &param) { return TypesOf(rule, param); }) + ".");
  add("Dimensions: " + OfTensors(rule, RankOf) + ".");
  add("Writes " + JoinAnd(written) + ".");
  return lines;
}

/// The rule's comment, with "x: what" for "\param x what", and with lines about its tensors.
std::string DocString(const PlanText &rule, const std::vector<std::string> &written) {
  std::vector<std::string> lines = RuleDoc(rule.plan().rule);
  if (lines.empty()) lines.push_back(rule.rule() + ".");
  for (const std::string &line : TensorLines(rule.plan().rule, written)) AddToDoc(line, &lines);
  std::string doc;
  for (const std::string &line : lines) {
    std::string text = line;
    if (text.rfind("\\param ", 0) == 0) {
      const size_t name = 7, end = std::min(text.find(' ', name), text.size());
      text = text.substr(name, end - name) + ":" + text.substr(end);
    }
    doc += (doc.empty() ? "" : "\n") + Escaped(text);
  }
  return "\"\"\"" + doc + (doc.find('\n') == doc.npos ? "" : "\n") + "\"\"\"";
}

/// The type of an argument in the stub.
std::string Annotation(const EntryParam &param) {
  if (param.is_tensor) return "TensorLike";
  if (param.type.kind == ScalarKind::kBool) return "bool";
  return IsFloat(param.type.kind) ? "float" : "int";
}

std::vector<std::string> Quoted(std::vector<std::string> names) {
  for (std::string &name : names) name = "\"" + name + "\"";
  return names;
}

/// A rule in the module and in its stub.
struct PythonFunction {
  std::string definition, stub;
};

PythonFunction Function(const PlanText &rule, const std::string &name, const CName &c_name) {
  const std::string call = "_call_" + name;
  std::vector<std::string> params, args, typed, written;
  std::vector<std::string> handle = {c_name.function, c_name.packed, rule.rule()};
  int index = 0;
  for (const EntryParam &param : EntryParams(rule, Append(kKeywords, {call}))) {
    const bool is_written = param.is_tensor && AccessOf(rule.plan(), index).written;
    ++index;
    const std::string value = param.value ? Literal(*param.value, param.type.kind) : "";
    params.push_back(param.name + (value.empty() ? "" : "=" + value));
    typed.push_back(param.name + ": " + Annotation(param) + (value.empty() ? "" : " = " + value));
    if (is_written) written.push_back(param.name);
    args.push_back(param.name);
    const std::string mark = !param.is_tensor ? ":" + CTypesName(param.type.kind)
                             : is_written     ? "="
                                              : "";
    handle.push_back(param.spec + mark);
  }
  Values values;
  values.Set("handle", RenderList(call + " = _Rule(", Quoted(handle), ")"))
      .Set("signature", RenderList("def " + name + "(", params, "):"))
      .Set("doc", DocString(rule, written))
      .Set("call", RenderList(call + "(", args, ")", kLineWidth - 4));
  return {RenderTemplate("python/function.tmpl.py", values),
          RenderList("def " + name + "(", typed, ") -> None: ...")};
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
  std::vector<std::string> all, functions, stubs;
  std::vector<std::string> public_names = {"Error",  "Inaccessible", "List",  "NoInstance",
                                           "Tensor", "load",         "tensor"};
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
      const CName c_name = names.Next(rule);
      const bool is_only = std::count(all.begin(), all.end(), rule.rule()) == 1;
      public_names.push_back(scope.Take(is_only ? rule.rule() : c_name.function));
      const PythonFunction function = Function(rule, public_names.back(), c_name);
      functions.push_back(function.definition);
      stubs.push_back(function.stub);
    }
  }
  const std::string module = options.base + ".py", stub = options.base + ".pyi";
  const std::string banner = License(options) + "# ";
  const std::string made = " -- generated by mshadow-gen: ";
  Values values, types;
  values.Set("all", RenderList("__all__ = [", Quoted(public_names), "]"))
      .Set("banner", banner + module + made + "every rule of this target, for Python.")
      .Set("base", options.base)
      .Set("functions", Join(functions, "\n\n"));
  types.Set("banner", banner + stub + made + "the types of " + module + ".")
      .Set("functions", Join(stubs, "\n"));
  return {{module, RenderTemplate("python/target.tmpl.py", values)},
          {stub, RenderTemplate("python/target.tmpl.pyi", types)}};
}

}  // namespace mgen
