// SPDX-License-Identifier: Apache-2.0
#include "passes/split_stages.h"

#include <gtest/gtest.h>

#include "ir_text.h"

namespace {

using mgen_test::kSame;
using mgen_test::Row;

const std::vector<Row> kRows = {
    {"statements with a tensor in common stay together", R"(
rule One<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  scalar c: bool
  stage
    1: a = add(b, b)
    if c
      2: b = a
)",
     kSame},
    {"a product and a boundary are stages, and what stands below a condition keeps it", R"(
rule Cut<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  scalar c: bool
  stage
    1: a = add(a, a)
    if c
      2: b = dot(a, a) scaled 1.0f32
      3: a = b
    else
      4: a = add(b, b)
      boundary
    5: b = a
)",
     R"(
rule Cut<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  scalar c: bool
  stage
    1: a = add(a, a)
  stage
    if c
      2: b = dot(a, a) scaled 1.0f32
  stage
    if c
      3: a = b
  stage
    if c
    else
      4: a = add(b, b)
  stage
    if c
    else
      boundary
  stage
    5: b = a
)"},
    {"statements that no tensor ties together come apart, in their order, since arguments may "
     "share "
     "memory",
     R"(
rule Unrelated<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  tensor x: f32 1
  stage
    1: a = add(a, a)
    2: x = mul(x, x)
    3: b = a
    4: x = add(x, x)
    5: b = add(b, b)
)",
     R"(
rule Unrelated<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  tensor x: f32 1
  stage
    1: a = add(a, a)
  stage
    2: x = mul(x, x)
  stage
    3: b = a
  stage
    4: x = add(x, x)
  stage
    5: b = add(b, b)
)"},
    {"a tensor's shape does not tie to what writes a part of it", R"(
rule Named<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  tensor v: f32 1
  part half: f32 2 of 0 = "slice<0> of $0 from $1 to $2" a, index 0i64, index 3i64
  stage
    1: b = add(b, v[axis(last)]) fitting size(a)
    2: half = mul(half, half)
)",
     R"(
rule Named<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  tensor v: f32 1
  part half: f32 2 of 0 = "slice<0> of $0 from $1 to $2" a, index 0i64, index 3i64
  stage
    1: b = add(b, v[axis(last)]) fitting size(a)
  stage
    2: half = mul(half, half)
)"},
    {"nor does an extent of it", R"(
rule Extent<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  stage
    1: b = add(b, 1.0f32) fitting dim(a, 1)
    2: a = mul(a, a)
)",
     R"(
rule Extent<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  stage
    1: b = add(b, 1.0f32) fitting dim(a, 1)
  stage
    2: a = mul(a, a)
)"},
    {"nor does a statement tie others that is in another kernel than they are", R"(
rule Through<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  tensor c: f32 2
  tensor d: f32 2
  stage
    1: a = b
    2: c = mul(c, c)
    3: a = add(a, a)
    4: b = add(b, b)
    5: d = c
)",
     R"(
rule Through<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  tensor c: f32 2
  tensor d: f32 2
  stage
    1: a = b
  stage
    2: c = mul(c, c)
  stage
    3: a = add(a, a)
  stage
    4: b = add(b, b)
  stage
    5: d = c
)"},
    {"where one ends another begins", R"(
rule Apart<xpu> []
  tensor a: f32 2
  tensor x: f32 1
  stage
    1: a = add(a, a)
    2: a = mul(a, a)
    3: x = mul(x, x)
)",
     R"(
rule Apart<xpu> []
  tensor a: f32 2
  tensor x: f32 1
  stage
    1: a = add(a, a)
    2: a = mul(a, a)
  stage
    3: x = mul(x, x)
)"},
    {"in branches, too, of which each part keeps its condition", R"(
rule Branches<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  tensor x: f32 1
  scalar c: bool
  stage
    1: a = add(a, a)
    if c
      2: a = mul(a, a)
      3: b = mul(b, b)
    else
      4: b = add(b, b)
      5: x = add(x, x)
    6: x = mul(x, x)
)",
     R"(
