// SPDX-License-Identifier: Apache-2.0
#include "emit/template.h"

#include <algorithm>
#include <deque>
#include <kainjow/mustache.hpp>
#include <map>
#include <set>

#include "emit/output_file.h"

namespace mgen {
namespace {

using kainjow::mustache::data;

/// Marks an empty line, which kainjow would take away after a section.
constexpr char kBlankLine = '\x01';

/// A tag of a template, and its position. kainjow sees it under the name "@<index>", so that a
/// lookup knows for which tag it is made.
struct Tag {
  std::string name;
  std::string file;
  int line;
  std::string indent;  // the white space before it, if nothing else is before it on its line
  bool begins_line;
  bool probe;  // tests whether the value is there, and does not print it
};

[[noreturn]] void Fail(const std::string &file, int line, const std::string &message) {
  throw EmitError("templates/" + file + ":" + std::to_string(line) + ": " + message);
}

/// A template with its partials expanded and its tags numbered.
class Prepared {
 public:
  Prepared(const std::string &name, std::string_view text) { Add(name, text, ""); }

  const std::string &text() const { return text_; }
  const Tag &tag(const std::string &number) const { return tags_.at(std::stoul(number.substr(1))); }
  bool Uses(const std::string &key) const { return used_.count(key) > 0; }

 private:
  void Add(const std::string &file, std::string_view text, const std::string &indent);
  void AddLine(const std::string &file, int number, std::string_view line,
               const std::string &indent);
  std::string Number(Tag tag);

  std::string text_;
  std::vector<Tag> tags_;
  std::vector<std::pair<std::string, std::string>> open_;  // sections: their names and numbers
  std::set<std::string> used_;
};

void Prepared::Add(const std::string &file, std::string_view text, const std::string &indent) {
  const size_t depth = open_.size();
  int number = 0;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    AddLine(file, ++number, text.substr(0, end), indent);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  if (open_.size() != depth)
    Fail(file, number, "section '" + open_.back().first + "' is not closed");
}

std::string Prepared::Number(Tag tag) {
  used_.insert(tag.name);
  tags_.push_back(std::move(tag));
  return "@" + std::to_string(tags_.size() - 1);
}

void Prepared::AddLine(const std::string &file, int number, std::string_view line,
                       const std::string &indent) {
  std::string out;
  bool section = false;  // the line begins or ends a section, and is not in the result
  size_t at = 0;
  for (size_t open; (open = line.find("{{", at)) != std::string_view::npos;) {
    const size_t close = line.find("}}", open);
    if (close == std::string_view::npos) Fail(file, number, "a tag is not closed on its line");
    const std::string_view before = line.substr(0, open);
    const bool begins = before.find_first_not_of(' ') == std::string_view::npos;
    const bool alone = begins && close + 2 == line.size();
    std::string name(line.substr(open + 2, close - open - 2));
    const char kind = name.empty() ? ' ' : name[0];
    if (std::string_view("#^/>!").find(kind) != std::string_view::npos) name.erase(0, 1);
    name.erase(0, name.find_first_not_of(' '));
    out += line.substr(at, open - at);
    at = close + 2;
    Tag tag{name, file, number, indent + std::string(before), begins, false};
    if (kind == '!') {
      if (alone) return;
    } else if (kind == '>') {
      if (!alone) Fail(file, number, "'{{> " + name + "}}' is not alone on its line");
      return Add(name, TemplateText(name), indent + std::string(before));
    } else if (kind == '#' || kind == '^') {
      const std::string id = Number(tag);
      open_.push_back({name, id});
      out += "{{" + std::string(1, kind) + id + "}}";
      section = alone;
    } else if (kind == '/') {
      if (open_.empty() || open_.back().first != name) {
        Fail(file, number, "'{{/" + name + "}}' closes no section");
      }
      out += "{{/" + open_.back().second + "}}";
      open_.pop_back();
      section = alone;
    } else if (alone) {
      Tag probe = tag;
      probe.probe = true;
      const std::string id = Number(probe);
      text_ += "{{#" + id + "}}" + tag.indent + "{{" + Number(tag) + "}}\n{{/" + id + "}}";
      return;
    } else {
      out += "{{" + Number(tag) + "}}";
    }
  }
  out += line.substr(at);
  if (section) {
    text_ += out.substr(out.find('{'));
  } else {
    text_ += (out.empty() ? std::string(1, kBlankLine) : indent + out) + "\n";
  }
}

data ToData(const Values &values);

data ToData(const Values::Value &value) {
  if (const auto *text = std::get_if<std::string>(&value)) {
    return data(text->substr(0, text->find_last_not_of('\n') + 1));
  }
  if (const auto *flag = std::get_if<bool>(&value)) return data(*flag);
  data list(data::type::list);
  for (const Values &item : std::get<Values::List>(value)) list << ToData(item);
  return list;
}

data ToData(const Values &values) {
  data object(data::type::object);
  for (const auto &[key, value] : values.all()) object.set(key, ToData(value));
  return object;
}

/// Finds values for kainjow, and throws for mistakes that kainjow would ignore.
class Lookup : public kainjow::mustache::basic_context<std::string> {
 public:
  Lookup(const Prepared &prepared, const data *values) : prepared_(prepared), scopes_{values} {}

