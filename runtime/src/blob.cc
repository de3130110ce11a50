// SPDX-License-Identifier: Apache-2.0
#include <istream>
#include <ostream>
#include <string>

#include "mshadow/tensor_blob.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

namespace {

std::string DeviceName(int mask) {
  return mask == cpu::kDevMask ? "cpu" : mask == gpu::kDevMask ? "gpu" : std::to_string(mask);
}

std::string TypeName(int flag) {
  const char *const name = detail::NameOfFlag(flag);
  return name != nullptr ? name : "flag " + std::to_string(flag);
}

void CheckEqual(const char *what, const std::string &want, const std::string &got) {
  if (want != got) throw Error(std::string(what) + ": expected " + want + ", got " + got);
}

}  // namespace

namespace detail {

std::string ShapeText(const TShape &shape) {
  return shape.ndim() == 0 ? "()" : ShapeText(shape.data(), shape.ndim());
}

void CheckBlobType(const char *what, int want, int got) {
  if (want != got) CheckEqual(what, "element type " + TypeName(want), TypeName(got));
}

void CheckBlobDevice(const char *what, int want, int got) {
  if (want != got) CheckEqual(what, "a tensor on the " + DeviceName(want), DeviceName(got));
}

void CheckBlobShape(const char *what, const TShape &want, const TShape &got) {
  if (want != got) CheckEqual(what, "shape " + ShapeText(want), ShapeText(got));
}

void CheckBlobHasShape(const char *what, const TShape &shape) {
  if (shape.ndim() == 0) {
    throw Error(std::string(what) +
                ": expected a blob that views a tensor, got one without extents (a TBlob() to "
                "which no blob or tensor was assigned)");
  }
}

int FlagOfDLType(int code, int bits, int lanes) {
  for (int flag = kFloat32; lanes == 1 && flag <= kBfloat16; ++flag) {
    int this_code = 0, this_bits = 0;
    DLTypeOfFlag(flag, &this_code, &this_bits);
    if (this_code == code && this_bits == bits) return flag;
  }
  throw Error("DLTensor: expected an element type that mshadow has, got code " +
              std::to_string(code) + ", " + std::to_string(bits) + " bits, " +
              std::to_string(lanes) + " lanes");
}

void DLTypeOfFlag(int flag, int *code, int *bits) {
  *bits = static_cast<int>(8 * mshadow_sizeof(flag));
  switch (flag) {
    case kBool:
      *code = kDLBoolCode;
      return;
    case kBfloat16:
      *code = kDLBfloatCode;
      return;
    case kFloat16:
    case kFloat32:
    case kFloat64:
      *code = kDLFloatCode;
      return;
    case kInt8:
    case kInt16:
    case kInt32:
    case kInt64:
      *code = kDLIntCode;
      return;
    default:
      *code = kDLUIntCode;
  }
}

int DeviceMaskOfDL(int device) {
  if (device == kDLCpuCode) return cpu::kDevMask;
  if (device == kDLCudaCode) return gpu::kDevMask;
  throw Error("DLTensor: expected device 1 (CPU) or 2 (CUDA), got " + std::to_string(device));
}

index_t RowStrideOfDL(int ndim, const int64_t *shape, const int64_t *strides) {
  if (ndim == 0) return 0;
  if (strides == nullptr) return static_cast<index_t>(shape[ndim - 1]);
  int64_t stride = shape[ndim - 1];
  for (int i = ndim - 2; i >= 0; --i) {  // strides of extents of 1 may be anything
    if (shape[i] > 1) {
      stride = strides[i];
      break;
    }
  }
  int64_t step = 1;
  for (int i = ndim - 1; i >= 0; --i) {
    if (shape[i] > 1 && strides[i] != step) {
      throw Error("DLTensor: expected contiguous rows, which need stride " + std::to_string(step) +
                  " in dimension " + std::to_string(i) + ", got " + std::to_string(strides[i]));
    }
    step *= i == ndim - 1 ? stride : shape[i];
  }
  return static_cast<index_t>(stride);
}

}  // namespace detail

void TShape::SetDim(int ndim) {
  if (ndim < 0 || ndim > kMaxDim) {
    throw Error("TShape: expected 0 to " + std::to_string(kMaxDim) + " dimensions, got " +
                std::to_string(ndim));
  }
  ndim_ = ndim;
  for (int i = 0; i < ndim; ++i) extents_[i] = 1;
}

void TShape::CheckDim(int dim) const {
  if (ndim_ != dim) {
    throw Error("TShape: expected " + std::to_string(dim) + " dimensions, got shape " +
                detail::ShapeText(*this));
  }
}

void TShape::CheckAxes(int begin, int end) const {
  if (begin < 0 || begin > end || end >= ndim_) {
    throw Error("TShape.FlatTo3D: expected dimensions of shape " + detail::ShapeText(*this) +
                ", got " + std::to_string(begin) + " to " + std::to_string(end));
  }
}

std::ostream &operator<<(std::ostream &out, const TShape &shape) {
  return out << detail::ShapeText(shape);
}

std::istream &operator>>(std::istream &in, TShape &shape) {
  const auto fail = [&in]() -> std::istream & {
    in.setstate(std::ios::failbit);
    return in;
  };
  index_t extents[TShape::kMaxDim];
  int ndim = 0;
  char c = 0;
  if (!(in >> c) || c != '(') return fail();
  while (in >> std::ws && in.peek() != ')') {
    if (ndim == TShape::kMaxDim || !(in >> extents[ndim]) || !(in >> c)) return fail();
    ++ndim;
    if (c == ')') {
      in.unget();
    } else if (c != ',') {
      return fail();
    }
  }
  if (!in || !(in >> c)) return fail();
  shape = TShape(extents, extents + ndim);
  return in;
}

TBlob TBlob::reshape(const TShape &shape) const {
  if (shape.Size() != Size() || (shape.ndim() == 0) != (ndim() == 0)) {
    throw Error("TBlob.reshape: expected a shape of " + std::to_string(Size()) +
                " elements, like " + detail::ShapeText(shape_) + ", got " +
                detail::ShapeText(shape));
  }
  if (shape == shape_) return *this;
  if (ndim() > 0 && !CheckContiguous() && shape_.FlatTo2D()[0] > 1) {
    detail::ThrowNotContiguous(shape_.data(), ndim(), stride_);
  }
  return TBlob(dptr_, shape, dev_mask_, type_flag_, dev_id_);
}

MSHADOW_VERSION_END
}  // namespace mshadow
