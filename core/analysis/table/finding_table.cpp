#include "analysis/table/finding_table.h"

namespace lockstep::analysis {

TextTable tableOf(const Finding& finding, const Translator& translate)
{
    const auto translated = [&](std::string_view text) { return translate ? translate(text) : std::string(text); };
    TextTable table;
    for (const std::string& title : finding.table.header) {
        table.headers.push_back({translated(title), !table.headers.empty()});
    }
    table.rows = finding.table.rows;
    for (std::vector<std::string>& row : table.rows) {
        for (std::size_t cell = 0; cell < row.size(); ++cell) {
            const bool isLabel = cell == 0 ? finding.table.areLabels : finding.table.areSettings;
            row[cell] = isLabel ? translated(row[cell]) : row[cell];
        }
    }
    return table;
}

} // namespace lockstep::analysis
