#include "datasets/npz.h"

#include "base/translate.h"
#include "datasets/data_file.h"
#include "datasets/zip_members.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

namespace lockstep::datasets {

namespace {

constexpr std::size_t MostNpyHeader = 4096; ///< numpy's own is 128 bytes for arrays of numbers
constexpr std::size_t MostDimensions = 4;
constexpr std::int64_t MostByteValue = 255;

enum class NpyType { UnsignedByte, Int32, Int64, Float32 };

struct NpyTypeRow {
    std::string_view name;
    NpyType type;
    std::int64_t bytes;
};
constexpr std::array NpyTypes{NpyTypeRow{"|u1", NpyType::UnsignedByte, 1}, NpyTypeRow{"<i4", NpyType::Int32, 4},
    NpyTypeRow{"<i8", NpyType::Int64, 8}, NpyTypeRow{"<f4", NpyType::Float32, 4}};

/// The header of an array (numpy/lib/format.py).
struct NpyArray {
    std::string name; ///< of its member
    NpyTypeRow type{};
    std::vector<std::int64_t> shape;
    std::int64_t begin = 0; ///< of its numbers in the member
};

/// The text after `'key':` in a header, without blanks before it.
std::string_view valueOf(std::string_view header, std::string_view key)
{
    const auto at = header.find("'" + std::string(key) + "':");
    if (at == std::string_view::npos) {
        return {};
    }
    std::string_view value = header.substr(at + key.size() + 3);
    return value.substr(std::min(value.size(), value.find_first_not_of(' ')));
}

/// `(60000, 28, 28)`; nothing if it is not a shape, has more than four dimensions, or a size that is too large.
std::optional<std::vector<std::int64_t>> shapeIn(std::string_view text)
{
    std::vector<std::int64_t> shape;
    if (!text.starts_with('(')) {
        return std::nullopt;
    }
    text.remove_prefix(1);
    while (!text.starts_with(')')) {
        std::int64_t number = 0;
        const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (failed != std::errc() || number < 0 || number > MostDataBytes || shape.size() == MostDimensions) {
            return std::nullopt;
        }
        shape.push_back(number);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        while (text.starts_with(',') || text.starts_with(' ')) {
            text.remove_prefix(1);
        }
    }
    return shape;
}

/// Bytes of the header's text, and where it begins; nothing where the member is no array.
std::optional<std::array<std::size_t, 2>> headerIn(const std::vector<std::uint8_t>& bytes)
{
    static constexpr std::array<std::uint8_t, 6> Magic{0x93, 'N', 'U', 'M', 'P', 'Y'};
    if (bytes.size() < 12 || !std::equal(Magic.begin(), Magic.end(), bytes.begin()) || bytes[6] < 1 || bytes[6] > 3) {
        return std::nullopt;
    }
    const std::size_t begin = bytes[6] == 1 ? 10 : 12;
    std::size_t length = bytes[8] + std::size_t{256} * bytes[9];
    length += bytes[6] == 1 ? 0 : (std::size_t{bytes[10]} << 16U) + (std::size_t{bytes[11]} << 24U);
    return length <= MostNpyHeader && begin + length <= bytes.size() ? std::optional(std::array{begin, length})
                                                                     : std::nullopt;
}

Result<NpyArray> arrayIn(const std::string& path, const ZipMember& member)
{
    LOCKSTEP_TRY_ASSIGN(const auto bytes, readZipMember(path, member, MostNpyHeader + 12));
    const auto place = headerIn(bytes);
    if (!place) {
        return wrongFile(path, LS_TR("Refusals", "%1: %2 is no array of numpy"), {verbatim(member.name)});
    }
    const auto [begin, length] = *place;
    const std::string_view header(reinterpret_cast<const char*>(bytes.data()) + begin, length);
    std::string_view type = valueOf(header, "descr");
    type = type.starts_with('\'') ? type.substr(1, type.find('\'', 1) - 1) : std::string_view("?");
    if (type.starts_with("|O")) {
        return wrongFile(path,
            LS_TR("Refusals", "%1: %2 is an array of pickled Python objects, which is not read; save numbers"),
            {verbatim(member.name)});
    }
    const auto row
        = std::find_if(NpyTypes.begin(), NpyTypes.end(), [&](const NpyTypeRow& each) { return each.name == type; });
    if (row == NpyTypes.end()) {
        return wrongFile(path,
            LS_TR("Refusals", "%1: %2 has numbers of type %3; allowed are uint8 (|u1), int32, int64 and float32"),
            {verbatim(member.name), verbatim(type)});
    }
    const auto shape = shapeIn(valueOf(header, "shape"));
    if (!shape || !valueOf(header, "fortran_order").starts_with("False")) {
        return wrongFile(
            path, LS_TR("Refusals", "%1: %2 has no shape of at most 4 dimensions in C order"), {verbatim(member.name)});
    }
    NpyArray array{member.name, *row, *shape, static_cast<std::int64_t>(begin + length)};
    std::int64_t needed = row->bytes;
    for (const std::int64_t size : *shape) {
        needed = size == 0 || needed <= MostDataBytes / size ? needed * size : MostDataBytes + 1;
    }
    if (needed > MostDataBytes || array.begin + needed != member.bytes) {
        return wrongFile(path,
            LS_TR("Refusals", "%1: %2 has %3 bytes of numbers, which do not fit the shape in its header"),
            {verbatim(member.name), member.bytes - array.begin});
    }
    return array;
}

/// A number of an array as an integer from 0 to 255; -1 for all others.
std::int64_t byteAt(const std::uint8_t* bytes, NpyType type)
{
    std::int64_t whole = -1;
    if (type == NpyType::UnsignedByte) {
        return *bytes;
    }
    if (type == NpyType::Int32) {
        std::int32_t number = 0;
        std::memcpy(&number, bytes, sizeof(number));
        whole = number;
    } else if (type == NpyType::Int64) {
        std::memcpy(&whole, bytes, sizeof(whole));
    } else {
        float number = 0.0F;
        std::memcpy(&number, bytes, sizeof(number));
        const bool isByte = number >= 0.0F && number <= static_cast<float>(MostByteValue);
        whole = isByte ? static_cast<std::int64_t>(number) : -1;
        whole = static_cast<float>(whole) == number ? whole : -1;
    }
    return whole >= 0 && whole <= MostByteValue ? whole : -1;
}

Result<std::vector<std::uint8_t>> bytesOf(const std::string& path, const ZipMember& member, const NpyArray& array)
{
    LOCKSTEP_TRY_ASSIGN(auto bytes, readZipMember(path, member, member.bytes));
    bytes.erase(bytes.begin(), bytes.begin() + array.begin);
    if (array.type.type == NpyType::UnsignedByte) {
        return bytes;
    }
    const auto size = static_cast<std::size_t>(array.type.bytes);
    const std::size_t count = bytes.size() / size;
    for (std::size_t i = 0; i < count; ++i) { // in place: each is written before the bytes still to be read
        const std::int64_t byte = byteAt(bytes.data() + i * size, array.type.type);
        if (byte < 0) {
            return wrongFile(path,
                LS_TR("Refusals",
                    "%1: number %3 of %2 is not a whole number from 0 to 255; save the images as uint8, not scaled"),
                {verbatim(member.name), i});
        }
        bytes[i] = static_cast<std::uint8_t>(byte);
    }
    bytes.resize(count);
    return bytes;
}

/// The two arrays of a part and their headers.
struct NpzPart {
    ZipMember images;
    ZipMember labels;
    NpyArray imagesArray;
    NpyArray labelsArray;

