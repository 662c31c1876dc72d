// A text as data, which every language words for itself, and small pieces of text that several rooms write.
#pragma once

#include "base/translate.h"

#include <cerrno>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep {

struct Error;

/// What is said, in English, and what it was made of: a pattern such as LS_TR("Messages", "rank %1 has ended") and its
/// arguments. language::worded() gives it in the reader's language. Without a pattern it is an entry of the catalogue
/// by itself, or stays as it is.
struct Text {
    std::string english{};
    std::string pattern{};
    std::vector<Text> arguments{}; ///< for %1, %2, ...
    bool isVerbatim = false; ///< never translated: see verbatim()

    Text() = default;
    Text(std::string plain)
        : english(std::move(plain))
    { }
    Text(std::string_view plain)
        : english(plain)
    { }
    Text(const char* plain)
        : english(plain)
    { }
    template <std::integral T>
    requires(!std::same_as<T, bool> && !std::same_as<T, char>) Text(T number)
        : english(std::to_string(number))
        , isVerbatim(true)
    { }
    Text(std::string_view ofPattern, std::vector<Text> with);
    Text(const Error& error); ///< the whole of it, with cause, variant and rank

    operator const std::string&() const { return english; }
    [[nodiscard]] bool empty() const { return english.empty(); }
    bool operator==(const Text&) const = default;
};

/// External text: a file's name, a key, the message of a library or a script.
[[nodiscard]] Text verbatim(std::string_view text);
/// `Permission denied`: what the system says of an error.
[[nodiscard]] Text systemError(int code = errno);
/// `edit` for each part that is no pattern; the English is made again.
[[nodiscard]] Text edited(Text text, const std::function<void(std::string&)>& edit);

/// Patterns and arguments as one string, for a message to the workbench and for a stored run, which keep the English
/// beside it; empty if there are none.
[[nodiscard]] std::string packed(const Text& text);
/// English and packed(): what a struct that is sent or stored has two fields for. Without data that is too long.
[[nodiscard]] std::pair<std::string, std::string> asFields(const Text& text);
/// The text again. The English alone if `data` is empty, damaged or does not say the same.
[[nodiscard]] Text unpacked(std::string english, std::string_view data);

/// In one string: packed(), or the English where the text is no data. In fixed memory: as much of the English as fits,
/// verbatim, where that does not.
[[nodiscard]] std::string packedOrEnglish(const Text& text);
void packInto(std::span<char> memory, const Text& text); ///< with a zero byte behind it
[[nodiscard]] Text unpackedOrEnglish(std::string_view data);

/// A rank in a message, as a separate part, so that it can be found and renumbered: `rank 3`.
[[nodiscard]] Text rankName(std::int64_t rank);

/// The items, or what `part` gives of each, with commas between them: `data, grid, zero`.
template <std::ranges::input_range Items, typename Part = std::identity>
[[nodiscard]] std::string listed(Items&& items, Part part = {}, std::string_view separator = ", ")
{
    std::string text;
    bool isFirst = true;
    for (const auto& item : items) {
        text += std::exchange(isFirst, false) ? std::string_view() : separator;
        text += std::invoke(part, item);
    }
    return text;
}

/// Whole numbers with thousands separators: `60,000`.
[[nodiscard]] std::string groupedDigits(std::int64_t number);

/// The pattern with the arguments in the places of %1 to %9; a number without an argument stays.
[[nodiscard]] std::string filled(std::string_view pattern, std::span<const std::string> arguments);

/// Between two Chinese characters: without a space, and with a Chinese comma. Names of both languages fill one pattern.
[[nodiscard]] std::string tidiedChinese(std::string_view text);

} // namespace lockstep
