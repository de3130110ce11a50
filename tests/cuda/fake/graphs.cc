// SPDX-License-Identifier: Apache-2.0
// Graphs: what is put on a stream while it is captured, to be put on streams later. Of one stream;
// a capture is everybody's (cudaStreamCaptureModeGlobal).
#include <map>
#include <set>
#include <string>

#include "state.h"

struct CUgraph_st {
  std::vector<std::function<void()>> work;
  bool is_valid = true;
};

struct CUgraphExec_st {
  std::vector<std::function<void()>> work;
};

namespace fakecuda {
namespace {

std::map<CUstream_st *, CUgraph_st *> captures;
std::set<CUgraph_st *> graphs;
std::set<CUgraphExec_st *> execs;

}  // namespace

bool IsCapturing() { return !captures.empty(); }

bool RefusedByCapture(const char *call) {
  static const std::set<std::string> refused = {
      "cudaMalloc",           "cudaFree",          "cudaMallocHost",        "cudaFreeHost",
      "cudaEventRecord",      "cudaEventQuery",    "cudaEventSynchronize",  "cudaStreamWaitEvent",
      "cudaStreamQuery",      "cudaStreamDestroy", "cudaStreamSynchronize", "cudaGraphLaunch",
      "cudaDeviceSynchronize"};
  return IsCapturing() && refused.count(call) != 0;
}

cudaError_t RefuseInCapture(cudaError_t error) {
  for (auto &[stream, graph] : captures) graph->is_valid = false;
  return Fail(error);
}

bool Record(CUstream_st *stream, const std::function<void()> &run) {
  const auto capture = captures.find(stream);
  if (capture == captures.end()) return false;
  capture->second->work.push_back(run);
  return true;
}

}  // namespace fakecuda

using fakecuda::captures;
using fakecuda::CountObjects;
using fakecuda::Enter;
using fakecuda::execs;
using fakecuda::Fail;
using fakecuda::graphs;
using fakecuda::IsStream;
using fakecuda::Lock;

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  if (!IsStream(stream)) return Fail(cudaErrorInvalidResourceHandle);
  // The default stream cannot be captured.
  if (fakecuda::IsDefaultStream(stream)) return Fail(cudaErrorStreamCaptureUnsupported);
  if (captures.count(stream) != 0) return Fail(cudaErrorInvalidValue);
  captures[stream] = *graphs.insert(new CUgraph_st).first;
  CountObjects(1);
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  const auto capture = captures.find(stream);
  if (capture == captures.end()) return Fail(cudaErrorInvalidValue);
  *graph = capture->second;
  captures.erase(capture);
  if ((*graph)->is_valid) return cudaSuccess;
  cudaGraphDestroy(*graph);
  *graph = nullptr;
  return Fail(cudaErrorStreamCaptureInvalidated);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  if (!IsStream(stream)) return Fail(cudaErrorInvalidResourceHandle);
  const auto capture = captures.find(stream);
  *status = capture == captures.end()   ? cudaStreamCaptureStatusNone
            : capture->second->is_valid ? cudaStreamCaptureStatusActive
                                        : cudaStreamCaptureStatusInvalidated;
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  if (graphs.count(graph) == 0) return Fail(cudaErrorInvalidValue);
  *exec = *execs.insert(new CUgraphExec_st{graph->work}).first;
  CountObjects(1);
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  if (!IsStream(stream) || execs.count(exec) == 0) return Fail(cudaErrorInvalidValue);
  for (const auto &run : exec->work) fakecuda::Enqueue(stream, run);
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  if (graphs.erase(graph) == 0) return Fail(cudaErrorInvalidValue);
  delete graph;
  CountObjects(-1);
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  if (execs.erase(exec) == 0) return Fail(cudaErrorInvalidValue);
  delete exec;
  CountObjects(-1);
  return cudaSuccess;
}
