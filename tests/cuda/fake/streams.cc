// SPDX-License-Identifier: Apache-2.0
// Streams, events and copies: everything is queued, and runs when somebody waits for it.
#include <chrono>
#include <cstring>
#include <deque>
#include <set>

#include "include/fake_cuda.h"
#include "state.h"

struct CUstream_st {
  int device;
  bool blocking;  // ordered against the device's default stream
  std::deque<std::shared_ptr<fakecuda::Op>> queue;
};

struct CUevent_st {
  std::shared_ptr<fakecuda::Op> op;  // null: never recorded
};

namespace fakecuda {
namespace {

CUstream_st default_streams[kDevices] = {{0, true, {}}, {1, true, {}}};
std::set<CUstream_st *> streams;
std::set<CUevent_st *> events;

CUstream_st *Resolve(CUstream_st *stream) {
  return IsDefaultStream(stream) ? &default_streams[CurrentDevice()] : stream;
}

void AddTail(CUstream_st *stream, std::vector<std::shared_ptr<Op>> *after) {
  if (!stream->queue.empty()) after->push_back(stream->queue.back());
}

double NowMs() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(now).count();
}

/// What a copy's kind says about an address must be so.
bool SideMatches(const void *pointer, size_t bytes, bool on_device, cudaMemcpyKind kind) {
  const int device = DeviceOf(pointer, bytes);
  if (device == kOutside) return false;
  return kind == cudaMemcpyDefault || (device >= 0) == on_device;
}

struct CopyArgs {
  void *dst;
  size_t dst_pitch;
  const void *src;
  size_t src_pitch;
  size_t width, height;
};

cudaError_t CheckCopy(const CopyArgs &c, cudaMemcpyKind kind) {
  if (c.width > c.dst_pitch || c.width > c.src_pitch) return cudaErrorInvalidValue;
  const bool to = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const size_t dst_bytes = c.dst_pitch * (c.height - 1) + c.width;
  const size_t src_bytes = c.src_pitch * (c.height - 1) + c.width;
  return SideMatches(c.dst, dst_bytes, to, kind) && SideMatches(c.src, src_bytes, from, kind)
             ? cudaSuccess
             : cudaErrorInvalidValue;
}

void RunCopy(const CopyArgs &c) {
  const int to = DeviceOf(c.dst, 1), from = DeviceOf(c.src, 1);
  if (to == kOutside || from == kOutside) Fatal("queued copy of freed memory", c.dst);
  DeviceAccess open_to(to < 0 ? 0 : to), open_from(from < 0 ? 0 : from);
  for (size_t y = 0; y < c.height; ++y) {
    std::memcpy(static_cast<char *>(c.dst) + y * c.dst_pitch,
                static_cast<const char *>(c.src) + y * c.src_pitch, c.width);
  }
}

cudaError_t Copy(const CopyArgs &c, cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  if (!IsStream(stream)) return Fail(cudaErrorInvalidResourceHandle);
  if (IsCapturing() && wait) return RefuseInCapture(cudaErrorStreamCaptureUnsupported);
  if (IsCapturing() && IsDefaultStream(stream)) {
    return RefuseInCapture(cudaErrorStreamCaptureImplicit);
  }
  if (c.width == 0 || c.height == 0) return cudaSuccess;
  if (cudaError_t error = CheckCopy(c, kind)) return Fail(error);
  const auto op = Enqueue(stream, [c] { RunCopy(c); });
  if (wait) RunUntil(op);
  return cudaSuccess;
}

/// Sets rows of `width` bytes, `pitch` bytes apart.
cudaError_t Set(void *pointer, size_t pitch, int value, size_t width, size_t height,
                cudaStream_t stream) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  if (!IsStream(stream)) return Fail(cudaErrorInvalidResourceHandle);
  if (IsCapturing() && IsDefaultStream(stream)) {
    return RefuseInCapture(cudaErrorStreamCaptureImplicit);
  }
  if (width == 0 || height == 0) return cudaSuccess;
  const size_t bytes = pitch * (height - 1) + width;
  if (width > pitch || DeviceOf(pointer, bytes) < 0) return Fail(cudaErrorInvalidValue);
  Enqueue(stream, [=] {
    const int device = DeviceOf(pointer, bytes);
    if (device < 0) Fatal("queued memset of freed memory", pointer);
    DeviceAccess open(device);
    char *const row = static_cast<char *>(pointer);
    for (size_t y = 0; y < height; ++y) std::memset(row + y * pitch, value, width);
  });
  return cudaSuccess;
}

}  // namespace

bool IsStream(CUstream_st *stream) { return IsDefaultStream(stream) || streams.count(stream) != 0; }
int DeviceOfStream(CUstream_st *stream) { return Resolve(stream)->device; }

