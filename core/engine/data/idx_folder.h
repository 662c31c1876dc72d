// A folder with the four IDX files of a data set. Private to engine/data.
#pragma once

#include "engine/data/idx_file.h"

namespace lockstep::engine {

inline constexpr int LabelCount = 10;

/// Images with as many labels, which are in 0 .. 9. Pixels image by image, of each channel by channel, row by row.
struct LabelledBytes {
    std::int64_t count = 0;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::vector<std::uint8_t> pixels{};
    std::vector<std::uint8_t> labels{};
    std::int64_t channels = 1;
};

/// `prefix` is `train` or `t10k`.
[[nodiscard]] Result<LabelledBytes> readLabelledImages(const std::string& folder, const std::string& prefix);

} // namespace lockstep::engine
