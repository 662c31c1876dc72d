// One writer a format, as write() in writers.h. Private to core/exchange/report.
#pragma once

#include "exchange/report/writers.h"

#include <string>
#include <vector>

namespace lockstep::report {

[[nodiscard]] Result<std::vector<File>> writeDocx(
    const Report& report, const Pictures& pictures, const std::string& name);
[[nodiscard]] Result<std::vector<File>> writeHtml(
    const Report& report, const Pictures& pictures, const std::string& name);
[[nodiscard]] Result<std::vector<File>> writeMarkdown(
    const Report& report, const Pictures& pictures, const std::string& name);
[[nodiscard]] Result<std::vector<File>> writeLatex(
    const Report& report, const Pictures& pictures, const std::string& name);

/// `std::visit` with a lambda a kind of content.
template <typename... Functions>
struct Overloaded : Functions... {
    using Functions::operator()...;
};
template <typename... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

/// The picture of a chart; null if it has none.
[[nodiscard]] inline const Picture* pictureOf(const Pictures& pictures, const Block& block)
{
    const auto found = pictures.find(block.key);
    return found == pictures.end() ? nullptr : &found->second;
}

/// `Figure 3`, `图 3`.
[[nodiscard]] inline std::string numbered(const std::string& word, int number)
{
    return word + " " + std::to_string(number);
}

} // namespace lockstep::report
