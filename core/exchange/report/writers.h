// Writers: a report and its pictures as the files of one format. All text from templates, runs and users is escaped.
#pragma once

#include "base/result.h"
#include "exchange/report/report.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::report {

struct File {
    std::string path; ///< below the folder that was chosen: `report.tex`, `figures/loss.svg`
    std::string bytes;
};

/// What a chart looks like. A writer needs what its format shows.
struct Picture {
    double widthMm = 0.0;
    double heightMm = 0.0;
    std::string svg; ///< HTML, Markdown, docx
    std::string live; ///< HTML: its data as JSON, which the page's script draws; empty: only the SVG is shown
    std::string png; ///< docx, for programs that do not draw SVG
    std::string tikz; ///< LaTeX: a tikzpicture; may read `data` by their paths
    std::vector<File> data; ///< LaTeX
};

/// By the block's key. A chart without a picture is left out of the files.
using Pictures = std::map<std::string, Picture>;

enum class TextFormat { Docx, Html, Markdown, Latex };

[[nodiscard]] std::string_view suffixOf(TextFormat format); ///< `docx`, `html`, `md`, `tex`

/// The folder of a report's separate files: `report-files`.
[[nodiscard]] std::string filesFolder(const std::string& name);
/// Of a LaTeX report: without characters that mean something to TeX.
[[nodiscard]] std::string latexFolder(const std::string& name);

/// The first file is the report, `<name>.<suffix>`; the others lie in filesFolder(name), or
/// latexFolder(name). Error: what could not be made.
[[nodiscard]] Result<std::vector<File>> write(
    const Report& report, const Pictures& pictures, TextFormat format, const std::string& name);

} // namespace lockstep::report
