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
    std::size_t kept = 0;
    for (const auto& [name, tensor] : *tensors) {
        kept += tensor.storage.size() + tensor.record.size();
        require(tensor.sizes.size() == tensor.strides.size(), "every dimension has a stride");
    }
    require(kept <= 128 * size, "a program takes memory in proportion to its length");
    return 0;
}
