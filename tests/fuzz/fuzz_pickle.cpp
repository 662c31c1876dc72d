// The pickle in a rank's file of tensors: the input is the program itself, without its archive.
#include "fuzz.h"

#include "engine/run/tensor_pickle.h"

using namespace lockstep;
using namespace lockstep::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto tensors = engine::readTensorPickle({reinterpret_cast<const char*>(data), size});
    if (!tensors) {
        require(!tensors.error().message.empty(), "a refusal says why");
        return 0;
    }
    for (const auto& [name, tensor] : *tensors) {
        require(tensor.sizes.size() == tensor.strides.size(), "every dimension has a stride");
    }
    return 0;
}