std::shared_ptr<Op> Enqueue(CUstream_st *stream, std::function<void()> run) {
  CUstream_st *target = Resolve(stream);
  CUstream_st *defaults = &default_streams[target->device];
  auto op = std::make_shared<Op>();
  op->stream = target;
  op->done = Record(target, run);
  if (op->done) return op;
  op->run = std::move(run);
  if (target == defaults) {
    for (CUstream_st *other : streams) {
      if (other->device == target->device && other->blocking) AddTail(other, &op->after);
    }
  } else if (target->blocking) {
    AddTail(defaults, &op->after);
  }
  target->queue.push_back(op);
  return op;
}

void RunUntil(std::shared_ptr<Op> op) {
  while (!op->done) {
    const std::shared_ptr<Op> next = op->stream->queue.front();
    for (const auto &first : next->after) RunUntil(first);
    next->run();
    next->finished_ms = NowMs();
    next->done = true;
    next->after.clear();
    op->stream->queue.pop_front();
  }
}

void RunDevice(int device) {
  for (CUstream_st *stream : streams) {
    if (stream->device == device && !stream->queue.empty()) RunUntil(stream->queue.back());
  }
  CUstream_st &defaults = default_streams[device];
  if (!defaults.queue.empty()) RunUntil(defaults.queue.back());
}

}  // namespace fakecuda

using fakecuda::CountObjects;
using fakecuda::Enter;
using fakecuda::Fail;
using fakecuda::IsStream;
using fakecuda::Lock;

cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes, cudaMemcpyKind kind) {
  return fakecuda::Copy({dst, bytes, src, bytes, bytes, 1}, kind, nullptr, true);
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return fakecuda::Copy({dst, bytes, src, bytes, bytes, 1}, kind, stream, false);
}

cudaError_t cudaMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  return fakecuda::Copy({dst, dst_pitch, src, src_pitch, width, height}, kind, nullptr, true);
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return fakecuda::Copy({dst, dst_pitch, src, src_pitch, width, height}, kind, stream, false);
}

cudaError_t cudaMemset(void *pointer, int value, size_t bytes) {
  return fakecuda::Set(pointer, bytes, value, bytes, 1,
                       nullptr);  // asynchronous on device memory, as CUDA's
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream) {
  return fakecuda::Set(pointer, bytes, value, bytes, 1, stream);
}

cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return fakecuda::Set(pointer, pitch, value, width, height, stream);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  *stream = new CUstream_st{fakecuda::CurrentDevice(), flags != cudaStreamNonBlocking, {}};
  fakecuda::streams.insert(*stream);
  CountObjects(1);
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  auto lock = Lock();
  const cudaError_t injected = Enter(__func__);
  if (fakecuda::IsDefaultStream(stream) || !IsStream(stream)) {
    return Fail(cudaErrorInvalidResourceHandle);
  }
  if (!stream->queue.empty()) fakecuda::RunUntil(stream->queue.back());
  fakecuda::streams.erase(stream);
  delete stream;
  CountObjects(-1);
  return injected;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  if (!IsStream(stream)) return Fail(cudaErrorInvalidResourceHandle);
  // An empty piece of work collects what the default stream waits for.
  fakecuda::RunUntil(fakecuda::Enqueue(stream, [] {}));
  return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  if (!IsStream(stream)) return Fail(cudaErrorInvalidResourceHandle);
  return fakecuda::Resolve(stream)->queue.empty() ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  if (!IsStream(stream) || fakecuda::events.count(event) == 0) {
    return Fail(cudaErrorInvalidResourceHandle);
  }
  if (event->op == nullptr) return cudaSuccess;
  fakecuda::Enqueue(stream, [] {})->after.push_back(event->op);
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  *event = new CUevent_st;
  fakecuda::events.insert(*event);
  CountObjects(1);
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  auto lock = Lock();
  const cudaError_t injected = Enter(__func__);
  if (fakecuda::events.erase(event) == 0) return Fail(cudaErrorInvalidResourceHandle);
  delete event;
  CountObjects(-1);
  return injected;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  if (!IsStream(stream) || fakecuda::events.count(event) == 0) {
    return Fail(cudaErrorInvalidResourceHandle);
  }
  event->op = fakecuda::Enqueue(stream, [] {});
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  if (fakecuda::events.count(event) == 0) return Fail(cudaErrorInvalidResourceHandle);
  if (event->op != nullptr) fakecuda::RunUntil(event->op);
  return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  if (fakecuda::events.count(event) == 0) return Fail(cudaErrorInvalidResourceHandle);
  return event->op == nullptr || event->op->done ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  for (cudaEvent_t event : {start, end}) {
    if (fakecuda::events.count(event) == 0 || event->op == nullptr) {
      return Fail(cudaErrorInvalidResourceHandle);
    }
    if (!event->op->done) return cudaErrorNotReady;
  }
  *milliseconds = static_cast<float>(end->op->finished_ms - start->op->finished_ms);
  return cudaSuccess;
}
