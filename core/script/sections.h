// The files of resources/pytorch, compiled in. Private to core/script.
#pragma once

#include <string_view>

namespace lockstep::script {

/// `name`: a path without .py, such as data/digits. Empty for an unknown one.
[[nodiscard]] std::string_view sectionText(std::string_view name);

} // namespace lockstep::script
