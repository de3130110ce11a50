// SPDX-License-Identifier: Apache-2.0
/// \file device.cuh
/// The region of CUDA kernels: mshadow::packet::device. Vec<T, N> is N elements of one thread. The
/// emitted formula and the elementary functions are the same text as on the CPU.
#ifndef MSHADOW_PACKET_DEVICE_CUH_
#define MSHADOW_PACKET_DEVICE_CUH_

#include <cuda_runtime.h>

#include "mshadow/cuda/lane.cuh"
#include "mshadow/emitted/plan.h"
#include "mshadow/packet/prelude.h"

#if defined(__CUDA_ARCH__) || defined(__clang__)  // the host's GCC warns of what it does not know
#define MSHADOW_DEVICE_UNROLL _Pragma("unroll")
#define MSHADOW_DEVICE_UNROLL_BY(count) MSHADOW_DEVICE_PRAGMA(unroll count)
#define MSHADOW_DEVICE_PRAGMA(text) _Pragma(#text)
#else
#define MSHADOW_DEVICE_UNROLL
#define MSHADOW_DEVICE_UNROLL_BY(count)
#endif

#define MSHADOW_PACKET_AVX2 0
#define MSHADOW_PACKET_AVX512 0
#define MSHADOW_PACKET_FMA 1
#define MSHADOW_PACKET_GPU
namespace mshadow {
namespace packet {
namespace device {

#include "mshadow/packet/device_vec.inc"

#include "mshadow/packet/device_approximate.inc"

// The order matters: each is written against what stands above.

#include "mshadow/packet/device_memory.inc"
#include "mshadow/packet/shared.inc"
// And this against all of it.
#include "mshadow/packet/device_places.inc"

}  // namespace device
}  // namespace packet
}  // namespace mshadow

#undef MSHADOW_PACKET_AVX2
#undef MSHADOW_PACKET_AVX512
#undef MSHADOW_PACKET_FMA
#undef MSHADOW_PACKET_GPU

#endif  // MSHADOW_PACKET_DEVICE_CUH_
