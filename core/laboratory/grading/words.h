// Words of marking's pages. Private to core/laboratory/grading.
#pragma once

#include "base/translate.h"
#include "exchange/report/report.h"
#include "language/language.h"
#include "language/wording.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::laboratory::grading {

/// LS_TR("Messages", ...) in this thread's language.
[[nodiscard]] inline std::string say(std::string_view pattern, std::vector<Text> arguments = {})
{
    return arguments.empty() ? language::worded(Text(pattern)) : language::worded(Text(pattern, std::move(arguments)));
}

/// A report without blocks.
[[nodiscard]] inline report::Report emptyReport(std::string title)
{
    report::Report made;
    made.language = language::textLanguage() == language::TextLanguage::Chinese ? report::Language::Chinese
                                                                                : report::Language::English;
    made.words = {language::translated("Report", LS_TR("Report", "Figure")),
        language::translated("Report", LS_TR("Report", "Table")), {}};
    made.title = std::move(title);
    return made;
}

} // namespace lockstep::laboratory::grading
