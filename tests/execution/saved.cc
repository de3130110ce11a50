// SPDX-License-Identifier: Apache-2.0
#include "saved.h"

namespace mshadow_test {
namespace {

using mgen::Op;
using mgen::ScalarKind;

Op OpOf(mgen::Saver saver) {
  switch (saver) {
    case mgen::Saver::kPlus:
      return Op::kAdd;
    case mgen::Saver::kMinus:
      return Op::kSub;
    case mgen::Saver::kMul:
      return Op::kMul;
    default:
      return Op::kDiv;
  }
}

}  // namespace

Estimate Saved(mgen::Saver saver, const Estimate &old, const Estimate &value) {
  // Bools are promoted as in C++, and products of 16-bit floats are rounded when they are added.
  const ScalarKind wide = value.kind == ScalarKind::kBool ? ScalarKind::kInt32 : value.kind;
  const auto to = [](ScalarKind k, const Estimate &x) { return x.kind == k ? x : Convert(k, x); };
  if (saver == mgen::Saver::kSave) return to(old.kind, value);
  return to(old.kind, Apply(OpOf(saver), wide, {to(wide, old), to(wide, value)}));
}

}  // namespace mshadow_test
