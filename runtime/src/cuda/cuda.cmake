# SPDX-License-Identifier: Apache-2.0
# The GPU side of mshadow_runtime. It needs the CUDA toolkit's libraries, not nvcc: plain C++ that
# calls the CUDA runtime. Without CUDA every entry point throws NoCuda.
set(MSHADOW_CUDA_SOURCES src/cuda/blas.cc src/cuda/fill.cc src/cuda/launch.cc
                         src/cuda/launch_product.cc src/cuda/random.cc src/cuda/runtime.cc
                         src/cuda/stream.cc)
if(CMAKE_CUDA_COMPILER_LOADED)
  find_package(CUDAToolkit REQUIRED)
  target_sources(mshadow_runtime PRIVATE ${MSHADOW_CUDA_SOURCES})
  # cuBLAS and cuRAND are large; a program that does not use them on a GPU does not load them. The
  # CUDA runtime is linked statically: it finds the driver when it is first called, or reports that
  # there is none.
  target_link_libraries(mshadow_runtime PRIVATE CUDA::cudart_static -Wl,--push-state,--as-needed
                                                CUDA::cublas CUDA::curand
                                                -Wl,--pop-state)
else()
  target_sources(mshadow_runtime PRIVATE src/cuda/none.cc)
endif()
