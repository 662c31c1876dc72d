# The LibTorch that the rank program is built against, as `lockstep::torch`: apt's, or any in CMAKE_PREFIX_PATH or
# Torch_DIR, the PyPI package torch among them (its prefix is <site-packages>/torch/share/cmake).
#
# A package is linked as it lies there, with the libraries of CUDA that came with it: its own CMake files ask for a whole CUDA
# toolkit, which a machine that only runs things does not have. Where it has CUDA and LOCKSTEP_CUDA is not OFF, `lockstep::cudart`
# is CUDA's runtime, and `lockstep::nccl` is NCCL where it is there.

# What LibTorch's own CMake files are told; a package's folder stands above share/cmake/Torch.
set(LOCKSTEP_TORCH_ROOT "")
foreach(prefix IN LISTS CMAKE_PREFIX_PATH Torch_DIR)
  foreach(candidate "${prefix}" "${prefix}/../.." "${prefix}/../../..")
    if(NOT LOCKSTEP_TORCH_ROOT AND EXISTS "${candidate}/include/torch/csrc/api/include/torch/torch.h"
       AND EXISTS "${candidate}/lib/libtorch_cpu.so")
      get_filename_component(LOCKSTEP_TORCH_ROOT "${candidate}" ABSOLUTE)
    endif()
  endforeach()
endforeach()

set(LOCKSTEP_TORCH_HAS_CUDA OFF)
if(LOCKSTEP_TORCH_ROOT AND EXISTS "${LOCKSTEP_TORCH_ROOT}/lib/libtorch_cuda.so")
  set(LOCKSTEP_TORCH_HAS_CUDA ON)
endif()
set(LOCKSTEP_CUDA ${LOCKSTEP_TORCH_HAS_CUDA} CACHE BOOL "Build for GPUs (needs a LibTorch with CUDA)")
if(LOCKSTEP_CUDA AND NOT LOCKSTEP_TORCH_HAS_CUDA)
  message(FATAL_ERROR "LOCKSTEP_CUDA is ON, but there is no LibTorch with CUDA in CMAKE_PREFIX_PATH (${CMAKE_PREFIX_PATH}): "
    "give the folder share/cmake of one, such as that of the PyPI package torch, or set LOCKSTEP_CUDA=OFF")
endif()

add_library(lockstep::torch INTERFACE IMPORTED GLOBAL)

if(NOT LOCKSTEP_TORCH_ROOT)
  enable_language(C) # LibTorch's own CMake files look for Threads in C.
  find_package(Torch REQUIRED)
  target_link_libraries(lockstep::torch INTERFACE ${TORCH_LIBRARIES})
  # The oneDNN that apt's LibTorch is linked with. That of PyPI's is inside it, and a second one beside it would answer its calls.
  option(LOCKSTEP_ONEDNN "Multiply matrices by oneDNN where it is installed (libdnnl-dev)" ON)
  find_path(LOCKSTEP_DNNL_INCLUDE oneapi/dnnl/dnnl.h)
  find_library(LOCKSTEP_DNNL dnnl)
  mark_as_advanced(LOCKSTEP_DNNL_INCLUDE LOCKSTEP_DNNL)
  if(LOCKSTEP_ONEDNN AND LOCKSTEP_DNNL_INCLUDE AND LOCKSTEP_DNNL AND Torch_DIR MATCHES "^/usr/(share|lib)/")
    add_library(lockstep::onednn INTERFACE IMPORTED GLOBAL)
    target_include_directories(lockstep::onednn SYSTEM INTERFACE "${LOCKSTEP_DNNL_INCLUDE}")
    target_link_libraries(lockstep::onednn INTERFACE "${LOCKSTEP_DNNL}")
  endif()
  return()
endif()

set(torch_libraries "")
foreach(name torch torch_cpu c10)
  list(APPEND torch_libraries "${LOCKSTEP_TORCH_ROOT}/lib/lib${name}.so")
endforeach()
target_include_directories(lockstep::torch SYSTEM INTERFACE
  "${LOCKSTEP_TORCH_ROOT}/include" "${LOCKSTEP_TORCH_ROOT}/include/torch/csrc/api/include"
  # Gloo's headers must fit the LibTorch in use, and no package brings any: these say what c10d's must see.
  "${PROJECT_SOURCE_DIR}/core/engine/compat/gloo")
target_compile_definitions(lockstep::torch INTERFACE USE_C10D_GLOO USE_DISTRIBUTED USE_RPC USE_TENSORPIPE)
# The package's libraries export parts of a C++ library of their own (std::filesystem), which does not fit ours: libstdc++
# comes first, so that ours are found.
target_link_options(lockstep::torch INTERFACE "SHELL:-Wl,--push-state,--no-as-needed -lstdc++ -Wl,--pop-state" -Wl,--allow-shlib-undefined)
target_link_libraries(lockstep::torch INTERFACE ${torch_libraries})

