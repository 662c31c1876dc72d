#include "exchange/report/writers.h"

#include "analysis/plain_text.h"
#include "exchange/report/format_writers.h"

#include <algorithm>
#include <array>

namespace lockstep::report {

namespace {

struct Row {
    TextFormat format;
    std::string_view suffix;
    Result<std::vector<File>> (*write)(const Report&, const Pictures&, const std::string&);
};

constexpr std::array Rows{Row{TextFormat::Docx, "docx", writeDocx}, Row{TextFormat::Html, "html", writeHtml},
    Row{TextFormat::Markdown, "md", writeMarkdown}, Row{TextFormat::Latex, "tex", writeLatex}};

} // namespace

std::string_view suffixOf(TextFormat format)
{
    return std::ranges::find(Rows, format, &Row::format)->suffix;
}

std::string filesFolder(const std::string& name)
{
    return name + "-files";
}

std::string latexFolder(const std::string& name)
{
    std::string folder = analysis::fileNameOf(name);
    std::ranges::replace(folder, '_', '-'); // a subscript in TeX
    return filesFolder(folder);
}

Result<std::vector<File>> write(
    const Report& report, const Pictures& pictures, TextFormat format, const std::string& name)
{
    return std::ranges::find(Rows, format, &Row::format)->write(report, pictures, name);
}

} // namespace lockstep::report