rule Branches<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  tensor x: f32 1
  scalar c: bool
  stage
    1: a = add(a, a)
    if c
      2: a = mul(a, a)
  stage
    if c
      3: b = mul(b, b)
  stage
    if c
    else
      4: b = add(b, b)
  stage
    if c
    else
      5: x = add(x, x)
  stage
    6: x = mul(x, x)
)"},
    {"before a branch, which stays whole where its parts are tied", R"(
rule Branches<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  scalar c: bool
  stage
    1: a = add(a, a)
    if c
      2: b = mul(b, b)
    else
      3: b = add(b, b)
)",
     R"(
rule Branches<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  scalar c: bool
  stage
    1: a = add(a, a)
  stage
    if c
      2: b = mul(b, b)
    else
      3: b = add(b, b)
)"},
    {"a vector says nothing of the shape of elements on both sides", R"(
rule Vector<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  tensor v: f32 1
  stage
    1: v = sum<keep 0 by lanes>(a)
    2: v = sqrt(v)
    3: b = sub(b, v[axis(0)])
    4: v = sum<keep 0 by lanes>(b)
)",
     R"(
rule Vector<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  tensor v: f32 1
  stage
    1: v = sum<keep 0 by lanes>(a)
    2: v = sqrt(v)
  stage
    3: b = sub(b, v[axis(0)])
    4: v = sum<keep 0 by lanes>(b)
)"},
    {"but that of a temporary may be said", R"(
rule Like<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  tensor v: f32 1
  temporary x: f32 2 shape(a)
  stage
    1: v = sum<keep 0 by lanes>(a)
    2: x = v[axis(0)]
    3: b = add(x, x)
)",
     kSame},
    {"one element of vectors and a statement over matrices go over two shapes", R"(
rule Norm<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  tensor v: f32 1
  tensor n: f32 1
  stage
    1: n = sum<by lanes>(mul(v, v))
    2: n = sqrt(n)
    3: a = mul(n[0], b)
    4: b = add(b, b)
)",
     R"(
rule Norm<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  tensor v: f32 1
  tensor n: f32 1
  stage
    1: n = sum<by lanes>(mul(v, v))
    2: n = sqrt(n)
  stage
    3: a = mul(n[0], b)
    4: b = add(b, b)
)"},
    {"one element of matrices does not", R"(
rule Norm<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  tensor n: f32 1
  stage
    1: n = sum<by lanes>(mul(b, b))
    2: a = mul(n[0], b)
)",
     kSame},
    {"a vector's view is no value of a row", R"ir(
rule View<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  tensor v: f32 1
  tensor w: f32 1
  view turned: f32 1 = "mshadow::expr::flip($0, $1)" w, 0i32
  stage
    1: v = sum<keep 0 by lanes>(a)
    2: v *= turned
    3: v = sqrt(v)
    4: b = mul(a, v[axis(0)])
)ir",
     R"ir(
rule View<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  tensor v: f32 1
  tensor w: f32 1
  view turned: f32 1 = "mshadow::expr::flip($0, $1)" w, 0i32
  stage
    1: v = sum<keep 0 by lanes>(a)
  stage
    2: v *= turned
  stage
    3: v = sqrt(v)
    4: b = mul(a, v[axis(0)])
)ir"},
    {"a view of what the kernel writes, and one that reduces, are errors", R"ir(
rule Stale<xpu> []
  tensor a: f32 2
  tensor v: f32 1
  view turned: f32 1 = "mshadow::expr::flip($0, $1)" v, 0i32
  view top: f32 1 = "mshadow::expr::reduce_with_axis<mshadow::red::maximum, true>($0, $1)" a, 1i32
  stage
    1: v = sum<keep 0 by lanes>(a)
    2: v = add(v, turned)
    3: v = add(v, top)
)ir",
     kSame},
    {"a kernel of vectors alone reads them", R"ir(
rule Vectors<xpu> []
  tensor v: f32 1
  tensor w: f32 1
  view turned: f32 1 = "mshadow::expr::flip($0, $1)" w, 0i32
  stage
    1: v = add(w, w)
    2: v *= turned
)ir",
     kSame},
};

mgen::Rule Split(mgen::Rule rule) {
  mgen::SplitStages(&rule);
  return rule;
}

TEST(SplitStages, Table) { mgen_test::ExpectRules(kRows, Split); }

}  // namespace
