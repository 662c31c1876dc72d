# What needs a LibTorch with CUDA to compile: read by ../CMakeLists.txt. Without CUDA, the *absent.cpp files replace it.
if(LOCKSTEP_CUDA)
  target_sources(lockstep_engine PRIVATE
    data/batch_uploads_cuda.cpp gpu/device_marks_cuda.cpp gpu/device_memory_use_cuda.cpp gpu/device_ranks_cuda.cpp gpu/device_stream_cuda.cpp
    model/pass_recorder_cuda.cpp)
  target_link_libraries(lockstep_engine PUBLIC lockstep_cuda)
else()
  target_sources(lockstep_engine PRIVATE gpu/absent.cpp data/batch_uploads_absent.cpp model/pass_recorder_absent.cpp)
endif()