if(LOCKSTEP_CUDA)
  # Where the libraries of CUDA are: beside the package (PyPI: nvidia/cu13, nvidia/nccl, ...), in a toolkit, or in LibTorch's folder.
  get_filename_component(packages "${LOCKSTEP_TORCH_ROOT}/.." ABSOLUTE)
  file(GLOB nvidia_folders "${packages}/nvidia/*")
  include(LockstepNvcc)
  set(cuda_roots ${nvidia_folders} ${LOCKSTEP_CUDA_TOOLKIT})
  find_path(LOCKSTEP_CUDA_INCLUDE cuda_runtime_api.h HINTS ${cuda_roots} PATH_SUFFIXES include NO_DEFAULT_PATH)
  # A package has no file without a version in its name.
  file(GLOB cudart_files "${LOCKSTEP_TORCH_ROOT}/lib/libcudart*.so.*")
  foreach(root IN LISTS cuda_roots)
    file(GLOB found "${root}/lib/libcudart.so.*" "${root}/lib64/libcudart.so.*")
    list(APPEND cudart_files ${found})
  endforeach()
  if(NOT LOCKSTEP_CUDA_INCLUDE OR NOT cudart_files)
    message(FATAL_ERROR "the CUDA runtime that ${LOCKSTEP_TORCH_ROOT} was built with is not there: neither the packages nvidia-* "
      "beside it nor a CUDA toolkit have cuda_runtime_api.h and libcudart.so")
  endif()
  list(GET cudart_files 0 cudart)
  # The packages of runtime and NCCL lack what their headers include; that is in nvidia-cuda-crt and -cccl, or in a toolkit.
  find_path(LOCKSTEP_CUDA_CRT crt/host_defines.h HINTS "${LOCKSTEP_CUDA_INCLUDE}/.." ${cuda_roots} "${packages}/triton/backends/nvidia"
    PATH_SUFFIXES include targets/x86_64-linux/include targets/sbsa-linux/include NO_DEFAULT_PATH)
  if(NOT LOCKSTEP_CUDA_CRT)
    message(FATAL_ERROR "crt/host_defines.h is not there, which the CUDA runtime's headers in ${LOCKSTEP_CUDA_INCLUDE} include: "
      "install the package nvidia-cuda-crt beside torch, or a CUDA toolkit")
  endif()
  find_path(LOCKSTEP_CUDA_CCCL nv/target HINTS "${LOCKSTEP_CUDA_INCLUDE}/.." ${cuda_roots}
    PATH_SUFFIXES include/cccl include targets/x86_64-linux/include/cccl targets/sbsa-linux/include/cccl NO_DEFAULT_PATH)
  add_library(lockstep::cudart INTERFACE IMPORTED GLOBAL)
  target_include_directories(lockstep::cudart SYSTEM INTERFACE
    "${LOCKSTEP_CUDA_INCLUDE}" "${LOCKSTEP_CUDA_CRT}" $<$<BOOL:${LOCKSTEP_CUDA_CCCL}>:${LOCKSTEP_CUDA_CCCL}>)
  target_link_libraries(lockstep::cudart INTERFACE "${cudart}")

  find_path(LOCKSTEP_NCCL_INCLUDE nccl.h HINTS ${cuda_roots} PATH_SUFFIXES include)
  set(nccl_files "")
  foreach(root IN LISTS cuda_roots)
    file(GLOB found "${root}/lib/libnccl.so.2" "${root}/lib64/libnccl.so.2")
    list(APPEND nccl_files ${found})
  endforeach()
  if(LOCKSTEP_NCCL_INCLUDE AND LOCKSTEP_CUDA_CCCL AND nccl_files)
    list(GET nccl_files 0 nccl)
    add_library(lockstep::nccl INTERFACE IMPORTED GLOBAL)
    target_include_directories(lockstep::nccl SYSTEM INTERFACE "${LOCKSTEP_NCCL_INCLUDE}")
    target_link_libraries(lockstep::nccl INTERFACE "${nccl}" lockstep::cudart)
  else()
    message(STATUS "No NCCL, or not all that its headers include, beside ${LOCKSTEP_TORCH_ROOT}: the backend nccl is left out")
  endif()

  # libtorch_cuda registers its kernels when it is loaded: nothing names a symbol of it, and it must be loaded all the same.
  target_link_options(lockstep::torch INTERFACE
    "SHELL:-Wl,--push-state,--no-as-needed -lstdc++ ${LOCKSTEP_TORCH_ROOT}/lib/libtorch_cuda.so -Wl,--pop-state")
  target_compile_definitions(lockstep::torch INTERFACE LOCKSTEP_HAS_CUDA)
  target_link_libraries(lockstep::torch INTERFACE
    "${LOCKSTEP_TORCH_ROOT}/lib/libtorch_cuda.so" "${LOCKSTEP_TORCH_ROOT}/lib/libc10_cuda.so" lockstep::cudart)
  # What libtorch_cuda.so needs is found by its own run path; ours is for what it does not name.
  foreach(root IN LISTS nvidia_folders)
    if(EXISTS "${root}/lib")
      target_link_options(lockstep::torch INTERFACE "-Wl,-rpath,${root}/lib")
    endif()
  endforeach()
  message(STATUS "LibTorch with CUDA: ${LOCKSTEP_TORCH_ROOT}; runtime ${cudart}")
endif()
