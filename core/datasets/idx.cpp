#include "datasets/idx.h"

#include "base/translate.h"
#include "datasets/data_file.h"
#include "experiment/choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace lockstep::datasets {

namespace {

constexpr std::uint32_t UnsignedBytes = 0x08;
constexpr std::uint32_t Integers = 0x0c;
constexpr std::int64_t MostLabelColumns = 64;
constexpr std::int64_t MnistClasses = 10;

std::string hex(std::uint32_t number)
{
    return fmt::format("{:#010x}", number);
}

std::uint32_t bigEndian(const std::uint8_t* bytes)
{
    return std::uint32_t{bytes[0]} << 24U | std::uint32_t{bytes[1]} << 16U | std::uint32_t{bytes[2]} << 8U | bytes[3];
}

struct IdxHeader {
    std::vector<std::int64_t> sizes;
    std::int64_t numberBytes = 1;

    [[nodiscard]] std::int64_t length() const { return 4 + 4 * static_cast<std::int64_t>(sizes.size()); }
};

/// Magic numbers of the supported types.
bool isKnown(std::uint32_t magic, IdxContent content)
{
    return content == IdxContent::Images
        ? magic == (UnsignedBytes << 8U | 3U)
        : magic == (UnsignedBytes << 8U | 1U) || magic == (Integers << 8U | 1U) || magic == (Integers << 8U | 2U);
}

Result<IdxHeader> readHeader(DataFile& file, IdxContent content)
{
    std::array<std::uint8_t, 16> bytes{};
    LOCKSTEP_TRY_ASSIGN(auto got, file.read(std::span(bytes).first(4)));
    const std::uint32_t magic = bigEndian(bytes.data());
    const bool isImages = content == IdxContent::Images;
    if (got == 4 && !isKnown(magic, content)) {
        return isImages ? wrongFile(file.path(), LS_TR("Refusals", "%1 has magic %2, images need %3"),
                   {verbatim(hex(magic)), verbatim(hex(0x803))})
                        : wrongFile(file.path(), LS_TR("Refusals", "%1 has magic %2, labels need %3, or %4 (QMNIST's)"),
                            {verbatim(hex(magic)), verbatim(hex(0x801)), verbatim(hex(0xc02))});
    }
    IdxHeader header;
    header.sizes.resize(got < 4 ? (isImages ? 3 : 1) : magic & 0xffU);
    header.numberBytes = magic >> 8U == Integers ? 4 : 1;
    if (got == 4) {
        LOCKSTEP_TRY_ASSIGN(const auto sizes, file.read(std::span(bytes).subspan(4, 4 * header.sizes.size())));
        got += sizes;
    }
    if (static_cast<std::int64_t>(got) < header.length()) {
        return wrongFile(file.path(), LS_TR("Refusals", "%1 is cut off: %2 bytes, its header alone needs %3"),
            {got, header.length()});
    }
    for (std::size_t i = 0; i < header.sizes.size(); ++i) {
        header.sizes[i] = bigEndian(bytes.data() + 4 + 4 * i);
    }
    return header;
}

/// The number of bytes after the header.
Result<std::int64_t> contentOf(const std::string& path, const IdxHeader& header)
{
    std::int64_t total = header.sizes[0] * header.numberBytes;
    for (std::size_t i = 1; i < header.sizes.size(); ++i) {
        const std::int64_t most = header.sizes.size() == 2 ? MostLabelColumns : experiment::MostSide;
        if (header.sizes[i] < 1 || header.sizes[i] > most) {
            return wrongFile(path,
                header.sizes.size() == 2
                    ? LS_TR("Refusals", "%1 says it has %2 numbers for each label, allowed are 1 to %3")
                    : LS_TR("Refusals", "%1 says its images have a side of %2, allowed are 1 to %3"),
                {header.sizes[i], most});
        }
        total *= header.sizes[i];
    }
    if (header.sizes[0] < 1 || total > MostDataBytes) {
        return wrongFile(path, LS_TR("Refusals", "%1 says it has %2 entries, allowed are 1 to what fits in 16 GiB"),
            {header.sizes[0]});
    }
    return total;
}

/// The first number of each row, as bytes.
Result<std::vector<std::uint8_t>> firstColumn(
    const std::string& path, const IdxHeader& header, const std::vector<std::uint8_t>& bytes)
{
    const std::size_t row = bytes.size() / static_cast<std::size_t>(header.sizes[0]);
    std::vector<std::uint8_t> labels;
    labels.reserve(static_cast<std::size_t>(header.sizes[0]));
    for (std::size_t at = 0; at < bytes.size(); at += row) {
        const std::uint32_t label = bigEndian(bytes.data() + at);
        if (label >= experiment::MostClasses) {
            return wrongFile(path, LS_TR("Refusals", "%1: label %2 of sample %3 is outside 0 to %4"),
                {static_cast<std::int32_t>(label), at / row, experiment::MostClasses - 1});
        }
        labels.push_back(static_cast<std::uint8_t>(label));
    }
    return labels;
}

struct IdxPart {
    std::vector<std::int64_t> sizes; ///< of the images
    std::vector<std::uint8_t> labels;
};

/// Both headers and the labels.
Result<IdxPart> readPart(const std::string& images, const std::string& labels)
{
    LOCKSTEP_TRY_ASSIGN(auto header, readIdxHeader(images));
    LOCKSTEP_TRY_ASSIGN(auto numbers, readIdxFile(labels, IdxContent::Labels));
    if (header.sizes[0] != numbers.sizes[0]) {
        return wrongFile(images, LS_TR("Refusals", "%1 has %2 images, but %4 has %3 labels"),
            {header.sizes[0], numbers.sizes[0], verbatim(labels)});
    }
    return IdxPart{std::move(header.sizes), std::move(numbers.bytes)};
}

/// `classes`: 0 for any.
Result<void> checkLabels(const std::string& path, const std::vector<std::uint8_t>& labels, std::int64_t classes)
{
    const auto bad = std::find_if(labels.begin(), labels.end(), [&](std::uint8_t label) { return label >= classes; });
    if (classes == 0 || bad == labels.end()) {
        return {};
    }
    return wrongFile(path, LS_TR("Refusals", "%1: label %2 of sample %3 is outside 0 to %4"),
        {*bad, bad - labels.begin(), classes - 1});
}

} // namespace

