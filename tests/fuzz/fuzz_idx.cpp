// IDX files, plain or gzip: read as images and as labels.
#include "fuzz.h"

#include "datasets/idx.h"

#include <functional>
#include <numeric>

using namespace lockstep;
using namespace lockstep::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    writeFile("idx", std::span(data, size));
    const std::string path = workFolder() + "/idx";
    for (const auto content : {datasets::IdxContent::Labels, datasets::IdxContent::Images}) {
        const auto idx = datasets::readIdxFile(path, content);
        if (idx) {
            require(std::ssize(idx->sizes) == (content == datasets::IdxContent::Images ? 3 : 1),
                "there is a size for each dimension");
            require(std::accumulate(idx->sizes.begin(), idx->sizes.end(), std::int64_t{1}, std::multiplies<>())
                    == std::ssize(idx->bytes),
                "there are as many bytes as the sizes say");
            require(content == datasets::IdxContent::Labels || datasets::readIdxHeader(path).isOk(),
                "what can be read passes the check before it");
        }
    }
    return 0;
}
