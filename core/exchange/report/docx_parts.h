// The parts of a docx that every report has: styles, numbering, footer, relationships. Private to core/exchange/report.
#pragma once

#include "exchange/report/writers.h"

#include <string>
#include <vector>

namespace lockstep::report {

/// A picture of the document: its two files in `word/media` and the ids by which the text refers to them.
struct DocxPicture {
    int number = 1;
    const Picture* picture = nullptr;

    [[nodiscard]] std::string pngId() const { return "png" + std::to_string(number); }
    [[nodiscard]] std::string svgId() const { return "svg" + std::to_string(number); }
};

/// Every part but `word/document.xml`, and that one, in the order in which Word writes them.
[[nodiscard]] std::vector<File> docxParts(
    const Report& report, const std::string& document, const std::vector<DocxPicture>& pictures);

} // namespace lockstep::report