Result<IdxFile> readIdxHeader(const std::string& path)
{
    LOCKSTEP_TRY_ASSIGN(DataFile file, DataFile::open(path));
    LOCKSTEP_TRY_ASSIGN(auto header, readHeader(file, IdxContent::Images));
    LOCKSTEP_TRY_ASSIGN(const auto content, contentOf(path, header));
    LOCKSTEP_TRY(file.checkLength(header.length(), content));
    return IdxFile{std::move(header.sizes), {}};
}

Result<IdxFile> readIdxFile(const std::string& path, IdxContent content)
{
    LOCKSTEP_TRY_ASSIGN(DataFile file, DataFile::open(path));
    LOCKSTEP_TRY_ASSIGN(auto header, readHeader(file, content));
    LOCKSTEP_TRY_ASSIGN(const auto length, contentOf(path, header));
    LOCKSTEP_TRY(file.checkLength(header.length(), length));
    LOCKSTEP_TRY_ASSIGN(auto bytes, file.readRest(length));
    if (header.numberBytes > 1) {
        LOCKSTEP_TRY_ASSIGN(bytes, firstColumn(path, header, bytes));
        header.sizes.resize(1);
    }
    return IdxFile{std::move(header.sizes), std::move(bytes)};
}

Result<experiment::DataFacts> idxFacts(const experiment::RunSpec& run, const std::vector<std::string>& files)
{
    LOCKSTEP_TRY_ASSIGN(const auto train, readPart(files[0], files[1]));
    LOCKSTEP_TRY_ASSIGN(const auto test, readPart(files[2], files[3]));
    const auto size = [](const IdxPart& part) { return fmt::format("{} x {}", part.sizes[1], part.sizes[2]); };
    if (size(train) != size(test)) {
        return wrongFile(files[0], LS_TR("Refusals", "%1 has training images of %2, but %4 has test images of %3"),
            {verbatim(size(train)), verbatim(size(test)), verbatim(files[2])});
    }
    const bool isMnist = is(run, experiment::DataSet::Mnist);
    LOCKSTEP_TRY(checkLabels(files[1], train.labels, isMnist ? MnistClasses : 0));
    LOCKSTEP_TRY(checkLabels(files[3], test.labels, isMnist ? MnistClasses : 0));
    const std::int64_t highest = std::max(*std::max_element(train.labels.begin(), train.labels.end()),
        *std::max_element(test.labels.begin(), test.labels.end()));
    return experiment::DataFacts{.classes = std::max(MnistClasses, highest + 1),
        .channels = 1,
        .rows = train.sizes[1],
        .columns = train.sizes[2],
        .trainSamples = train.sizes[0],
        .testSamples = test.sizes[0]};
}

Result<ImageSet> readIdx(const experiment::RunSpec&, const std::vector<std::string>& files)
{
    const auto read = [](const std::string& imagesPath, const std::string& labelsPath) -> Result<LabelledBytes> {
        LOCKSTEP_TRY_ASSIGN(auto images, readIdxFile(imagesPath, IdxContent::Images));
        LOCKSTEP_TRY_ASSIGN(auto labels, readIdxFile(labelsPath, IdxContent::Labels));
        return LabelledBytes{
            images.sizes[0], images.sizes[1], images.sizes[2], std::move(images.bytes), std::move(labels.bytes)};
    };
    LOCKSTEP_TRY_ASSIGN(auto train, read(files[0], files[1]));
    LOCKSTEP_TRY_ASSIGN(auto test, read(files[2], files[3]));
    return ImageSet{std::move(train), std::move(test)};
}

} // namespace lockstep::datasets
