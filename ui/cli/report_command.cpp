#include "ui/cli/report_command.h"

#include "cli/arguments.h"
#include "cli/verbs.h"
#include "exchange/export/file_set.h"
#include "exchange/report/edits.h"
#include "language/language.h"
#include "language/wording.h"
#include "store/run_store.h"
#include "ui/cli/stored_feeds.h"
#include "ui/export/report/report_files.h"
#include "ui/export/report/report_pdf.h"
#include "ui/export/report/report_pictures.h"
#include "ui/export/report/report_templates.h"
#include "ui/pages/report/report_drawings.h"
#include "ui/theme/window_language.h"

#include <QDir>
#include <QLocale>

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace lockstep::ui {

namespace {

using namespace Qt::StringLiterals;

constexpr std::array ReportOptions{
    Option{"--template", "NAME|FILE",
        LS_TR("CommandLine", "a template's name or file (default: that of the runs' experiment)")},
    Option{"--print-template", "NAME",
        LS_TR("CommandLine", "prints the template as JSON, as a starting point for your own")},
    Option{
        "--format", "FORMATS", LS_TR("CommandLine", "docx, pdf, html, md, tex (separated by commas; default: docx)")},
    Option{"--out", "DIR", LS_TR("CommandLine", "the folder to write to (default: the current one)")},
    Option{"--lang", "en|zh", LS_TR("CommandLine", "language of the report (default: the system's)")},
    Option{"--name", "TEXT",
        LS_TR("CommandLine", "the author, for the title page (default: a line to write the name on)")},
    Option{"--number", "TEXT", LS_TR("CommandLine", "the author's student number")},
    Option{"--with-interfered", "",
        LS_TR("CommandLine", "counts runs that were paused, slowed down or had their link changed by hand")},
    Option{"--overwrite", "", LS_TR("CommandLine", "replaces files of the same names")}, cli::StoreOption,
    cli::HelpOption};

struct ReportRequest {
    std::vector<analysis::RunRecord> runs;
    report::Template which;
    std::string templateName; ///< as it was asked for; empty: the runs' own
    std::vector<ReportFormat> formats;
    QString store;
    QString out;
    exchange::Existing existing = exchange::Existing::Refuse;
    analysis::Interfered interfered = analysis::Interfered::LeaveOut;
    std::string author;
    std::string number;
};

std::string helpText()
{
    return language::told(
               LS_TR("CommandLine",
                   "lockstep report RUN...: writes a report of stored runs, from a template\n\nRUN is an id, the "
                   "beginning of one, or `last` (the newest comparison).\nTemplates: %1; your own: FILE.json in %2"),
               {fmt::format("{}", fmt::join(report::templateNames(), ", ")), templateFolder().toStdString()})
        + "\n\n" + cli::helpOf(ReportOptions);
}

Result<std::vector<ReportFormat>> readReportFormats(const QString& text)
{
    std::vector<ReportFormat> formats;
    for (const QString& name : text.split(u',', Qt::SkipEmptyParts)) {
        const auto format = reportFormat(name);
        if (!format) {
            return refusal("--format", LS_TR("Messages", "%1 is not a report format; allowed: %2"),
                {verbatim(name.toStdString()), verbatim(reportFormatNames().toStdString())});
        }
        formats.push_back(*format);
    }
    if (formats.empty()) {
        return refusal("--format", LS_TR("Messages", "needs one of %1"), {verbatim(reportFormatNames().toStdString())});
    }
    return formats;
}

/// The verb's language, with its fonts.
Result<void> setLanguage(const cli::Arguments& arguments)
{
    const QString name = arguments.value(u"--lang"_s);
    const auto named = language::languageFromName(name);
    if (arguments.has(u"--lang"_s) && !named) {
        return refusal("--lang", LS_TR("Messages", "%1 is not a report language; allowed: en, zh"),
            {verbatim(name.toStdString())});
    }
    const bool isChinese = named.value_or(language::textLanguage()) == language::TextLanguage::Chinese;
    applyLanguage(isChinese ? Language::Chinese : Language::English);
    return {};
}

Result<ReportRequest> readReportRequest(const cli::Arguments& arguments)
{
    ReportRequest request;
    LOCKSTEP_TRY(setLanguage(arguments));
    LOCKSTEP_TRY_ASSIGN(request.formats, readReportFormats(arguments.value(u"--format"_s, u"docx"_s)));
    request.out = arguments.value(u"--out"_s, u"."_s);
    request.store = cli::storeOf(arguments);
    request.existing = arguments.has(u"--overwrite"_s) ? exchange::Existing::Replace : exchange::Existing::Refuse;
    request.interfered
        = arguments.has(u"--with-interfered"_s) ? analysis::Interfered::Include : analysis::Interfered::LeaveOut;
    request.author = arguments.value(u"--name"_s).toStdString();
    request.number = arguments.value(u"--number"_s).toStdString();
    LOCKSTEP_TRY_ASSIGN(const auto store, store::RunStore::open(request.store));
    LOCKSTEP_TRY_ASSIGN(request.runs, cli::chosenRuns(*store, arguments.positional()));
    // Variants stand in the order in which they ran, however their runs were named.
    std::ranges::stable_sort(request.runs, {}, &analysis::RunRecord::createdNs);
    const QString name = arguments.value(u"--template"_s);
    request.templateName = name.toStdString();
    if (name.isEmpty()) {
        request.which = report::templateFor(request.runs.front().spec.experiment);
    } else {
        LOCKSTEP_TRY_ASSIGN(request.which, readTemplate(name));
    }
    return request;
}

Result<void> writeReport(const ReportRequest& request)
{
    LOCKSTEP_TRY_ASSIGN(const auto feeds, storedFeeds(request.store, request.runs));
    std::vector<RunFeed*> shown;
    for (const auto& feed : feeds) {
        shown.push_back(feed.get());
    }
    report::Source source = reportSource(shown, request.interfered);
    source.author = request.author;
    source.number = request.number;
    source.templateName = request.templateName;
    source.date = QLocale::c().toString(QDate::currentDate(), u"yyyy-MM-dd"_s).toStdString();
    report::Report made = report::compose(request.which, source);
    const int unanswered = report::unansweredIn(made);
    report::dropUnanswered(made);
    LOCKSTEP_TRY_ASSIGN(const auto files,
        reportFiles(made, shown, request.interfered, request.formats, QStringLiteral("report"), reportDrawings()));
    LOCKSTEP_TRY(exchange::writeFiles(request.out, files, request.existing));
    for (const exchange::NewFile& file : files) {
        cli::printPath(QDir(request.out).filePath(file.path));
    }
    if (unanswered > 0) {
        cli::report(language::told(
            LS_TR("CommandLine", "questions without an answer, not printed: %1"), {std::to_string(unanswered)}));
    }
    cli::report(language::runCount(request.runs, request.interfered));
    return {};
}

} // namespace

int reportCommand(const QStringList& words)
{
    return cli::withArguments(
        "report", words, ReportOptions, helpText, [](const cli::Arguments& arguments) -> Result<int> {
            if (arguments.has(u"--print-template"_s)) {
                const auto text = report::builtInTemplateText(arguments.value(u"--print-template"_s).toStdString());
                return text ? cli::printOrFail(std::string(*text))
                            : cli::refuse(during(verbatim("--print-template"), text.error()));
            }
            LOCKSTEP_TRY_ASSIGN(const auto request, readReportRequest(arguments));
            LOCKSTEP_TRY(writeReport(request));
            return ExitDone;
        });
}

Result<QByteArray> pdfOf(const report::Report& report)
{
    applyLanguage(report.language == report::Language::Chinese ? Language::Chinese : Language::English);
    return reportPdf(report, {}, {});
}

} // namespace lockstep::ui
