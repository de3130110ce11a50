// SPDX-License-Identifier: Apache-2.0
#include "backends/common/host_formula.h"

#include "emit/shared_parts.h"

namespace mgen {
namespace {

constexpr int kWidth = kLineWidth - 2;
constexpr int kPartNodes = 4;  ///< a smaller part is repeated

}  // namespace

void HostFormulas::Add(const std::string &head, const Expr &value, const std::string &tail,
                       const ExprStyle &style) {
  ExprStyle with_parts = style;
  const Expr rest = NameParts(value, &with_parts);
  lines_->push_back(RenderExpr(head, rest, tail, with_parts, kWidth));
}

std::string HostFormulas::Text(const Expr &value, const ExprStyle &style) {
  ExprStyle with_parts = style;
  const Expr rest = NameParts(value, &with_parts);
  return RenderExpr("", rest, "", with_parts, 10 * kLineWidth);
}

Expr HostFormulas::NameParts(const Expr &value, ExprStyle *style) {
  if (!IsLong(value)) return value;
  const int before = parts_;
  const auto leaf = style->leaf;
  style->leaf = [this, leaf, before](const Node &node) {
    return node.op == Op::kLet ? PartName(before + node.index) : leaf(node);
  };
  const bool is_packet = style->target == ExprStyle::kPacket;
  if (is_packet) style->is_scalar = [](const Node &node) { return node.op != Op::kLet; };
  const SharedParts shared = ShareParts(value, kPartNodes);
  for (const Expr &part : shared.parts) {
    const std::string type = is_packet ? "auto" : rule_.TypeName(part->type);
    const std::string head = "const " + type + " " + PartName(++parts_) + " = ";
    lines_->push_back(RenderExpr(head, part, ";", *style, kWidth));
  }
  return shared.value;
}

}  // namespace mgen
