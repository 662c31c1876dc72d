#include "engine/run/files/safetensors.h"

#include "base/translate.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

namespace lockstep::engine {

namespace {

using Json = nlohmann::json;

/// Takes memory of some ten times its length; that of a large net with its optimizer has some 100 kB.
constexpr std::int64_t LongestHeader = std::int64_t{16} << 20;
constexpr std::size_t MostDimensions = 64;
constexpr std::size_t MostInAMessage = 80;
constexpr const char* Metadata = "__metadata__"; ///< texts, no tensor

struct TypeRow {
    std::string_view name;
    std::int64_t bytes;
};

/// By TensorType.
constexpr std::array Types{TypeRow{"F64", 8}, TypeRow{"F32", 4}, TypeRow{"F16", 2}, TypeRow{"BF16", 2},
    TypeRow{"I64", 8}, TypeRow{"I32", 4}, TypeRow{"I16", 2}, TypeRow{"I8", 1}, TypeRow{"U8", 1}};

const TypeRow& rowOf(TensorType type)
{
    return Types.at(static_cast<std::size_t>(type));
}

/// Of the file's own text, what a message may hold.
std::string printable(std::string_view text)
{
    std::string printable(text.substr(0, MostInAMessage));
    std::ranges::replace_if(
        printable, [](char letter) { return letter < ' ' || letter > '~'; }, '?');
    return printable;
}

Error notAHeader()
{
    return refusal({}, LS_TR("Refusals", "its header is not that of a safetensors file, or it is cut off"));
}

Error misfit(const std::string& name)
{
    return refusal({}, LS_TR("Refusals", "its tensor %1 does not fit its bytes"), {verbatim(printable(name))});
}

/// The product of `shape`, in bytes; nothing where it is more than `most` or not a shape.
std::optional<std::int64_t> bytesOf(std::span<const std::int64_t> shape, std::int64_t elementBytes, std::int64_t most)
{
    if (shape.size() > MostDimensions) {
        return std::nullopt;
    }
    const bool isEmpty = std::ranges::find(shape, 0) != shape.end();
    std::int64_t bytes = elementBytes;
    for (const std::int64_t size : shape) {
        if (size < 0 || (size > 0 && bytes > most / size)) {
            return std::nullopt;
        }
        bytes *= std::max<std::int64_t>(size, 1);
    }
    return isEmpty ? 0 : bytes;
}

struct HeaderEntry {
    std::int64_t begin = 0; ///< of its bytes, behind the header
    StoredTensor tensor;
};

Result<std::vector<std::int64_t>> integersIn(const Json& json)
{
    std::vector<std::int64_t> integers;
    for (const Json& each : json) {
        if (!json.is_array() || !each.is_number_integer()) {
            return notAHeader();
        }
        integers.push_back(each.get<std::int64_t>());
    }
    return integers;
}

/// Throws Json's exceptions where something is missing or of another kind.
Result<HeaderEntry> entryOf(const std::string& name, const Json& json, std::int64_t dataBytes)
{
    const auto type = json.at("dtype").get<std::string>();
    const auto* const row = std::ranges::find(Types, type, &TypeRow::name);
    if (row == Types.end()) {
        return refusal({}, LS_TR("Refusals", "its tensor %1 is of an unknown type, %2"),
            {verbatim(printable(name)), verbatim(printable(type))});
    }
    LOCKSTEP_TRY_ASSIGN(auto shape, integersIn(json.at("shape")));
    LOCKSTEP_TRY_ASSIGN(const auto offsets, integersIn(json.at("data_offsets")));
    const auto bytes = bytesOf(shape, row->bytes, dataBytes);
    const bool isInside = offsets.size() == 2 && 0 <= offsets[0] && offsets[0] <= offsets[1] && offsets[1] <= dataBytes;
    if (!bytes || !isInside || *bytes != offsets[1] - offsets[0]) {
        return misfit(name);
    }
    const auto number = static_cast<TensorType>(row - Types.begin());
    return HeaderEntry{offsets[0], {name, number, std::move(shape), *bytes}};
}

Result<std::vector<HeaderEntry>> entriesOf(const Json& header, std::int64_t dataBytes)
{
    std::vector<HeaderEntry> entries;
    try {
        for (const auto& [name, json] : header.items()) {
            if (name != Metadata) {
                LOCKSTEP_TRY_ASSIGN(entries.emplace_back(), entryOf(name, json, dataBytes));
            }
        }
    } catch (const Json::exception&) {
        return notAHeader();
    }
    return entries;
}

} // namespace

std::int64_t bytesOf(TensorType type)
{
    return rowOf(type).bytes;
}

Result<std::int64_t> headerLength(std::span<const char, HeaderLengthBytes> begin, std::int64_t fileBytes)
{
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < begin.size(); ++i) {
        length |= std::uint64_t{static_cast<std::uint8_t>(begin[i])} << (8 * i);
    }
    const std::int64_t most = std::min(LongestHeader, fileBytes - HeaderLengthBytes);
    return most >= 0 && length <= static_cast<std::uint64_t>(most) ? Result(static_cast<std::int64_t>(length))
                                                                   : Result<std::int64_t>(notAHeader());
}

Result<std::vector<StoredTensor>> parseHeader(std::string_view json, std::int64_t dataBytes)
{
    // Of two equal names the parser would keep one.
    std::set<std::string> names;
    std::string twice;
    const auto look = [&](int depth, Json::parse_event_t event, const Json& parsed) {
        const bool isName = depth == 1 && event == Json::parse_event_t::key;
        if (isName && !names.insert(parsed.get<std::string>()).second) {
            twice = parsed.get<std::string>();
        }
        return true;
    };
    const Json header = Json::parse(json, look, false);
    if (!header.is_object()) {
        return notAHeader();
    }
    if (!twice.empty()) {
        return refusal({}, LS_TR("Refusals", "two of its tensors are named %1"), {verbatim(printable(twice))});
    }
    LOCKSTEP_TRY_ASSIGN(auto entries, entriesOf(header, dataBytes));
    // An empty tensor begins where the next one does.
    std::ranges::sort(entries, {}, [](const HeaderEntry& each) { return std::pair(each.begin, each.tensor.bytes); });
    std::vector<StoredTensor> tensors;
    std::int64_t next = 0;
    for (HeaderEntry& each : entries) {
        if (each.begin != next) {
            return misfit(each.tensor.name);
        }
        next += each.tensor.bytes;
        tensors.push_back(std::move(each.tensor));
    }
    return next == dataBytes ? Result(std::move(tensors)) : Result<std::vector<StoredTensor>>(notAHeader());
}

std::string headerOf(std::span<const StoredTensor> tensors)
{
    Json header{{Metadata, {{"format", "pt"}}}};
    std::int64_t begin = 0;
    for (const StoredTensor& each : tensors) {
        header[each.name]
            = {{"dtype", rowOf(each.type).name}, {"shape", each.shape}, {"data_offsets", {begin, begin + each.bytes}}};
        begin += each.bytes;
    }
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' '); // so that the bytes of a mapped file are aligned
    std::string length;
    for (unsigned i = 0; i < HeaderLengthBytes; ++i) {
        length += static_cast<char>(text.size() >> (8 * i) & 0xffU);
    }
    return length + text;
}

} // namespace lockstep::engine
