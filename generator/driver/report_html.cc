// SPDX-License-Identifier: Apache-2.0
#include "driver/report_html.h"

#include "driver/report.h"
#include "emit/template.h"
#include "ir/walk.h"

namespace mgen {
namespace {

std::string Escaped(const std::string &text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

size_t CountStatements(const Rule &rule) {
  size_t count = 0;
  ForEachStatement(rule,
                   [&](const Statement &s) { count += s.kind != Statement::kIf && !s.is_made; });
  return count;
}

constexpr int kPixelsPerByte = 3;

Values Row(const Plan &plan) {
  const std::string name = QualifiedName(plan.rule);
  Values row;
  row.Set("id", Escaped(name))
      .Set("name", Escaped(name))
      .Set("statements", std::to_string(CountStatements(plan.rule)))
      .Set("passes", std::to_string(plan.passes()))
      .Set("unfused_passes", std::to_string(plan.unfused_passes))
      .Set("bytes", std::to_string(plan.bytes))
      .Set("unfused_bytes", std::to_string(plan.unfused_bytes))
      .Set("width", std::to_string(plan.bytes * kPixelsPerByte))
      .Set("unfused_width", std::to_string(plan.unfused_bytes * kPixelsPerByte));
  return row;
}

}  // namespace

std::string ReportHtml(const Compilation &compilation, Numerics numerics, const std::string &base) {
  Values::List kernels, details;
  for (const Plan &plan : compilation.Plans()) {
    const std::string name = QualifiedName(plan.rule);
    kernels.push_back(Row(plan));
    details.push_back(Values()
                          .Set("id", Escaped(name))
                          .Set("name", Escaped(name))
                          .Set("text", Escaped(ReportText(compilation, numerics, name))));
  }
  Values values;
  values.Set("base", base).Set("kernels", kernels).Set("details", details);
  return RenderTemplate("report/target.tmpl.html", values);
}

}  // namespace mgen
