#include "analysis/table/finding_table.h"

namespace lockstep::analysis {

TextTable tableOf(const Finding& finding, const Translator& translate)
{
    const auto translated = [&](std::string_view text) { return translate ? translate(text) : std::string(text); };
    TextTable table;
    for (const std::string_view title : finding.table.header) {
        table.headers.push_back({translated(title), !table.headers.empty()});
    }
    table.rows = finding.table.rows;
    for (std::vector<std::string>& row : table.rows) {
        row.front() = finding.table.areLabels ? translated(row.front()) : row.front();
    }
    return table;
}

} // namespace lockstep::analysis
