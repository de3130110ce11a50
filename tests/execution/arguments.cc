// SPDX-License-Identifier: Apache-2.0
#include "arguments.h"

#include <mshadow/tensor.h>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <stdexcept>

namespace mshadow_test {
namespace {

using mshadow::index_t;

/// How one tensor lies in memory: as Layout says.
struct Placement {
  int64_t rows, cols;
  int pad, offset;
  Guard guard;
};

template <typename T, int dim>
class TypedArgument : public TensorArgument {
 public:
  explicit TypedArgument(const Placement &placement)
      : TypedArgument(placement, ShapeOfRank(dim, placement.rows, placement.cols)) {}
  TypedArgument(const Placement &placement, std::vector<int64_t> extents)
      : extents_(std::move(extents)),
        rows_(dim == 1 ? 1 : placement.rows),
        cols_(dim == 1 ? placement.rows * placement.cols : placement.cols),
        stride_(cols_ + (dim == 1 ? 0 : placement.pad)),
        memory_(BytesOf(rows_ == 0 ? 0 : (rows_ - 1) * stride_ + cols_), BytesOf(placement.offset),
                placement.guard) {
    MakeTensor();
  }

  void *tensor() override { return &tensor_; }
  int64_t rows() const override { return rows_; }
  int64_t cols() const override { return cols_; }
  const std::vector<int64_t> &extents() const override { return extents_; }

  void Fill(Data data, SplitMix64 *random) override {
    for (int64_t y = 0; y < rows_; ++y) {
      for (int64_t x = 0; x < cols_; ++x) At(y, x) = RandomValue<T>(data, random);
    }
  }

  void FillConstant(double value) override {
    for (int64_t y = 0; y < rows_; ++y) {
      for (int64_t x = 0; x < cols_; ++x) At(y, x) = static_cast<T>(value);
    }
  }

  void FillIndices(int64_t count, SplitMix64 *random) override {
    const bool is_short = sizeof(T) == 1 || std::is_same_v<T, mshadow::bfloat::bf16_t>;
    const int end = static_cast<int>(is_short ? std::min<int64_t>(count, 100) : count);
    for (int64_t y = 0; y < rows_; ++y) {
      for (int64_t x = 0; x < cols_; ++x) {
        At(y, x) = static_cast<T>(static_cast<float>(end > 0 ? random->Below(end) : 0));
      }
    }
  }

  void FillRows(SplitMix64 *random) override {
    std::vector<int64_t> rows(static_cast<size_t>(cols_));
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<int64_t>(i);
    for (size_t i = rows.size(); i > 1; --i) {
      std::swap(rows[i - 1], rows[static_cast<size_t>(random->Below(static_cast<int>(i)))]);
    }
    for (size_t i = 0; i < rows.size(); ++i) {
      At(0, static_cast<int64_t>(i)) = static_cast<T>(static_cast<float>(rows[i]));
    }
  }

  std::unique_ptr<TensorArgument> Clone() const override {
    auto copy = std::make_unique<TypedArgument>(*this);
    return copy;
  }

  std::unique_ptr<TensorArgument> Resized(int64_t rows, int64_t cols) const override {
    return std::make_unique<TypedArgument>(Placement{rows, cols, 0, 0, Guard::kAfter});
  }

  std::unique_ptr<TensorArgument> Reshaped(const std::vector<int64_t> &extents,
                                           int pad) const override {
    int64_t rows = 1;
    for (size_t d = 0; d + 1 < extents.size(); ++d) rows *= extents[d];
    const Placement placement{rows, extents.back(), pad, 0, Guard::kAfter};
    return std::make_unique<TypedArgument>(placement, extents);
  }

