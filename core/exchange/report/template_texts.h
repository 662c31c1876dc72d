// The built-in templates, as CMake compiles them in from resources/reports. Private to core/exchange/report.
#pragma once

#include <span>
#include <string_view>

namespace lockstep::report {

struct TemplateText {
    std::string_view name;
    std::string_view json;
};

[[nodiscard]] std::span<const TemplateText> templateTexts();

} // namespace lockstep::report
