// What a laboratory's Markdown may have: no HTML, and pictures only from the laboratory's folder. Private to
// core/laboratory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::laboratory {

/// The first piece of HTML, outside code and formulas, at most 40 bytes: `<script>`; empty: none.
[[nodiscard]] std::string htmlIn(std::string_view markdown);
/// The line with a formula that is not closed: an odd number of `$` outside code; empty: none.
[[nodiscard]] std::string openFormulaIn(std::string_view markdown);
/// Where the pictures are: `pictures/ring.svg`, in order.
[[nodiscard]] std::vector<std::string> picturesIn(std::string_view markdown);

} // namespace lockstep::laboratory
