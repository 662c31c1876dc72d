# nvcc, where there is one that works, and its toolkit, which it tells itself: what is found may be a script that calls it.
#   LOCKSTEP_NVCC          its path, or ...-NOTFOUND
#   LOCKSTEP_CUDA_TOOLKIT  the folder of its toolkit, or empty

find_program(LOCKSTEP_NVCC nvcc HINTS ${CUDAToolkit_BIN_DIR} $ENV{CUDA_HOME}/bin /usr/local/cuda/bin)
set(LOCKSTEP_CUDA_TOOLKIT "")
if(LOCKSTEP_NVCC)
  execute_process(COMMAND ${LOCKSTEP_NVCC} --dryrun -x cu -c /dev/null
    RESULT_VARIABLE lockstep_nvcc_failed OUTPUT_VARIABLE lockstep_nvcc_plan ERROR_VARIABLE lockstep_nvcc_plan)
  if(lockstep_nvcc_failed)
    message(STATUS "${LOCKSTEP_NVCC} does not work and is not used")
    set(LOCKSTEP_NVCC LOCKSTEP_NVCC-NOTFOUND)
  elseif(lockstep_nvcc_plan MATCHES "#\\$ TOP=([^\n]+)")
    get_filename_component(LOCKSTEP_CUDA_TOOLKIT "${CMAKE_MATCH_1}" REALPATH)
  endif()
endif()
