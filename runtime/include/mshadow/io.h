// SPDX-License-Identifier: Apache-2.0
/// \file io.h
/// Tensors in binary streams: SaveBinary, LoadBinary.
///
/// The format is mshadow's: the extents, then the elements row by row without padding, both in the
/// machine's byte order. Extents have 32 bits, as in files of an mshadow whose index_t has 32
/// bits. If an extent is above 2^31 - 1, 0xffffffff comes first, and all extents have 64 bits.
#ifndef MSHADOW_IO_H_
#define MSHADOW_IO_H_

#include "mshadow/detail/stream_gpu.h"
#include "mshadow/detail/tensor_cpu.h"
#include "mshadow/detail/tensor_gpu.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

namespace utils {

/// A stream of bytes. SaveBinary and LoadBinary take any class that has these two functions.
class IStream {
 public:
  virtual ~IStream();
  /// Reads up to \p size bytes into \p ptr. \returns how many it read
  virtual size_t Read(void *ptr, size_t size) = 0;
  virtual void Write(const void *ptr, size_t size) = 0;

  /// Writes a std::vector or std::string of plain data: the length as 64 bits, then the elements.
  template <typename Container>
  auto Write(const Container &data) -> decltype(data.data(), data.size(), void()) {
    const uint64_t count = data.size();
    Write(&count, sizeof(count));
    if (count != 0) Write(data.data(), sizeof(*data.data()) * data.size());
  }
  /// Reads what Write wrote. Returns false, and leaves *data as it is, if the stream ends too
  /// early.
  template <typename Container>
  auto Read(Container *data) -> decltype(data->resize(0), bool()) {
    uint64_t count = 0;
    if (Read(&count, sizeof(count)) != sizeof(count)) return false;
    Container all;
    constexpr uint64_t kPiece = 1 << 16;  // a wrong length must not allocate much
    for (uint64_t done = 0; done < count;) {
      const size_t piece = static_cast<size_t>(count - done < kPiece ? count - done : kPiece);
      all.resize(static_cast<size_t>(done) + piece);
      const size_t bytes = sizeof(*all.data()) * piece;
      if (Read(&all[static_cast<size_t>(done)], bytes) != bytes) return false;
      done += piece;
    }
    *data = static_cast<Container &&>(all);
    return true;
  }
};

}  // namespace utils

namespace detail {

/// Any stream as an IStream.
template <typename Stream>
class StreamRef : public utils::IStream {
 public:
  explicit StreamRef(Stream *stream) : stream_(stream) {}
  size_t Read(void *ptr, size_t size) override { return stream_->Read(ptr, size); }
  void Write(const void *ptr, size_t size) override { stream_->Write(ptr, size); }

 private:
  Stream *stream_;
};

/// The bytes of a tensor that was read, without padding.
class Bytes {
 public:
  Bytes() = default;
  ~Bytes();
  Bytes(const Bytes &) = delete;
  Bytes &operator=(const Bytes &) = delete;
  /// Reads \p size bytes in pieces, so that a wrong size allocates little.
  /// \throws Error that names \p shape if the stream ends too early
  void Read(utils::IStream *stream, int64_t size, const index_t *shape, int dim);
  template <typename T>
  T *as() const {
    return static_cast<T *>(data_);
  }

 private:
  void *data_ = nullptr;
};

void WriteShape(utils::IStream *stream, const index_t *shape, int dim);
/// \throws Error if the stream ends, or an extent is impossible
void ReadShape(utils::IStream *stream, index_t *shape, int dim);
/// The number of bytes of a tensor whose elements have \p size bytes. \throws Error if it is too
/// large
int64_t SizeOf(const index_t *shape, int dim, int64_t size);

/// A tensor that was read from a stream, before it is copied to its destination.
template <int dim, typename DType>
struct Loaded {
  Shape<dim> shape;
  Bytes bytes;

  template <typename Stream>
  explicit Loaded(Stream *stream) {
    StreamRef<Stream> ref(stream);
    ReadShape(&ref, shape.shape_, dim);
    bytes.Read(&ref, SizeOf(shape.shape_, dim, static_cast<int64_t>(sizeof(DType))), shape.shape_,
               dim);
  }
  Tensor<cpu, dim, DType> tensor() const {
    return Tensor<cpu, dim, DType>(bytes.as<DType>(), shape);
  }
};

/// Copies between tensors of any two devices, and waits until the copy is done.
template <typename To, typename From, int dim, typename DType>
void CopyAndWait(const Tensor<To, dim, DType> &to, const Tensor<From, dim, DType> &from) {
  if constexpr (To::kDevCPU && From::kDevCPU) {
    Copy(to, from);
  } else if constexpr (To::kDevCPU) {
    Copy(to, from, from.stream_);
    if (from.stream_ != nullptr) from.stream_->Wait();
  } else {
    Copy(to, from, to.stream_);
    if (to.stream_ != nullptr) to.stream_->Wait();
  }
}

}  // namespace detail

/// Writes \p src, a tensor of any device, to \p fo.
template <int dim, typename DType, typename TStream>
void SaveBinary(TStream &fo, const Tensor<cpu, dim, DType> &src) {  // NOLINT: mshadow's signature
  detail::StreamRef<TStream> ref(&fo);
  detail::WriteShape(&ref, src.shape_.shape_, dim);
  const Shape<2> shape = src.shape_.FlatTo2D();
  for (index_t y = 0; y < shape[0] && shape[1] > 0; ++y) {
    fo.Write(src.dptr_ + y * src.stride_, static_cast<size_t>(shape[1]) * sizeof(DType));
  }
}
template <int dim, typename DType, typename TStream>
void SaveBinary(TStream &fo, const Tensor<gpu, dim, DType> &src) {  // NOLINT
  Tensor<cpu, dim, DType> host(src.shape_);
  AllocSpace(&host, false);
  struct Owner {
    Tensor<cpu, dim, DType> *host;
    ~Owner() { FreeSpace(host); }
  } owner{&host};
  detail::CopyAndWait(host, src);
  SaveBinary(fo, host);
}

/// Reads into \p dst what SaveBinary wrote. Without \p pre_alloc, \p dst gets new memory and the
/// shape in the stream; FreeSpace releases the memory. With it, \p dst already has memory, and its
/// shape must be the one in the stream.
/// \throws Error, with \p dst unchanged, if the stream ends too early or has an impossible shape;
///     with \p pre_alloc, also if it has another shape than \p dst
template <typename Device, int dim, typename DType, typename TStream>
void LoadBinary(TStream &fi, Tensor<Device, dim, DType> *dst, bool pre_alloc) {  // NOLINT
  const detail::Loaded<dim, DType> loaded(&fi);
  if (pre_alloc) {
    if (dst->shape_ != loaded.shape) {
      detail::ThrowShapes("LoadBinary: the tensor and the stream", dst->shape_.shape_, dim,
                          loaded.shape.shape_, dim);
    }
    detail::CopyAndWait(*dst, loaded.tensor());
    return;
  }
  Tensor<Device, dim, DType> fresh(loaded.shape);
  fresh.stream_ = dst->stream_;
  AllocSpace(&fresh);
  detail::CopyAndWait(fresh, loaded.tensor());
  *dst = fresh;
}

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_IO_H_
