// The header of a rank's file of tensors: the input is what follows its length, numbers included.
#include "fuzz.h"

#include "engine/run/files/safetensors.h"

#include <algorithm>
#include <string_view>

using namespace lockstep;
using namespace lockstep::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    // The header of a text that has one ends with its last brace.
    const std::size_t end = std::min(size, text.rfind('}') + 1);
    const auto behind = static_cast<std::int64_t>(size - end);
    const auto tensors = engine::parseHeader(text.substr(0, end), behind);
    if (!tensors) {
        require(!tensors.error().message.empty(), "a refusal says why");
        return 0;
    }
    std::int64_t bytes = 0;
    for (const engine::StoredTensor& each : *tensors) {
        require(each.bytes >= 0 && each.bytes <= behind - bytes, "a tensor lies within the file");
        bytes += each.bytes;
    }
    require(bytes == behind, "every byte is a tensor's");
    const std::string header = engine::headerOf(*tensors);
    const auto again = engine::parseHeader(std::string_view(header).substr(engine::HeaderLengthBytes), behind);
    require(again && again->size() == tensors->size(), "what was read can be written");
    return 0;
}
