# What needs a LibTorch with CUDA to compile: read by ../CMakeLists.txt. Built for the CPU alone one file stands for it.
if(LOCKSTEP_CUDA)
  target_sources(lockstep_engine PRIVATE
    gpu/batch_uploads_cuda.cpp gpu/device_marks_cuda.cpp gpu/device_memory_use_cuda.cpp gpu/device_ranks_cuda.cpp gpu/device_stream_cuda.cpp
    gpu/gradient_graph_cuda.cpp)
  target_link_libraries(lockstep_engine PUBLIC lockstep_cuda)
else()
  target_sources(lockstep_engine PRIVATE gpu/absent.cpp)
endif()
