#include "engine/data/idx_folder.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::engine {

Result<LabelledBytes> readLabelledImages(const std::string& folder, const std::string& prefix)
{
    const std::string imagesName = prefix + "-images-idx3-ubyte";
    const std::string labelsName = prefix + "-labels-idx1-ubyte";
    LOCKSTEP_TRY_ASSIGN(auto images, readIdxFile(folder, imagesName, 3));
    LOCKSTEP_TRY_ASSIGN(auto labels, readIdxFile(folder, labelsName, 1));
    if (images.sizes[0] != labels.sizes[0]) {
        return Error{fmt::format("dataset.path: {} has {} images in {} but {} labels in {}", folder, images.sizes[0],
            imagesName, labels.sizes[0], labelsName)};
    }
    const auto bad
        = std::find_if(labels.bytes.begin(), labels.bytes.end(), [](std::uint8_t l) { return l >= LabelCount; });
    if (bad != labels.bytes.end()) {
        return Error{fmt::format("dataset.path: {}/{}: label {} of sample {} is outside 0 to 9", folder, labelsName,
            *bad, bad - labels.bytes.begin())};
    }
    return LabelledBytes{
        images.sizes[0], images.sizes[1], images.sizes[2], std::move(images.bytes), std::move(labels.bytes)};
}

} // namespace lockstep::engine