  void push(const data *scope) override { scopes_.push_back(scope); }
  void pop() override { scopes_.pop_back(); }
  const data *get_partial(const std::string &) const override { return nullptr; }

  const data *get(const std::string &number) const override {
    const Tag &tag = prepared_.tag(number);
    const data *value = nullptr;
    for (size_t i = scopes_.size(); i-- > 0 && value == nullptr;) {
      if (scopes_[i]->is_object()) value = scopes_[i]->get(tag.name);
    }
    if (value == nullptr) Fail(tag.file, tag.line, "'" + tag.name + "' has no value");
    if (!value->is_string()) return value;
    const std::string &text = value->string_value();
    if (tag.probe) return &Keep(data(!text.empty()));
    if (text.find('\n') == std::string::npos) return value;
    if (!tag.begins_line) {
      Fail(tag.file, tag.line, "'" + tag.name + "' has several lines but does not begin its line");
    }
    return &Keep(data(Indent(text, tag.indent)));
  }

 private:
  static std::string Indent(const std::string &text, const std::string &indent) {
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
      out += text[i];
      if (text[i] == '\n' && i + 1 < text.size() && text[i + 1] != '\n') out += indent;
    }
    return out;
  }
  const data &Keep(data value) const {
    kept_.push_back(std::move(value));
    return kept_.back();
  }

  const Prepared &prepared_;
  std::vector<const data *> scopes_;
  mutable std::deque<data> kept_;
};

void CheckUsed(const std::string &name, const Prepared &prepared, const Values &values) {
  for (const auto &[key, value] : values.all()) {
    if (!prepared.Uses(key)) Fail(name, 1, "no tag uses the value '" + key + "'");
    if (const auto *list = std::get_if<Values::List>(&value)) {
      for (const Values &item : *list) CheckUsed(name, prepared, item);
    }
  }
}

/// A template, ready to be rendered any number of times.
class Template {
 public:
  Template(const std::string &name, std::string_view text)
      : name_(name), prepared_(name, text), engine_(prepared_.text()) {
    if (!engine_.is_valid()) {
      throw EmitError("templates/" + name + ": " + engine_.error_message());
    }
    engine_.set_custom_escape([](const std::string &s) { return s; });
  }

  std::string Render(const Values &values) {
    CheckUsed(name_, prepared_, values);
    const data root = ToData(values);
    Lookup lookup(prepared_, &root);
    std::string rendered = engine_.render(lookup);
    rendered.erase(std::remove(rendered.begin(), rendered.end(), kBlankLine), rendered.end());
    return rendered;
  }

 private:
  const std::string name_;
  const Prepared prepared_;
  kainjow::mustache::mustache engine_;
};

}  // namespace

Values &Values::Put(const std::string &key, Value value) {
  if (!values_.emplace(key, std::move(value)).second) {
    throw EmitError("the template value '" + key + "' is set twice");
  }
  return *this;
}

std::string_view TemplateText(const std::string &name) {
  for (const EmbeddedTemplate &embedded : EmbeddedTemplates()) {
    if (embedded.name == name) return embedded.text;
  }
  throw EmitError("there is no template '" + name + "'");
}

std::string RenderTemplate(const std::string &name, const Values &values) {
  // A thousand rules are rendered from a few templates: each is prepared once.
  thread_local std::map<std::string, Template> templates;
  return templates.try_emplace(name, name, TemplateText(name)).first->second.Render(values);
}

std::string RenderTemplateText(const std::string &name, std::string_view text,
                               const Values &values) {
  return Template(name, text).Render(values);
}

}  // namespace mgen
