// The script of an HTML report, as CMake compiles it in from resources/reports. Private to core/exchange/report.
#pragma once

#include <string_view>

namespace lockstep::report {

[[nodiscard]] std::string_view pageScript();
/// SHA-256 in base64, as a Content-Security-Policy names a script that may run (W3C CSP level 2, hash-source).
[[nodiscard]] std::string_view pageScriptHash();

} // namespace lockstep::report