    [[nodiscard]] std::int64_t channels() const { return imagesArray.shape.size() == 4 ? imagesArray.shape[3] : 1; }
};

Result<void> checkShapes(const std::string& path, const NpzPart& part)
{
    const std::vector<std::int64_t>& images = part.imagesArray.shape;
    const std::vector<std::int64_t>& labels = part.labelsArray.shape;
    const bool areImages = images.size() >= 3 && images[0] >= 1 && images[1] >= 1 && images[1] <= experiment::MostSide
        && images[2] >= 1 && images[2] <= experiment::MostSide && part.channels() >= 1
        && part.channels() <= experiment::MostChannels;
    if (!areImages) {
        return wrongFile(path,
            LS_TR("Refusals", "%1: %2 is not of shape (images, rows, columns) or (images, rows, columns, channels)"),
            {verbatim(part.images.name)});
    }
    const bool areLabels = labels.size() == 1 || (labels.size() == 2 && labels[1] == 1);
    return areLabels && labels[0] == images[0]
        ? Result<void>()
        : wrongFile(path, LS_TR("Refusals", "%1: %2 has not one label for each of the %4 images of %3"),
            {verbatim(part.labels.name), verbatim(part.images.name), images[0]});
}

Result<NpzPart> partIn(const std::string& path, const std::vector<ZipMember>& members, const std::string& part)
{
    const auto find = [&](const std::string& name) -> Result<ZipMember> {
        const auto found = std::find_if(
            members.begin(), members.end(), [&](const ZipMember& each) { return each.name == name + ".npy"; });
        return found != members.end()
            ? Result<ZipMember>(*found)
            : wrongFile(path, LS_TR("Refusals", "%1 has no array %2; needed are x_train, y_train, x_test and y_test"),
                {verbatim(name)});
    };
    NpzPart result;
    LOCKSTEP_TRY_ASSIGN(result.images, find("x_" + part));
    LOCKSTEP_TRY_ASSIGN(result.labels, find("y_" + part));
    LOCKSTEP_TRY_ASSIGN(result.imagesArray, arrayIn(path, result.images));
    LOCKSTEP_TRY_ASSIGN(result.labelsArray, arrayIn(path, result.labels));
    LOCKSTEP_TRY(checkShapes(path, result));
    return result;
}

struct NpzParts {
    NpzPart train;
    NpzPart test;
};

Result<NpzParts> partsIn(const std::string& path)
{
    LOCKSTEP_TRY_ASSIGN(const auto members, zipMembers(path));
    NpzParts parts;
    LOCKSTEP_TRY_ASSIGN(parts.train, partIn(path, members, "train"));
    LOCKSTEP_TRY_ASSIGN(parts.test, partIn(path, members, "test"));
    const auto image = [](const NpzPart& part) {
        return std::vector(part.imagesArray.shape.begin() + 1, part.imagesArray.shape.end());
    };
    if (image(parts.train) != image(parts.test)) {
        return wrongFile(path, LS_TR("Refusals", "%1 has training images of another size than its test images"));
    }
    return parts;
}

/// Keras keeps the channels of a pixel together; nets take planes.
void toPlanes(LabelledBytes& data)
{
    if (data.channels == 1) {
        return;
    }
    const auto plane = static_cast<std::size_t>(data.rows * data.columns);
    const auto channels = static_cast<std::size_t>(data.channels);
    std::vector<std::uint8_t> image(plane * channels);
    for (auto at = data.pixels.begin(); at != data.pixels.end(); at += data.imageBytes()) {
        for (std::size_t i = 0; i < image.size(); ++i) {
            image[i % channels * plane + i / channels] = at[static_cast<std::ptrdiff_t>(i)];
        }
        std::copy(image.begin(), image.end(), at);
    }
}

Result<LabelledBytes> readPart(const std::string& path, const NpzPart& part)
{
    const std::vector<std::int64_t>& shape = part.imagesArray.shape;
    LabelledBytes data{.count = shape[0], .rows = shape[1], .columns = shape[2], .channels = part.channels()};
    LOCKSTEP_TRY_ASSIGN(data.pixels, bytesOf(path, part.images, part.imagesArray));
    LOCKSTEP_TRY_ASSIGN(data.labels, bytesOf(path, part.labels, part.labelsArray));
    toPlanes(data);
    return data;
}

} // namespace

Result<std::vector<std::string>> npzFiles(const experiment::RunSpec& run)
{
    const std::string& path = run.settings->dataset.path;
    return isFile(path) ? Result<std::vector<std::string>>(std::vector<std::string>{path})
                        : refusal(nameOf(&experiment::DatasetSettings::path),
                            LS_TR("Refusals", "the file \"%1\" does not exist; choose an .npz file"), {verbatim(path)});
}

Result<experiment::DataFacts> npzFacts(const experiment::RunSpec&, const std::vector<std::string>& files)
{
    LOCKSTEP_TRY_ASSIGN(const auto parts, partsIn(files[0]));
    std::int64_t highest = 0;
    for (const NpzPart* part : {&parts.train, &parts.test}) {
        LOCKSTEP_TRY_ASSIGN(const auto labels, bytesOf(files[0], part->labels, part->labelsArray));
        highest = std::max<std::int64_t>(highest, *std::max_element(labels.begin(), labels.end()));
    }
    const std::vector<std::int64_t>& shape = parts.train.imagesArray.shape;
    return experiment::DataFacts{.classes = highest + 1,
        .channels = parts.train.channels(),
        .rows = shape[1],
        .columns = shape[2],
        .trainSamples = shape[0],
        .testSamples = parts.test.imagesArray.shape[0]};
}

Result<ImageSet> readNpz(const experiment::RunSpec&, const std::vector<std::string>& files)
{
    LOCKSTEP_TRY_ASSIGN(const auto parts, partsIn(files[0]));
    LOCKSTEP_TRY_ASSIGN(auto train, readPart(files[0], parts.train));
    LOCKSTEP_TRY_ASSIGN(auto test, readPart(files[0], parts.test));
    return ImageSet{std::move(train), std::move(test)};
}

} // namespace lockstep::datasets
