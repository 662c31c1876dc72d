# LibTorch's RPC agent, the transport `rpc` of pipelines: read by CMakeLists.txt beside it. Some LibTorch have neither its
# headers nor its code; then the transport is left out, and the rank program says so.
include(CheckCXXSourceCompiles)
option(LOCKSTEP_RPC "Build the RPC transport of pipelines, if this LibTorch has an RPC agent" ON)
if(LOCKSTEP_RPC)
  set(CMAKE_REQUIRED_LIBRARIES lockstep::torch)
  set(CMAKE_REQUIRED_DEFINITIONS -DUSE_TENSORPIPE)
  check_cxx_source_compiles("
    #include <torch/csrc/distributed/c10d/TCPStore.hpp>
    #include <torch/csrc/distributed/rpc/tensorpipe_agent.h>
    int main()
    {
      namespace rpc = torch::distributed::rpc;
      const rpc::TensorPipeRpcBackendOptions options(1, {}, {}, 0.0F, rpc::kDefaultInitMethod);
      rpc::TensorPipeAgent agent({}, {}, 0, 1, options, {}, {}, nullptr);
      agent.start();
    }" LOCKSTEP_TORCH_HAS_RPC)
  unset(CMAKE_REQUIRED_LIBRARIES)
  unset(CMAKE_REQUIRED_DEFINITIONS)
endif()
if(LOCKSTEP_RPC AND LOCKSTEP_TORCH_HAS_RPC)
  target_sources(lockstep_engine PRIVATE strategy/model_parallel/pipeline/stage_calls_tensorpipe.cpp)
else()
  message(STATUS "No RPC agent in this LibTorch: pipelines without the transport rpc")
  target_sources(lockstep_engine PRIVATE strategy/model_parallel/pipeline/stage_calls_absent.cpp)
endif()
