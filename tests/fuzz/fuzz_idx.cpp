// IDX files, plain or gzip: read as images and as labels.
#include "fuzz.h"

#include "engine/data/idx_file.h"

#include <functional>
#include <numeric>

using namespace lockstep;
using namespace lockstep::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    writeFile("idx", std::span(data, size));
    for (const int dimensions : {1, 3}) {
        const auto idx = engine::readIdxFile(workFolder(), "idx", dimensions);
        if (idx) {
            require(std::ssize(idx->sizes) == dimensions, "there is a size for each dimension");
            require(std::accumulate(idx->sizes.begin(), idx->sizes.end(), std::int64_t{1}, std::multiplies<>())
                    == std::ssize(idx->bytes),
                "there are as many bytes as the sizes say");
        }
    }
    return 0;
}
