// SPDX-License-Identifier: Apache-2.0
/// \file template.h
/// Renders the files of templates/: mustache without logic and without escaping. It throws
/// EmitError, with the template's file and line, where mustache is silent: for a tag without a
/// value, a value that no tag uses, and several lines where only one can be.
///
///     {{name}}                 the value, without newlines at its end. The tag of a value of
///                              several lines begins its line, and all of them get its column. If
///                              a tag is alone on its line and the value is empty, there is no line
///     {{#name}} … {{/name}}    once for a true or non-empty value, or for each of a list
///     {{^name}} … {{/name}}    for a false or empty value, or an empty list
///     {{> file}}               the text of another template, at the tag's column
#ifndef MSHADOW_GENERATOR_EMIT_TEMPLATE_H_
#define MSHADOW_GENERATOR_EMIT_TEMPLATE_H_

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mgen {

/// The values of a template's tags. Sections use their own values first, then those around them.
class Values {
 public:
  using List = std::vector<Values>;
  using Value = std::variant<std::string, bool, List>;

  Values &Set(const std::string &key, std::string value) { return Put(key, std::move(value)); }
  Values &Set(const std::string &key, const char *value) { return Put(key, std::string(value)); }
  Values &Set(const std::string &key, bool value) { return Put(key, value); }
  Values &Set(const std::string &key, List value) { return Put(key, std::move(value)); }

  const std::map<std::string, Value> &all() const { return values_; }

 private:
  Values &Put(const std::string &key, Value value);
  std::map<std::string, Value> values_;
};

/// A file of templates/, which embed_templates.cmake puts into the program at build time.
struct EmbeddedTemplate {
  std::string_view name;  ///< path below templates/: "cpu/loop.tmpl.inc"
  std::string_view text;
};
const std::vector<EmbeddedTemplate> &EmbeddedTemplates();

/// The text of templates/`name`. \throws EmitError if there is none
std::string_view TemplateText(const std::string &name);

/// Renders templates/`name`.
std::string RenderTemplate(const std::string &name, const Values &values);

/// Renders `text`. Errors call it `name`.
std::string RenderTemplateText(const std::string &name, std::string_view text,
                               const Values &values);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_EMIT_TEMPLATE_H_
