// SPDX-License-Identifier: Apache-2.0
// Device memory: pages of their own between pages that are never accessible.
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "include/fake_cuda.h"
#include "state.h"

namespace fakecuda {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kAddressSpace = size_t{1} << 38;  // of one device; never given out twice
constexpr size_t kTotal = size_t{1} << 35;         // what cudaMemGetInfo calls its memory

struct Block {
  size_t bytes;
  size_t mapped;
  bool repeating;
};

struct Heap {
  char *base = nullptr;
  size_t used = 0;
  size_t live_bytes = 0;
  int open = 0;  // DeviceAccess objects alive
  std::map<char *, Block> blocks;
};

Heap heaps[kDevices];
std::map<char *, size_t> pinned;

size_t RoundUp(size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

void OnFault(int signal, siginfo_t *info, void *) {
  char *address = static_cast<char *>(info->si_addr);
  bool device_works = false;
  for (const Heap &heap : heaps) device_works |= heap.open > 0;
  for (const Heap &heap : heaps) {
    if (heap.base == nullptr || address < heap.base || address >= heap.base + kAddressSpace)
      continue;
    const char *what = device_works ? "fake CUDA: a kernel left its memory, or used freed memory\n"
                                    : "fake CUDA: host code touched device memory\n";
    if (write(STDERR_FILENO, what, std::strlen(what)) < 0) break;
  }
  std::signal(signal, SIG_DFL);  // The access happens again and ends the process
}

/// A core file of a process that dies has no pages of the devices: there are 256 GiB of addresses.
void KeepOutOfCores(void *pages, size_t bytes) { madvise(pages, bytes, MADV_DONTDUMP); }

Heap &HeapOf(int device) {
  Heap &heap = heaps[device];
  if (heap.base == nullptr) {
    void *base =
        mmap(nullptr, kAddressSpace, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) Fatal("cannot reserve address space", nullptr);
    KeepOutOfCores(base, kAddressSpace);
    heap.base = static_cast<char *>(base);
    struct sigaction action = {};
    action.sa_sigaction = OnFault;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, nullptr);
    sigaction(SIGBUS, &action, nullptr);
  }
  return heap;
}

/// Address space for a block, an inaccessible page before it and after it; null when it is used up.
char *Reserve(Heap *heap, size_t mapped) {
  if (mapped > kAddressSpace - heap->used - 2 * kPage) return nullptr;
  char *begin = heap->base + heap->used + kPage;
  heap->used += mapped + kPage;
  return begin;
}

void Protect(const std::pair<char *const, Block> &block, int protection) {
  if (mprotect(block.first, block.second.mapped, protection) != 0) {
    Fatal("cannot change the protection of a block", block.first);
  }
}

void CheckBytesBehind(const std::pair<char *const, Block> &block) {
  if (block.second.repeating) return;
  for (size_t i = block.second.bytes; i < block.second.mapped; ++i) {
    if (static_cast<unsigned char>(block.first[i]) != kPoison) {
      Fatal("written behind the end of a block", block.first + i);
    }
  }
}

/// The block that holds `address` (or ends there, for ranges of no bytes), or end().
std::map<char *, Block>::const_iterator Find(const Heap &heap, char *address) {
  auto it = heap.blocks.upper_bound(address);
  if (it == heap.blocks.begin()) return heap.blocks.end();
  --it;
  return address <= it->first + it->second.bytes ? it : heap.blocks.end();
}

char *AddBlock(int device, size_t bytes, bool repeating) {
  Heap &heap = HeapOf(device);
  const size_t mapped = RoundUp(bytes);
  char *begin = Reserve(&heap, mapped);
  if (begin == nullptr) return nullptr;
  heap.blocks[begin] = Block{bytes, mapped, repeating};
  if (!repeating) heap.live_bytes += mapped;
  CountObjects(1);
  return begin;
}

}  // namespace

DeviceAccess::DeviceAccess(int device) : device_(device) {
  Heap &heap = HeapOf(device);
  if (heap.open++ > 0) return;
  for (const auto &block : heap.blocks) Protect(block, PROT_READ | PROT_WRITE);
}

DeviceAccess::~DeviceAccess() {
  Heap &heap = heaps[device_];
  if (--heap.open > 0) return;
  for (const auto &block : heap.blocks) {
    CheckBytesBehind(block);
    Protect(block, PROT_NONE);
  }
}

int DeviceOf(const void *pointer, size_t bytes) {
  char *address = static_cast<char *>(const_cast<void *>(pointer));
  for (int device = 0; device < kDevices; ++device) {
    const Heap &heap = heaps[device];
    if (heap.base == nullptr || address < heap.base || address >= heap.base + kAddressSpace)
      continue;
    const auto it = Find(heap, address);
    if (it == heap.blocks.end()) return kOutside;
    return address + bytes <= it->first + it->second.bytes ? device : kOutside;
  }
  return kHost;
}

