// SPDX-License-Identifier: Apache-2.0
#include "passes/index_reads.h"

#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "ir/printer.h"
#include "ir_text.h"

namespace {

/// In: a view of tensors m (rank 2), t (4), v (1) and scalar n. Out: what the Plan says that it
/// reads; "" if the generator does not know.
struct ReadRow {
  const char *name;
  int rank;          ///< of the view, and of what is written; 0: the rule's
  const char *text;  ///< E stands for mshadow::expr
  const char *operands;
  const char *out;
};

const std::vector<ReadRow> kRows = {
    {"a dimension backwards", 2, "E::flip($0, $1)", "m, 1i32",
     "at m[axis(0), sub(sub(dim(m, 1), 1i64), axis(1))]"},
    {"the last one of any rank", 4, "E::mirror($0)", "t",
     "at t[axis(0), axis(1), axis(2), sub(sub(dim(t, 3), 1i64), axis(3))]"},
    {"twice backwards is in place", 2, "E::mirror(E::flip($0, $1))", "m, 1i32",
     "at m[axis(0), axis(1)]"},
    {"a slice", 2, "E::slice<1>($0, $1, $2)", "m, index 2i64, index n",
     "at m[axis(0), add(axis(1), 2i64)]"},
    {"a slice of all dimensions", 2,
     "E::slice($0, mshadow::Shape2($1, $2), mshadow::Shape2($3, $3))",
     "m, index 1i64, index n, index 9i64", "at m[add(axis(0), 1i64), add(axis(1), n)]"},
    {"a matrix of rows", 2, "E::mirror($0.FlatTo2D())", "t",
     "at (t[axis(0), axis(1), axis(2), axis(3)] counted over dim(t, 0), dim(t, 1), dim(t, 2), "
     "dim(t, 3))[axis(0), sub(sub(dim(t, 3), 1i64), axis(1))]"},
    {"a vector of all elements", 1, "E::mirror($0.FlatTo1D())", "m",
     "at (m[axis(0), axis(1)] counted over dim(m, 0), dim(m, 1))"
     "[sub(sub(mul(dim(m, 0), dim(m, 1)), 1i64), axis(0))]"},
    {"a matrix as one", 2, "E::mirror($0.FlatTo2D())", "m",
     "at m[axis(0), sub(sub(dim(m, 1), 1i64), axis(1))]"},
    {"a diagonal", 1, "E::diag($0)", "m", "at m[axis(0), axis(0)]"},
    {"a vector on a diagonal", 2, "E::diag($0)", "v",
     "at v[axis(0)] within axis(1) of 1i64 counted over dim(v, 0), add(dim(v, 0), 1i64)"},
    {"a diagonal of columns backwards", 1, "E::diag(E::mirror($0))", "m",
     "at m[axis(0), sub(sub(dim(m, 1), 1i64), axis(0))]"},
    {"a diagonal backwards, along rows", 2, "E::broadcast<1>(E::flip(E::diag($0), $1), $2)",
     "m, 0i32, shape m",
     "at m[sub(sub(dim(m, 0), 1i64), axis(1)), sub(sub(dim(m, 0), 1i64), axis(1))]"},
    {"a slice of tensor.h", 2, "$0.Slice($1, $2)", "m, index n, index 9i64",
     "at m[add(axis(0), n), axis(1)]"},
    {"an element of the first dimension", 2, "$0[$1][$2]", "t, index 3i64, index n",
     "at t[3i64, n, axis(0), axis(1)]"},
    {"a pad has bounds", 2, "E::pad($0, $1)", "m, index 1i64",
     "at m[sub(axis(0), 1i64), sub(axis(1), 1i64)] within sub(axis(0), 1i64) of dim(m, 0) "
     "within sub(axis(1), 1i64) of dim(m, 1)"},
    {"a crop of a pad: bounds that hold everywhere are none", 2,
     "E::crop(E::pad($0, $1), $2, $3, $4)", "m, index 1i64, shape m, index 0i64, index 1i64",
     "at m[sub(axis(0), 1i64), axis(1)] within sub(axis(0), 1i64) of dim(m, 0)"},
    {"the middle of a pad is the image", 2, "E::crop(E::pad($0, $1), $2)", "m, index 2i64, shape m",
     "at m[axis(0), axis(1)]"},
    {"a middle that the launch knows", 2, "E::crop($0, mshadow::Shape2($1, $2))",
     "m, index n, index n",
     "at m[add(axis(0), div(sub(dim(m, 0), n), 2i64)), add(axis(1), div(sub(dim(m, 1), n), "
     "2i64))]"},
    {"a pad of width 0 pads the height", 2, "E::pad($0, $1, $2)", "m, index n, index 0i64",
     "at m[sub(axis(0), n), axis(1)] within sub(axis(0), n) of dim(m, 0)"},
    {"a pad, backwards", 2, "E::mirror(E::pad($0, $1, $2))", "m, index 0i64, index 1i64",
     "at m[axis(0), sub(dim(m, 1), axis(1))] within sub(dim(m, 1), axis(1)) of dim(m, 1)"},
    {"a slice of what is backwards, backwards", 2,
     "E::mirror(E::slice<1>(E::flip($0, $3), $1, $2))", "m, index 1i64, index n, 1i32",
     "at m[axis(0), sub(add(axis(1), dim(m, 1)), n)]"},
    {"a transpose", 2, "$0.T()", "m", "at m[axis(1), axis(0)]"},
    {"two dimensions exchanged", 4, "E::swapaxis<3, 1>($0)", "t",
     "at t[axis(0), axis(3), axis(2), axis(1)]"},
    {"dimensions in another order", 4, "E::transpose($0, mshadow::Shape4($1, $2, $3, $4))",
     "t, index 0i64, index 2i64, index 3i64, index 1i64",
     "at t[axis(0), axis(3), axis(1), axis(2)]"},
    {"a vector along a dimension", 4, "E::lazy::broadcast<1>(E::flip($0, $1), $2)",
     "v, 0i32, shape t", "at v[sub(sub(dim(v, 0), 1i64), axis(1))]"},
    {"a vector in every row", 2, "E::repmat($0, $1)", "v, index n", "at v[axis(1)]"},
    {"one element everywhere", 2, "E::lazy::broadcast_scalar($0, $1)", "v, shape m", "at v[0i64]"},
    {"a new dimension", 2, "E::broadcast_with_axis($0, $1, $2)", "v, 0i32, index n",
     "at v[axis(0)]"},
    {"a dimension of extent 1", 2, "E::broadcast_keepdim($0, $1, $2)", "m, 1i32, index n",
     "at m[axis(0), 0i64]"},
    {"several dimensions of extent 1", 4,
     "E::lazy::broadcast_multi_axes($0, mshadow::Shape2($1, $2), mshadow::Shape2($3, $4))",
     "t, index 3i64, index 1i64, index n, index 7i64", "at t[axis(0), 0i64, axis(2), 0i64]"},
    {"an axis that only the launch knows", 4,
     "E::broadcast_multi_axes($0, mshadow::Shape1($1), mshadow::Shape1($1))", "t, index n", ""},
    {"two tensors beside each other", 2, "E::concat<1>($0, E::flip($1, $2))", "m, m, 0i32",
     "at m[axis(0), axis(1)] within axis(1) of dim(m, 1) else "
     "m[sub(sub(dim(m, 0), 1i64), axis(0)), sub(axis(1), dim(m, 1))] within "
     "sub(axis(1), dim(m, 1)) of dim(m, 1)"},
    {"pixels repeated", 2, "E::upsampling_nearest($0, $1)", "m, index 2i64",
     "at m[axis(0), axis(2)] counted over dim(m, 0), 2i64, dim(m, 1) times 2"},
    {"so often as the launch says, of a pad", 2, "E::upsampling_nearest(E::pad($0, $1, $2), $3)",
     "m, index 0i64, index 1i64, index n",
     "at m[axis(0), sub(axis(2), 1i64)] within sub(axis(2), 1i64) of dim(m, 1) "
     "counted over dim(m, 0), n, add(dim(m, 1), 2i64), n"},
    {"another shape", 2, "E::reshape($0, $1)", "t, shape m",
     "at t[axis(0), axis(1), axis(2), axis(3)] "
     "counted over dim(t, 0), dim(t, 1), dim(t, 2), dim(t, 3)"},
    {"another shape of another shape", 2, "E::reshape(E::reshape(E::mirror($0), $1), $2)",
     "v, shape t, shape m", "at v[sub(sub(dim(v, 0), 1i64), axis(0))] counted over dim(v, 0)"},
    {"elements repeated, by a reshape", 2, "E::reshape(E::broadcast_with_axis($0, $1, $2), $3)",
     "m, 1i32, index 3i64, shape m",
     "at m[axis(0), axis(1)] counted over dim(m, 0), dim(m, 1) "
     "times 3"},
    {"a slice of another shape", 2, "E::slice<1>(E::reshape($0, $1), $2, $3)",
     "t, shape m, index 0i64, index n",
     "at (t[axis(0), axis(1), axis(2), axis(3)] "
     "counted over dim(t, 0), dim(t, 1), dim(t, 2), dim(t, 3))[axis(0), axis(1)]"},
    {"patches of padded images", 2, "E::unpack_patch2col(E::pad($0, $1), $2, $3, $4, $5)",
     "t, index 1i64, index 3i64, index n, index 2i64, index 1i64",
     "at t[axis(3), axis(0), sub(add(mul(2i64, axis(4)), axis(1)), 1i64), "
     "sub(add(mul(2i64, axis(5)), axis(2)), 1i64)] "
     "within sub(add(mul(2i64, axis(4)), axis(1)), 1i64) of dim(t, 2) "
     "within sub(add(mul(2i64, axis(5)), axis(2)), 1i64) of dim(t, 3) "
     "counted over dim(t, 1), 3i64, n, dim(t, 0), "
     "add(div(sub(dim(t, 2), 1i64), 2i64), 1i64), "
     "add(div(sub(add(dim(t, 3), 2i64), n), 2i64), 1i64)"},
    {"patches at a distance that the launch says", 2, "E::unpack_patch2col($0, $1, $2, $3)",
     "t, index 3i64, index 3i64, index n",
     "at t[axis(3), axis(0), add(mul(axis(4), n), axis(1)), add(mul(axis(5), n), axis(2))] "
     "counted over dim(t, 1), 3i64, 3i64, dim(t, 0), "
     "add(div(sub(dim(t, 2), 3i64), n), 1i64), add(div(sub(dim(t, 3), 3i64), n), 1i64)"},
    {"rows by indices", 2, "E::take($0, $1)", "v, m",
     "at m[axis(0), axis(1)] within axis(0) of dim(m, 0) where axis(0) is v[axis(0)]"},
    {"columns of rows by indices, of what is backwards", 2,
     "E::slice<1>(E::take($0, E::flip($1, $2)), $3, $4)", "v, m, 0i32, index 1i64, index n",
     "at m[sub(sub(dim(m, 0), 1i64), axis(0)), add(axis(1), 1i64)] "
     "within axis(0) of dim(m, 0) where axis(0) is v[axis(0)]"},
    {"as many rows as there are indices, which may be no rows", 2,
     "E::take($0, E::slice<0>($1, $2, $3))", "v, m, index 0i64, index dim(v, 0)",
     "at m[axis(0), axis(1)] within axis(0) of dim(v, 0) where axis(0) is v[axis(0)]"},
    {"rows by indices, backwards", 2, "E::flip(E::take($0, $1), $2)", "v, m, 0i32",
     "at (m[axis(0), axis(1)] within axis(0) of dim(m, 0) where axis(0) is v[axis(0)])"
     "[sub(sub(dim(v, 0), 1i64), axis(0)), axis(1)]"},
    {"rows by indices in another shape", 2, "E::reshape(E::take($0, $1), $2)", "v, m, shape m",
     "at (m[axis(0), axis(1)] within axis(0) of dim(m, 0) where axis(0) is "
     "v[axis(0)])[axis(0), axis(1)] counted over dim(v, 0), dim(m, 1)"},
    {"windows", 2, "E::pool<mshadow::red::maximum>($0, $1, $2, $3)",
     "m, index 2i64, index n, index 3i64",
     "at m[add(mul(3i64, axis(0)), axis(2)), add(mul(3i64, axis(1)), axis(3))] "
     "windows of 2i64 x n by mshadow::red::maximum"},
    {"windows of a border", 2, "E::pool<mshadow::red::sum>(E::pad($0, $1), $2, $3, $4, $5)",
     "m, index 1i64, index 3i64, index 3i64, index 1i64, index 2i64",
     "at m[sub(add(axis(0), axis(2)), 1i64), sub(add(mul(2i64, axis(1)), axis(3)), 1i64)] "
     "within sub(add(axis(0), axis(2)), 1i64) of dim(m, 0) "
     "within sub(add(mul(2i64, axis(1)), axis(3)), 1i64) of dim(m, 1) "
     "windows of 3i64 x 3i64 by mshadow::red::sum"},
    {"windows of channels", 4, "E::chpool<mshadow::red::sum>($0, $1)", "t, index 5i64",
     "at t[axis(0), sub(add(axis(1), axis(4)), 2i64), axis(2), axis(3)] "
     "only within sub(add(axis(1), axis(4)), 2i64) of dim(t, 1) "
     "windows of 5i64 x 1i64 by mshadow::red::sum"},
    {"windows of squares of channels", 4, "E::chpool<mshadow::red::sum>(($0 * $1), $2)",
     "t, t, index 1i64",
     "at t[axis(0), add(axis(1), axis(4)), axis(2), axis(3)] "
     "only within add(axis(1), axis(4)) of dim(t, 1) "
     "windows of 1i64 x 1i64 of squares by mshadow::red::sum"},
    {"squares of what is elsewhere", 2, "E::mirror(($0 * $0))", "m",
     "at (\"($0 * $1)\" m, m)[axis(0), sub(sub(dim(m, 1), 1i64), axis(1))]"},
    {"windows of what is backwards", 2, "E::pool<mshadow::red::sum>(E::mirror($0), $1, $2, $3)",
     "m, index 3i64, index 3i64, index 1i64",
     "at (m[axis(0), sub(sub(dim(m, 1), 1i64), axis(1))])[add(axis(0), axis(2)), add(axis(1), "
     "axis(3))] windows of 3i64 x 3i64 by mshadow::red::sum"},
    {"windows of a transpose", 2, "E::pool<mshadow::red::sum>($0.T(), $1, $2, $3)",
     "m, index 3i64, index 3i64, index 1i64",
     "at (m[axis(1), axis(0)])[add(axis(0), axis(2)), add(axis(1), axis(3))] windows of 3i64 x "
     "3i64 by mshadow::red::sum"},
    {"windows at a distance that the launch says", 2, "E::pool<mshadow::red::sum>($0, $1, $2, $3)",
     "m, index 3i64, index 3i64, index n",
     "at m[add(mul(axis(0), n), axis(2)), add(mul(axis(1), n), axis(3))] "
     "windows of 3i64 x 3i64 by mshadow::red::sum"},
    {"windows that are cut off, of a border", 2,
     "E::pool<mshadow::red::maximum>(E::pad($0, $1), $2, $3, $3, $1)",
     "m, index 1i64, shape m, index 3i64",
     "at m[sub(add(axis(0), axis(2)), 1i64), sub(add(axis(1), axis(3)), 1i64)] "
     "within sub(add(axis(0), axis(2)), 1i64) of dim(m, 0) "
     "within sub(add(axis(1), axis(3)), 1i64) of dim(m, 1) "
     "only within add(axis(0), axis(2)) of add(dim(m, 0), 2i64) "
     "only within add(axis(1), axis(3)) of add(dim(m, 1), 2i64) "
     "windows of 3i64 x 3i64 by mshadow::red::maximum"},
    {"some of the windows", 2, "E::crop(E::pool<mshadow::red::sum>($0, $1, $1, $1), $2, $1, $3)",
     "m, index 2i64, shape m, index n",
     "at (m[add(mul(2i64, axis(0)), axis(2)), add(mul(2i64, axis(1)), axis(3))] "
     "windows of 2i64 x 2i64 by mshadow::red::sum)[add(axis(0), 2i64), add(axis(1), n)]"},
    {"windows backwards", 2, "E::mirror(E::pool<mshadow::red::sum>($0, $1, $1, $1))",
     "m, index 2i64",
     "at (m[add(mul(2i64, axis(0)), axis(2)), add(mul(2i64, axis(1)), axis(3))] "
     "windows of 2i64 x 2i64 by mshadow::red::sum)"
     "[axis(0), sub(div(sub(dim(m, 1), 2i64), 2i64), axis(1))]"},
    {"the gradient of windows of a border", 2,
     "E::crop(E::unpool<mshadow::red::maximum>(E::pad($0, $1, $2), $3, E::pad($3, $4, $4), $5, $5, "
     "$6), $7, $1, $2)",
     "m, index n, index 1i64, m, index 0i64, index 3i64, index 2i64, shape m",
     "at m[axis(0), axis(1)], m[axis(2), axis(3)], m[axis(2), axis(3)] "
     "held by dim(m, 0) of 3i64 each 2i64 at add(axis(0), n) x "
     "dim(m, 1) of 3i64 each 2i64 at add(axis(1), 1i64) by mshadow::red::maximum"},
    {"the gradient of windows as the launch knows them, within a border", 4,
     "E::unpool<mshadow::red::sum>(E::pad($0, $1), $0, $0, $2, $3, $2, $3)",
     "t, index 1i64, index n, index 4i64",
     "at t[axis(0), axis(1), sub(axis(2), 1i64), sub(axis(3), 1i64)] within sub(axis(2), 1i64) "
     "of dim(t, 2) within sub(axis(3), 1i64) of dim(t, 3), t[axis(0), axis(1), axis(4), "
     "axis(5)] held by dim(t, 2) of n each n at axis(2) x dim(t, 3) of 4i64 each 4i64 at "
     "axis(3) by mshadow::red::sum"},
    {"the gradient of windows of channels", 4,
     "E::ch_unpool<mshadow::red::minimum>($0, $0, $0, $1, $2, $3)",
     "t, index 3i64, index 2i64, index n",
     "at t[axis(0), axis(1), axis(2), axis(3)], t[axis(0), axis(4), axis(2), axis(5)], "
     "t[axis(0), axis(4), axis(2), axis(5)] "
     "held by dim(t, 1) of 3i64 each 2i64 at add(axis(1), n) x "
     "dim(t, 3) of 1i64 each 1i64 at axis(3) by mshadow::red::minimum"},
    {"the gradient of products, which are quotients", 2,
     "E::unpool<mshadow::red::product>($0, $0, $0, $1, $1, $1)", "m, index 2i64", ""},
    {"the gradient from results with a border", 2,
     "E::unpool<mshadow::red::minimum>($0, E::pad($0, $1), $0, $1, $1, $1)", "m, index 2i64",
     "at m[axis(0), axis(1)], m[axis(2), axis(3)], (m[sub(axis(0), 2i64), sub(axis(1), 2i64)] "
     "within sub(axis(0), 2i64) of dim(m, 0) within sub(axis(1), 2i64) of dim(m, 1))[axis(2), "
     "axis(3)] held by dim(m, 0) of 2i64 each 2i64 at axis(0) x dim(m, 1) of 2i64 each 2i64 at "
     "axis(1) by mshadow::red::minimum"},
    {"the gradient of sums, of which the results do not matter", 2,
     "E::unpool<mshadow::red::sum>($0, E::pool<mshadow::red::sum>($0, $1, $1, $1), $0, $1, $1, $1)",
     "m, index 2i64",
     "at m[axis(0), axis(1)], m[axis(2), axis(3)] held by dim(m, 0) of 2i64 each 2i64 at "
     "axis(0) x dim(m, 1) of 2i64 each 2i64 at axis(1) by mshadow::red::sum"},
    {"the gradient of a transpose", 2, "E::unpool<mshadow::red::sum>($0.T(), $0, $0, $1, $1, $1)",
     "m, index 2i64",
     "at (m[axis(1), axis(0)])[axis(0), axis(1)], m[axis(2), axis(3)] held by dim(m, 0) of "
     "2i64 each 2i64 at axis(0) x dim(m, 1) of 2i64 each 2i64 at axis(1) by mshadow::red::sum"},
    {"a gradient with a border", 2,
     "E::pad(E::unpool<mshadow::red::sum>($0, $0, $0, $1, $1, $1), $1)", "m, index 2i64",
     "at (m[axis(0), axis(1)], m[axis(2), axis(3)] held by dim(m, 0) of 2i64 each 2i64 at "
     "axis(0) x dim(m, 1) of 2i64 each 2i64 at axis(1) by mshadow::red::sum)[sub(axis(0), "
     "2i64), sub(axis(1), 2i64)] within sub(axis(0), 2i64) of dim(m, 0) within sub(axis(1), "
     "2i64) of dim(m, 1)"},
    {"columns added up to images", 4, "E::pack_col2patch($0, $1, $2, $3, $3, $3, $2, $4)",
     "m, shape t, index 3i64, index n, index 1i64",
     "at m[axis(1), axis(0)] held by add(div(sub(dim(t, 2), 7i64), n), 1i64) of 3i64 by 3i64 each "
     "n at "
     "axis(2) x add(div(sub(dim(t, 3), n), n), 1i64) of n each n at axis(3)"},
    {"columns of a transpose", 4, "E::pack_col2patch($0.T(), $1, $2, $2, $2)",
     "m, shape t, index 2i64", ""},
    {"windows by a reducer of the user's", 2, "E::pool<latest>($0, $1, $2, $3)",
     "m, index 3i64, index 3i64, index 1i64", ""},
    {"windows of two borders", 2,
     "E::pool<mshadow::red::sum>(E::pad(E::pad($0, $1), $1), $1, $1, $1)", "m, index 1i64",
     "at (m[sub(axis(0), 2i64), sub(axis(1), 2i64)] within sub(axis(0), 2i64) of dim(m, 0) "
     "within sub(axis(1), 2i64) of dim(m, 1) within sub(axis(0), 1i64) of add(dim(m, 0), 2i64) "
     "within sub(axis(1), 1i64) of add(dim(m, 1), 2i64))[add(axis(0), axis(2)), add(axis(1), "
     "axis(3))] windows of 1i64 x 1i64 by mshadow::red::sum"},
    {"a border of windows, transposed", 2,
     "E::swapaxis<1, 0>(E::pad(E::pool<mshadow::red::sum>($0, $1, $1, $1), $1))", "m, index 1i64",
     "at (m[add(axis(0), axis(2)), add(axis(1), axis(3))] "
     "windows of 1i64 x 1i64 by mshadow::red::sum)[sub(axis(1), 1i64), sub(axis(0), 1i64)] "
     "within sub(axis(1), 1i64) of dim(m, 0) within sub(axis(0), 1i64) of dim(m, 1)"},
    {"windows of windows", 2,
     "E::pool<mshadow::red::sum>(E::mirror(E::pool<mshadow::red::sum>($0, $1, $1, $1)), $1, $1, "
     "$1)",
     "m, index 2i64",
     "at ((m[add(mul(2i64, axis(0)), axis(2)), add(mul(2i64, axis(1)), axis(3))] windows of "
     "2i64 x 2i64 by mshadow::red::sum)[axis(0), sub(div(sub(dim(m, 1), 2i64), 2i64), "
     "axis(1))])[add(mul(2i64, axis(0)), axis(2)), add(mul(2i64, axis(1)), axis(3))] windows "
     "of 2i64 x 2i64 by mshadow::red::sum"},
    {"a range, backwards, in every row", 2,
     "E::lazy::broadcast<1>(E::mirror(E::range<float>($0, $1, $2)), $3)",
     "0.0f64, 3.0f64, 0.5f64, shape m",
     "at (\"mshadow::expr::range<float>($0, $1, $2)\" 0.0f64, 3.0f64, 0.5f64)"
     "[sub(sub(call<i64>(mshadow::expr::RangeOutSize, 0.0f64, 3.0f64, 0.5f64, 1i32), 1i64), "
     "axis(1))]"},
    {"another shape of a range", 2, "E::reshape(E::range<float>($0, $1), $2)",
     "0.0f64, 3.0f64, shape m",
     "at (\"mshadow::expr::range<float>($0, $1)\" 0.0f64, 3.0f64)[axis(0)] counted over "
     "call<i64>(mshadow::expr::RangeOutSize, 0.0f64, 3.0f64, 1.0f64, 1i32)"},
    {"arithmetic", 2, "E::pad(($0 * $1), $2)", "m, m, index 1i64",
     "at (\"($0 * $1)\" m, m)[sub(axis(0), 1i64), sub(axis(1), 1i64)] within sub(axis(0), "
     "1i64) of dim(m, 0) within sub(axis(1), 1i64) of dim(m, 1)"},
    {"a function of the user's", 2, "plough($0)", "m", ""},
    {"extents that may be 1", 2, "E::mirror(E::broadcast_to($0, mshadow::Shape2($1, $2)))",
     "m, index 4i64, index n", "at m.BroadcastTo(4i64, n).Flip(-1)"},
    {"a dimension that only the launch knows", 2, "E::flip($0, $1)", "m, n", ""},
    {"a sum", 2, "E::reduce_with_axis<mshadow::red::sum, false>($0, $1)", "t, 0i32", ""},
};

/// In a rule for any rank, of which x is, too.
const std::vector<ReadRow> kRowsOfAnyRank = {
    {"the last dimension backwards", 0, "E::flip($0, $1)", "x, rank dim - 1",
     "at x[axis(0), sub(sub(dim(x, last), 1i64), axis(1))]"},
    {"a slice of it, backwards", 0, "E::mirror(E::slice<$3>($0, $1, $2))",
     "x, index 1i64, index n, rank dim - 1", "at x[axis(0), sub(sub(n, 1i64), axis(1))]"},
    {"a vector along it", 0, "E::broadcast<$2>(E::flip($0, $3), $1)",
     "v, shape x, rank dim - 1, 0i32", "at v[sub(sub(dim(v, 0), 1i64), axis(1))]"},
    {"another shape of it", 0, "E::reshape($0, $1)", "x, shape x",
     "at x[axis(0), axis(1)] counted over dim(x, rows), dim(x, last)"},
    {"its shape of another", 0, "E::reshape($0, $1)", "m, shape x",
     "at m[axis(0), axis(1)] counted over dim(m, 0), dim(m, 1)"},
    {"another dimension", 0, "E::flip($0, $1)", "x, 0i32", "at x.Flip(0)"},
    {"the last but one", 0, "E::flip($0, $1)", "x, rank dim - 2",
     "at x[axis(0), sub(sub(dim(x, last - 1), 1i64), axis(1)), axis(2)]"},
    {"a part of images", 0, "E::mirror(E::crop(E::pad($0, $1), mshadow::Shape2($2, $3), $1, $1))",
     "x, index 1i64, index n, index 9i64",
     "at x[axis(0), axis(1), sub(8i64, axis(2))] within axis(1) of dim(x, last - 1) "
     "within sub(8i64, axis(2)) of dim(x, last)"},
    {"a part of images in another order", 0,
     "E::mirror(E::crop(E::pad(E::flip($0, $4), $1), mshadow::Shape2($2, $3), $1, $1))",
     "x, index 1i64, index n, index 9i64, 0i32",
     "at x.Flip(0).Pad(1i64, 1i64).Crop(n, 9i64, 1i64, 1i64).Flip(-1)"},
    {"their middle", 0, "E::crop($0, mshadow::Shape2($1, $1))", "x, index n",
     "at x[axis(0), add(axis(1), div(sub(dim(x, last - 1), n), 2i64)), "
     "add(axis(2), div(sub(dim(x, last), n), 2i64))]"},
    {"the last dimensions exchanged", 0, "E::swapaxis<$1, $2>($0)", "x, rank dim - 1, rank dim - 3",
     "at x[axis(0), axis(3), axis(2), axis(1)]"},
    {"two dimensions exchanged", 0, "E::swapaxis<$1, 0>($0)", "x, rank dim - 1",
     "at x.Swap(-1, 0)"},
    {"the first dimension rolled", 0, "E::concat<0>(E::slice<0>($0, $1, $2), $0.Slice($3, $1))",
     "x, index n, index dim(x, 0), index 0i64",
     "at Joined(0, x.Slice(0, n, dim(x, 0)), x.Slice(0, 0i64, n))"},
    {"three, one behind the other", 0, "E::concat<0>(E::concat<0>($0, $0), $0)", "x",
     "at Joined(0, Joined(0, x, x), x)"},
    {"a dimension of extent 1", 0, "E::broadcast_keepdim($0, $1, $2)", "x, 0i32, index n",
     "at x.Repeat(0, n)"},
    {"the shape of another", 0, "E::broadcast_to($0, $1)", "x, shape x",
     "at x.BroadcastTo(shape of x)"},
    {"windows of images", 0, "E::pool<mshadow::red::sum>(E::pad($0, $1), $1, $1, $1)",
     "x, index 3i64",
     "at x[axis(0), sub(add(mul(3i64, axis(1)), axis(3)), 3i64), "
     "sub(add(mul(3i64, axis(2)), axis(4)), 3i64)] "
     "within sub(add(mul(3i64, axis(1)), axis(3)), 3i64) of dim(x, last - 1) "
     "within sub(add(mul(3i64, axis(2)), axis(4)), 3i64) of dim(x, last) "
     "windows of 3i64 x 3i64 by mshadow::red::sum"},
    {"images repeated", 0, "E::upsampling_nearest($0, $1)", "x, index n",
     "at x[axis(0), axis(1), axis(3)] "
     "counted over dim(x, before last - 1), dim(x, last - 1), n, dim(x, last), n"},
    {"a gradient of windows", 0, "E::unpool<mshadow::red::sum>($0, $0, $0, $1, $1, $1)",
     "x, index 2i64",
     "at x[axis(0), axis(1), axis(2)], x[axis(0), axis(3), axis(4)] held by dim(x, last - 1) "
     "of 2i64 each 2i64 at axis(1) x dim(x, last) of 2i64 each 2i64 at axis(2) by "
     "mshadow::red::sum"},
    {"windows of channels", 0, "E::chpool<mshadow::red::sum>($0, $1)", "x, index 3i64",
     "at x[axis(0), sub(add(axis(1), axis(4)), 1i64), axis(2), axis(3)] "
     "only within sub(add(axis(1), axis(4)), 1i64) of dim(x, last - 2) "
     "windows of 3i64 x 1i64 by mshadow::red::sum"},
    {"windows of another order of images", 0,
     "E::pool<mshadow::red::sum>(E::flip($0, $1), $2, $2, $2)", "x, 0i32, index 3i64", ""},
};

/// What the line of the operand says behind "load".
std::string ReadIn(const ReadRow &row) {
  const std::string view = std::regex_replace(row.text, std::regex("E::"), "mshadow::expr::");
  const bool is_any = row.rank == 0;
  const std::string rank = is_any ? "dim least 3" : std::to_string(row.rank);
  const std::string head = is_any ? "rule R<xpu, dim> []\n  tensor out: f32 dim\n"
                                    "  const tensor x: f32 dim\n"
                                  : "rule R<xpu> []\n  tensor out: f32 " + rank + "\n";
  const std::string rule = head +
                           "  const tensor m: f32 2\n"
                           "  const tensor t: f32 4\n"
                           "  const tensor v: f32 1\n"
                           "  scalar n: i64\n"
                           "  view seen: f32 " +
                           rank + " = \"" + view + "\" " + row.operands +
                           "\n"
                           "  stage\n"
                           "    1: out = seen\n";
  const std::string text =
      mgen::Print(mgen::IndexReads(mgen_test::PlanOf(mgen_test::ParseGood(rule))));
  const std::string operand = "operand seen: f32 load";
  const size_t begin = text.find(operand) + operand.size();
  const std::string read = text.substr(begin, text.find('\n', begin) - begin);
  return read.empty() ? "" : read.substr(1);
}

TEST(IndexReads, Table) {
  for (const ReadRow &row : kRows) EXPECT_EQ(ReadIn(row), row.out) << row.name;
}

TEST(IndexReads, AnyRank) {
  for (const ReadRow &row : kRowsOfAnyRank) EXPECT_EQ(ReadIn(row), row.out) << row.name;
}

}  // namespace