  std::string Difference(const TensorArgument &base) const override {
    const auto &other = static_cast<const TypedArgument &>(base);
    for (int64_t y = 0; y < rows_; ++y) {
      for (int64_t x = 0; x < cols_; ++x) {
        if (SameBits(At(y, x), other.At(y, x))) continue;
        std::ostringstream text;
        text.precision(17);
        text << "element (" << y << "," << x << "): " << Value(y, x) << " and "
             << other.Value(y, x);
        return text.str();
      }
    }
    if (!IsIntactOutside() || !other.IsIntactOutside()) return "a write outside the tensor";
    return "";
  }

  uint64_t Hash() const override {
    uint64_t hash = 0xcbf29ce484222325u;
    for (int64_t y = 0; y < rows_; ++y) {
      for (int64_t x = 0; x < cols_; ++x) {
        const T value = At(y, x);
        if (Value(y, x) != Value(y, x)) {  // one NaN is as good as another, and no number is
          hash = (hash ^ 0x100u) * 0x100000001b3u;
          continue;
        }
        unsigned char bytes[sizeof(T)];
        std::memcpy(bytes, &value, sizeof(T));
        for (unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
      }
    }
    return hash;
  }

  double Value(int64_t y, int64_t x) const override {
    if constexpr (std::is_arithmetic_v<T>) {
      return static_cast<double>(At(y, x));
    } else {
      return static_cast<double>(static_cast<float>(At(y, x)));
    }
  }

  TypedArgument(const TypedArgument &other)
      : extents_(other.extents_),
        rows_(other.rows_),
        cols_(other.cols_),
        stride_(other.stride_),
        memory_(other.memory_) {
    MakeTensor();
  }

 private:
  static size_t BytesOf(int64_t elements) { return static_cast<size_t>(elements) * sizeof(T); }

  void MakeTensor() {
    mshadow::Shape<dim> shape;
    for (int d = 0; d < dim; ++d) shape[d] = extents_[static_cast<size_t>(d)];
    tensor_ = mshadow::Tensor<mshadow::cpu, dim, T>(&At(0, 0), shape);
    tensor_.stride_ = stride_;
  }

  T &At(int64_t y, int64_t x) { return reinterpret_cast<T *>(memory_.data())[y * stride_ + x]; }
  const T &At(int64_t y, int64_t x) const {
    return reinterpret_cast<const T *>(memory_.data())[y * stride_ + x];
  }

  bool IsIntactOutside() const {
    for (int64_t y = 0; y + 1 < rows_; ++y) {
      const unsigned char *first = memory_.data() + BytesOf(y * stride_ + cols_);
      const unsigned char *last = memory_.data() + BytesOf((y + 1) * stride_);
      if (std::any_of(first, last, [](unsigned char byte) { return byte != kFenceByte; })) {
        return false;
      }
    }
    return memory_.IsIntact();
  }

  std::vector<int64_t> extents_;
  int64_t rows_, cols_, stride_;
  FencedMemory memory_;
  mshadow::Tensor<mshadow::cpu, dim, T> tensor_;
};

template <typename T>
std::unique_ptr<TensorArgument> MakeOfDim(int dim, const Placement &placement) {
  switch (dim) {
    case 1:
      return std::make_unique<TypedArgument<T, 1>>(placement);
    case 2:
      return std::make_unique<TypedArgument<T, 2>>(placement);
    case 3:
      return std::make_unique<TypedArgument<T, 3>>(placement);
    case 4:
      return std::make_unique<TypedArgument<T, 4>>(placement);
  }
  throw std::invalid_argument("tests call rules of rank 1 to 4, not " + std::to_string(dim));
}

std::unique_ptr<TensorArgument> Make(int flag, int dim, const Placement &placement) {
  switch (flag) {
    case mshadow::kFloat32:
      return MakeOfDim<float>(dim, placement);
    case mshadow::kFloat64:
      return MakeOfDim<double>(dim, placement);
    case mshadow::kFloat16:
      return MakeOfDim<mshadow::half::half_t>(dim, placement);
    case mshadow::kBfloat16:
      return MakeOfDim<mshadow::bfloat::bf16_t>(dim, placement);
    case mshadow::kUint8:
      return MakeOfDim<uint8_t>(dim, placement);
    case mshadow::kInt8:
      return MakeOfDim<int8_t>(dim, placement);
    case mshadow::kInt16:
      return MakeOfDim<int16_t>(dim, placement);
    case mshadow::kInt32:
      return MakeOfDim<int32_t>(dim, placement);
    case mshadow::kInt64:
      return MakeOfDim<int64_t>(dim, placement);
    case mshadow::kBool:
      return MakeOfDim<bool>(dim, placement);
  }
  throw std::invalid_argument("no element type has flag " + std::to_string(flag));
}

const char *TypeName(int flag) {
  switch (flag) {
    case mshadow::kFloat32:
      return "float";
    case mshadow::kFloat64:
      return "double";
    case mshadow::kFloat16:
      return "half_t";
    case mshadow::kBfloat16:
      return "bf16_t";
    case mshadow::kUint8:
      return "uint8_t";
    case mshadow::kInt8:
      return "int8_t";
    case mshadow::kInt16:
      return "int16_t";
    case mshadow::kInt32:
      return "int32_t";
    case mshadow::kInt64:
      return "int64_t";
    case mshadow::kBool:
      return "bool";
  }
  return "?";
}

}  // namespace

std::vector<int64_t> ShapeOfRank(int rank, int64_t rows, int64_t cols) {
  if (rank == 1) return {rows * cols};
  if (rank == 2) return {rows, cols};
  if (rank == 3 && rows % 2 == 0) return {2, rows / 2, cols};
  if (rank == 3) return {rows, 1, cols};
  if (rows % 4 == 0) return {2, rows / 4, 2, cols};
  if (rows % 2 == 0) return {1, rows / 2, 2, cols};
  if (rows % 3 == 0) return {3, rows / 3, 1, cols};
  return {1, rows, 1, cols};
}

std::vector<int> RuleEntry::Dims(int least) const {
  std::vector<int> dims;
  for (int dim = least; dim <= kMaxDim; ++dim) {
    if (call[dim] != nullptr) dims.push_back(dim);
  }
  return dims;
}

std::string RuleEntry::Name() const {
  std::string text = std::string(info->name_space) + "::" + info->name + "<";
  for (size_t i = 0; i < types.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::string(TypeName(types[i]));
  return text + ">";
}

Arguments::Arguments(const RuleEntry &rule, const Layout &layout)
    : info_(rule.info), layout_(layout) {
  // A random rule that needs squares, since it writes diagonals, says so in its name.
  const bool is_square = std::string_view(info_->name).find("OnSquares") != std::string_view::npos;
  if (info_->calls() > 0 || is_square) {
    // Any call with squares fits, and with vectors as long; the rest of the layout is as asked for.
    constexpr int64_t kSide = 40;
    layout_.dim = 2;
    layout_.rows = layout_.cols = std::min(layout.rows * layout.cols, kSide);
  }
  for (int i = 0; i < info_->num_params; ++i) {
    const mshadow::ParamInfo &param = info_->params[i];
    if (!param.is_tensor) {
      scalars_.push_back(param.has_value ? param.value : 1.0);
      continue;
    }
    const int flag = param.TypeIn(rule.types.data());
    // A vector beside tensors of more dimensions is a row that is read for each of theirs.
    const bool whole = param.rank == mshadow::kRankParam || param.rank > 1;
    const int dim = param.rank == mshadow::kRankParam ? layout_.dim : param.rank;
    const int64_t cols = layout_.dim == 1 && !whole ? layout_.rows * layout_.cols : layout_.cols;
    const int offset = layout_.offset + (layout_.offset != 0 ? i : 0);
    if (param.channel_dim >= 0) {
      tensors_.push_back(Make(flag, 1, {1, ChannelsOf(param), layout_.pad, offset, layout_.guard}));
      continue;
    }
    const bool is_per_row = param.is_per_row || param.names_rows;
    const bool is_value = is_per_row || param.is_single;
    const int64_t rows = whole || is_per_row ? layout_.rows : 1;
    tensors_.push_back(
        Make(flag, dim, {rows, is_value ? 1 : cols, layout_.pad, offset, layout_.guard}));
  }
}

int64_t Arguments::ChannelsOf(const mshadow::ParamInfo &param) const {
  int rank = 0;
  for (const mshadow::ParamInfo &other : *info_) rank = std::max(rank, other.rank);
  return ShapeOfRank(rank, layout_.rows, layout_.cols)[static_cast<size_t>(param.channel_dim)];
}

void Arguments::Fill(Data data, uint64_t seed) {
  SplitMix64 random(seed);
  size_t next = 0;
  for (const mshadow::ParamInfo &param : *info_) {
    if (!param.is_tensor) continue;
    TensorArgument &tensor = *tensors_[next++];
    if (param.names_rows) {
      tensor.FillRows(&random);
    } else if (param.is_index || param.adds_to_rows) {
      // Where any number will do, some are out of range.
      const bool is_any = param.adds_to_rows && !param.is_index;
      tensor.FillIndices(layout_.cols + (is_any ? 2 : 0), &random);
    } else {
      tensor.Fill(data, &random);
    }
  }
}

void Arguments::PickScalars(uint64_t seed) {
  SplitMix64 random(seed);
  size_t next = 0;
  for (int i = 0; i < info_->num_params; ++i) {
    const mshadow::ParamInfo &param = info_->params[i];
    if (param.is_tensor) continue;
    double &value = scalars_[next++];
    value = param.has_value ? param.value : 1.0;
    if (param.type == mshadow::kBool) {
      value = random.Below(2);
    } else if (param.role == mshadow::Role::kStep) {
      value = 1 + random.Below(1000);
    } else if (random.Chance(30) &&
               (param.type == mshadow::kFloat32 || param.type == mshadow::kFloat64)) {
      value *= 0.25 + random.Unit();  // not a power of two: every rounding shows
    }
    // What a call has to round is rounded here, for callers that round otherwise.
    if (param.type == mshadow::kFloat32) value = static_cast<float>(value);
  }
}

Arguments Arguments::Clone() const {
  Arguments copy;
  copy.info_ = info_;
  copy.layout_ = layout_;
  copy.scalars_ = scalars_;
  for (const auto &tensor : tensors_) copy.tensors_.push_back(tensor->Clone());
  return copy;
}

void Arguments::Reshape(size_t tensor, const std::vector<int64_t> &extents, int pad) {
  tensors_[tensor] = tensors_[tensor]->Reshaped(extents, pad);
}

void Arguments::Resize(size_t tensor, int64_t rows, int64_t cols) {
  tensors_[tensor] = tensors_[tensor]->Resized(rows, cols);
}

void Arguments::Call(const RuleEntry &rule) const {
  std::vector<void *> tensors;
  for (const auto &tensor : tensors_) tensors.push_back(tensor->tensor());
  rule.call[layout_.dim](tensors.data(), scalars_.data());
}

void Arguments::AddToList(const RuleEntry &rule) const {
  std::vector<void *> tensors;
  for (const auto &tensor : tensors_) tensors.push_back(tensor->tensor());
  rule.list[layout_.dim](tensors.data(), scalars_.data());
}

std::string Arguments::Difference(const Arguments &other) const {
  size_t next = 0;
  for (int i = 0; i < info_->num_params; ++i) {
    if (!info_->params[i].is_tensor) continue;
    const std::string where = tensors_[next]->Difference(*other.tensors_[next]);
    if (!where.empty()) return std::string(info_->params[i].name) + ": " + where;
    ++next;
  }
  return "";
}

uint64_t Arguments::Hash() const {
  uint64_t hash = 0;
  for (const auto &tensor : tensors_) hash = hash * 0x9e3779b97f4a7c15u + tensor->Hash();
  return hash;
}

}  // namespace mshadow_test