cudaError_t MallocRepeating(void **pointer, size_t bytes, size_t period) {
  auto lock = Lock();
  const size_t mapped = RoundUp(bytes);
  const int file = memfd_create("fake-cuda", 0);
  char *begin = AddBlock(CurrentDevice(), bytes, true);
  if (file < 0 || begin == nullptr || ftruncate(file, static_cast<off_t>(period)) != 0) {
    return cudaErrorMemoryAllocation;
  }
  for (size_t at = 0; at < mapped; at += period) {
    const size_t length = period < mapped - at ? period : mapped - at;
    if (mmap(begin + at, length, PROT_NONE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) {
      return cudaErrorMemoryAllocation;
    }
  }
  close(file);
  *pointer = begin;
  return cudaSuccess;
}

void CheckVectorAccess(const void *to, const void *from, size_t bytes) {
  if (reinterpret_cast<uintptr_t>(to) % bytes != 0) Fatal("misaligned vector write", to);
  if (reinterpret_cast<uintptr_t>(from) % bytes != 0) Fatal("misaligned vector read", from);
}

}  // namespace fakecuda

using fakecuda::CountObjects;
using fakecuda::CurrentDevice;
using fakecuda::DeviceAccess;
using fakecuda::Enter;
using fakecuda::Fail;
using fakecuda::Lock;

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  const int device = CurrentDevice();
  if (bytes > fakecuda::kTotal - fakecuda::HeapOf(device).live_bytes) {
    return Fail(cudaErrorMemoryAllocation);
  }
  char *begin = fakecuda::AddBlock(device, bytes, false);
  if (begin == nullptr) return Fail(cudaErrorMemoryAllocation);
  DeviceAccess access(device);
  std::memset(begin, fakecuda::kPoison, fakecuda::RoundUp(bytes));
  *pointer = begin;
  return cudaSuccess;
}

cudaError_t cudaFree(void *pointer) {
  auto lock = Lock();
  const cudaError_t injected = Enter(__func__);
  if (pointer == nullptr) return injected;
  for (int device = 0; device < fakecuda::kDevices; ++device) {
    fakecuda::Heap &heap = fakecuda::heaps[device];
    const auto it = heap.blocks.find(static_cast<char *>(pointer));
    if (it == heap.blocks.end()) continue;
    fakecuda::RunDevice(device);  // cudaFree waits for the device
    if (!it->second.repeating) heap.live_bytes -= it->second.mapped;
    // Fresh pages without access in the block's place: its contents are gone, its address stays
    // used.
    mmap(it->first, it->second.mapped, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    fakecuda::KeepOutOfCores(it->first, it->second.mapped);
    heap.blocks.erase(it);
    CountObjects(-1);
    return injected;
  }
  return Fail(cudaErrorInvalidValue);
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  *pointer = std::aligned_alloc(fakecuda::kPage, fakecuda::RoundUp(bytes));
  if (*pointer == nullptr) return Fail(cudaErrorMemoryAllocation);
  std::memset(*pointer, fakecuda::kPoison, fakecuda::RoundUp(bytes));
  fakecuda::pinned[static_cast<char *>(*pointer)] = bytes;
  CountObjects(1);
  return cudaSuccess;
}

cudaError_t cudaFreeHost(void *pointer) {
  auto lock = Lock();
  const cudaError_t injected = Enter(__func__);
  if (pointer == nullptr) return injected;
  if (fakecuda::pinned.erase(static_cast<char *>(pointer)) == 0) return Fail(cudaErrorInvalidValue);
  for (int device = 0; device < fakecuda::kDevices; ++device) fakecuda::RunDevice(device);
  std::free(pointer);
  CountObjects(-1);
  return injected;
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  *total = fakecuda::kTotal;
  *free = fakecuda::kTotal - fakecuda::HeapOf(CurrentDevice()).live_bytes;
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  void *address = const_cast<void *>(pointer);
  const int device = fakecuda::DeviceOf(pointer, 0);
  if (device >= 0) {
    *attributes = {cudaMemoryTypeDevice, device, address, nullptr};
    return cudaSuccess;
  }
  auto it = fakecuda::pinned.upper_bound(static_cast<char *>(address));
  const bool is_pinned =
      it != fakecuda::pinned.begin() &&
      static_cast<char *>(address) < std::prev(it)->first + std::prev(it)->second;
  *attributes = {is_pinned ? cudaMemoryTypeHost : cudaMemoryTypeUnregistered, -1,
                 is_pinned ? address : nullptr, address};
  return cudaSuccess;
}
