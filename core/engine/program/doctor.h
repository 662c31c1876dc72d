// Tries what this machine and this LibTorch can do.
#pragma once

#include <string>

namespace lockstep::engine {

/// {"version":1,"libtorch":"1.13.1","cuda":{"built":false,"available":false,"devices":0,"version":0,"cudnn":"",
/// "architectures":["sm_90"],"nccl":0,"error":""},"gloo":true,"blas":"OpenBLAS 0.3.21 ...","onednn":true,
/// "held":[{"variable":"OPENBLAS_CORETYPE","value":"Haswell"}],
/// "tried":[{"what":"...","device":"cpu","works":true,"milliseconds":1.2,"error":""}]}
[[nodiscard]] std::string doctorJson();

} // namespace lockstep::engine
