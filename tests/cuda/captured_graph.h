// SPDX-License-Identifier: Apache-2.0
/// \file captured_graph.h
/// What is put on a stream, as a CUDA graph.
#ifndef MSHADOW_TESTS_CUDA_CAPTURED_GRAPH_H_
#define MSHADOW_TESTS_CUDA_CAPTURED_GRAPH_H_

#include <cuda_runtime_api.h>
#include <mshadow/detail/stream_gpu.h>

#include <stdexcept>
#include <string>

namespace mshadow_test {

/// Captures what is put on a stream from when it is made until it runs, or dies.
class CapturedGraph {
 public:
  explicit CapturedGraph(mshadow::Stream<mshadow::gpu> *stream) : stream_(stream) {
    Check(cudaStreamBeginCapture(stream_->stream_, cudaStreamCaptureModeGlobal),
          "cudaStreamBeginCapture");
  }
  CapturedGraph(const CapturedGraph &) = delete;
  CapturedGraph &operator=(const CapturedGraph &) = delete;
  ~CapturedGraph() {
    if (exec_ != nullptr) cudaGraphExecDestroy(exec_);
    cudaGraph_t graph = nullptr;
    if (captures_ && cudaStreamEndCapture(stream_->stream_, &graph) == cudaSuccess) {
      cudaGraphDestroy(graph);
    }
  }

  /// Ends the capture, and runs the graph so many times.
  void Run(int times) {
    if (captures_) End();
    for (int i = 0; i < times; ++i) {
      Check(cudaGraphLaunch(exec_, stream_->stream_), "cudaGraphLaunch");
    }
    stream_->Wait();
  }

 private:
  void End() {
    cudaGraph_t graph = nullptr;
    captures_ = false;
    Check(cudaStreamEndCapture(stream_->stream_, &graph), "cudaStreamEndCapture");
    const cudaError_t status = cudaGraphInstantiateWithFlags(&exec_, graph, 0);
    Check(cudaGraphDestroy(graph), "cudaGraphDestroy");
    Check(status, "cudaGraphInstantiateWithFlags");
  }
  static void Check(cudaError_t status, const char *call) {
    if (status == cudaSuccess) return;
    throw std::runtime_error(std::string(call) + ": " + cudaGetErrorName(status));
  }

  mshadow::Stream<mshadow::gpu> *stream_;
  cudaGraphExec_t exec_ = nullptr;
  bool captures_ = true;
};

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_CUDA_CAPTURED_GRAPH_H_
