#include "ui/pages/report/findings_page.h"

#include "analysis/findings/all_findings.h"
#include "analysis/findings/method_notes.h"
#include "analysis/findings/verification.h"
#include "analysis/table/run_table.h"
#include "analysis/table/text_table.h"
#include "experiment/parameter.h"
#include "experiment/spec.h"
#include "language/language.h"
#include "language/shown_names.h"
#include "language/wording.h"
#include "ui/export/scaled_paint.h"
#include "ui/models/feeds/interference_text.h"
#include "ui/models/feeds/run_feed.h"
#include "ui/models/form/form_model.h"
#include "ui/models/runs/run_columns.h"
#include "ui/models/shown_text.h"

#include <QCoreApplication>
#include <QEvent>
#include <QTextOption>
#include <QUrl>

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockstep::ui {

namespace {

/// Qt breaks 2.3 after its point where a column is narrow.
enum class Breaks { Yes, No };

QString cell(const QString& text, const char* alignment, Breaks breaks = Breaks::Yes)
{
    return QStringLiteral("<td align='%1' style='padding:3px 6px 3px 6px%2'>%3</td>")
        .arg(QLatin1String(alignment), QLatin1String(breaks == Breaks::No ? "; white-space:pre" : ""), text);
}

QString swatchHtml(const QColor& color)
{
    return QStringLiteral("<span style='color:%1'>■</span> ").arg(onScreen(color).name());
}

/// Of the link that compares a run with a single process again; its path is the run's id.
constexpr const char* Float64Scheme = "float64";

/// A record as analysis needs it, with its curves.
analysis::RunRecord withCurves(const RunFeed& feed)
{
    analysis::RunRecord record = feed.record();
    record.loss = feed.loss();
    record.accuracy = feed.accuracy();
    record.ranks = feed.account().rankSums().summaries();
    return record;
}

/// As the sentences call it, with what was changed by hand.
QString nameOf(const analysis::RunRecord& run)
{
    return markedName(shownName(analysis::displayName(run)), run);
}

QString sentenceOf(const analysis::Finding& finding)
{
    return QString::fromStdString(language::findingSentence(finding));
}

QString tableHtml(const analysis::TextTable& table)
{
    if (table.rows.empty()) {
        return {};
    }
    const auto line = [](const QStringList& cells, bool areFigures) {
        QString html;
        for (const QString& each : cells) {
            const bool isName = html.isEmpty();
            html += cell(
                each.toHtmlEscaped(), isName ? "left" : "right", areFigures && !isName ? Breaks::No : Breaks::Yes);
        }
        return QStringLiteral("<tr>%1</tr>").arg(html);
    };
    QStringList titles;
    for (const analysis::TextTable::Header& header : table.headers) {
        titles += QString::fromStdString(header.name);
    }
    QString html = line(titles, false);
    for (const std::vector<std::string>& row : table.rows) {
        QStringList cells;
        for (const std::string& text : row) { // a number stays on one line with its interval
            cells += cells.isEmpty() ? shownName(text) : shownName(text).replace(u' ', QChar(QChar::Nbsp));
        }
        html += line(cells, true);
    }
    return QStringLiteral("<table cellspacing='0'>%1</table>").arg(html);
}

} // namespace

FindingsPage::FindingsPage(QWidget* parent)
    : QTextBrowser(parent)
{
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    setWordWrapMode(QTextOption::WordWrap); // a figure is one word: it is not broken between its digits
    document()->setDocumentMargin(18);
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        if (link.scheme() == QLatin1String(Float64Scheme)) {
            Q_EMIT float64Requested(RunId{link.path().toStdString()});
        }
    });
    render();
}

void FindingsPage::setInterfered(analysis::Interfered which)
{
    if (m_interfered != which) {
        m_interfered = which;
        render();
    }
}

void FindingsPage::setFeeds(const std::vector<RunFeed*>& feeds, bool canStart)
{
    m_canStart = canStart;
    m_records.clear();
    m_colors.clear();
    for (const RunFeed* feed : feeds) {
        m_records.push_back(withCurves(*feed));
        m_colors.push_back(feed->color());
    }
    nameRuns();
    render();
}

void FindingsPage::nameRuns()
{
    m_records = language::named(std::move(m_records));
}

void FindingsPage::render()
{
    setAccessibleName(tr("Findings"));
    setAccessibleDescription(tr("What the numbers of the shown runs mean, with summaries and settings."));
    if (m_records.empty()) {
        setHtml(QStringLiteral("<p>%1</p>")
                    .arg(tr("Run an experiment, or tick runs in the table, to read what their numbers mean.")));
        return;
    }
    setHtml(findingsHtml(Links::Yes) + tablesHtml());
}

std::vector<RunId> FindingsPage::runs() const
{
    std::vector<RunId> ids;
    std::ranges::transform(m_records, std::back_inserter(ids), &analysis::RunRecord::id);
    return ids;
}

std::vector<analysis::Finding> FindingsPage::found() const
{
    return analysis::findings(m_records, m_interfered);
}

/// Nothing while none of the runs has finished.
QString FindingsPage::tablesHtml() const
{
    const std::vector<Row> table = rows();
    return table.empty() ? QString() : summaryHtml(table) + specHtml(table);
}

QString FindingsPage::findingsHtml(Links links) const
{
    QString before; // what is left out
    QString answer;
    QString evidence;
    const std::vector<analysis::Finding> findings = found();
    for (const analysis::Finding& finding : findings) {
        const QString sentence = sentenceOf(finding).toHtmlEscaped();
        const QString table = tableHtml(language::findingTable(finding));
        if (finding.role == analysis::Role::Headline) {
            answer += QStringLiteral("<p style='font-size:large;margin-bottom:6px'>%1</p>%2").arg(sentence, table);
        } else if (finding.role == analysis::Role::Caveat && answer.isEmpty() && evidence.isEmpty()) {
            before += QStringLiteral("<p style='margin-bottom:6px'>%1</p>").arg(sentence);
        } else {
            evidence += QStringLiteral("<li style='margin-bottom:5px'>%1%2%3</li>")
                            .arg(sentence, links == Links::Yes ? float64Link(finding) : QString(), table);
        }
    }
    const auto heading = [](const QString& text) { return QStringLiteral("<h3>%1</h3>").arg(text); };
    const QString counted = QString::fromStdString(language::runCount(m_records, m_interfered)).toHtmlEscaped();
    return QStringLiteral("<p>%1</p>").arg(counted) + before
        + (answer.isEmpty() ? QString() : questionHtml() + heading(tr("Answer")) + answer)
        + (evidence.isEmpty() ? QString()
                              : heading(tr("What the numbers say"))
                    + QStringLiteral("<ul style='margin-left:-18px'>%1</ul>").arg(evidence))
        + notesHtml(findings);
}

QString FindingsPage::questionHtml() const
{
    const QString question = QString::fromStdString(language::questionOf(m_records));
    return question.isEmpty() ? QString() : QStringLiteral("<h3>%1</h3>").arg(question.toHtmlEscaped());
}

/// How it was measured: once, below the sentences.
QString FindingsPage::notesHtml(const std::vector<analysis::Finding>& findings) const
{
    QStringList notes;
    for (const analysis::Finding& note : analysis::methodNotes(findings, m_records)) {
        notes += sentenceOf(note).toHtmlEscaped();
    }
    return notes.isEmpty()
        ? QString()
        : QStringLiteral("<p style='font-size:small'>%1</p>").arg(notes.join(QStringLiteral("<br>")));
}

std::optional<Drawing> FindingsPage::drawing() const
{
    if (m_records.empty()) {
        return std::nullopt;
    }
    Drawing drawing = textDrawing(QStringLiteral("findings"), tr("Findings"), findingsHtml(Links::No) + tablesHtml());
    drawing.specJson = QString::fromStdString(experiment::toJson(m_records.front().spec));
    QByteArray csv("finding,sentence,figure,value\r\n");
    for (const analysis::Finding& finding : found()) {
        const std::string head = analysis::csvCell(std::string(finding.kind)) + ','
            + analysis::csvCell(sentenceOf(finding).toStdString()) + ',';
        for (const auto& [name, value] : finding.figures) {
            csv += QByteArray::fromStdString(head + analysis::csvCell(name) + ',' + experiment::toText(value)) + "\r\n";
        }
        csv += finding.figures.empty() ? QByteArray::fromStdString(head) + ",\r\n" : QByteArray();
    }
    drawing.csv = [csv] { return csv; };
    return drawing;
}

/// After a sentence on a run that was compared with a single process in float32.
QString FindingsPage::float64Link(const analysis::Finding& finding) const
{
    if (!m_canStart || !analysis::isOfVerification(finding)) {
        return {};
    }
    for (const analysis::RunRecord& run : m_records) {
        if (run.id == finding.runs.front() && analysis::isVerifiedInFloat32(run)) {
            return QStringLiteral(" <a href='%1:%2' style='color:%3'>%4</a>")
                .arg(QLatin1String(Float64Scheme), QString::fromStdString(run.id.text),
                    palette().color(QPalette::Link).name(), tr("Compare in float64"));
        }
    }
    return {};
}

/// A variant a row, its repeats as means with intervals; runs that do not count have separate rows.
std::vector<FindingsPage::Row> FindingsPage::rows() const
{
    std::vector<const analysis::RunRecord*> records;
    for (const analysis::RunRecord& run : m_records) {
        if (!experiment::isSweep(run.spec)) { // trains nothing
            records.push_back(&run);
        }
    }
    std::vector<Row> rows;
    for (analysis::RowGroup& group : analysis::groupRuns(records, {}, m_interfered)) {
        const std::vector<const analysis::RunRecord*> runs = std::exchange(group.runs, group.counted);
        if (!group.counted.empty()) {
            const QString name = shownName(group.name);
            rows.push_back({group.counted.size() > 1
                    ? QCoreApplication::translate("ChartModel", "%1 (n = %2)").arg(name).arg(group.counted.size())
                    : nameOf(*group.counted.front()),
                group});
        }
        for (const analysis::RunRecord* run : runs) {
            const bool isOlderRepeat = run->status == analysis::RunStatus::Finished && !run->summary.interference.any();
            const bool isCounted = std::ranges::find(group.counted, run) != group.counted.end();
            if (!isCounted && !isOlderRepeat) {
                rows.push_back({nameOf(*run), analysis::groupOfOne(*run)});
            }
        }
    }
    return rows;
}

QColor FindingsPage::colorOf(const analysis::RunRecord& record) const
{
    return m_colors[static_cast<std::size_t>(&record - m_records.data())];
}

/// Two tables: the figures of one would not fit beside the form in a window of 1024 pixels.
QString FindingsPage::summaryHtml(const std::vector<Row>& rows) const
{
    return QStringLiteral("<h3>%1</h3>").arg(tr("Summary"))
        + summaryTable(rows, {"train_loss", "loss", "accuracy", "best_accuracy"}) + QStringLiteral("<p></p>")
        + summaryTable(rows, {"steps", "ms_per_step_typical", "samples_per_s_typical", "train_seconds"});
}

QString FindingsPage::summaryTable(const std::vector<Row>& rows, std::initializer_list<const char*> names) const
{
    QString html = QStringLiteral("<table cellspacing='0'><tr><td></td>%1").arg(cell(tr("Status"), "left"));
    std::vector<const analysis::Column*> columns;
    for (const char* name : names) {
        columns.push_back(analysis::findColumn(name));
        html += cell(columnTitle(*columns.back()).toHtmlEscaped(), "right");
    }
    html += QStringLiteral("</tr>");
    for (const Row& row : rows) {
        const analysis::RunRecord& first = *row.group.counted.front();
        const QString name = row.name.toHtmlEscaped().replace(u'_', QStringLiteral("_&#8203;")); // may be broken there
        html += QStringLiteral("<tr><td style='padding:3px 10px 3px 0'>%1<b>%2</b></td>%3")
                    .arg(swatchHtml(colorOf(first)), name, cell(statusText(first.status), "left"));
        for (const analysis::Column* column : columns) {
            html += cell(groupedText(*column, estimateOf(row.group, *column)), "right");
        }
        html += QStringLiteral("</tr>");
    }
    return html + QStringLiteral("</table>");
}

/// What differs from the defaults: first what all have in common, then a row a variant.
QString FindingsPage::specHtml(const std::vector<Row>& rows) const
{
    const auto settingsOf = [](const analysis::RunRecord& run) {
        QStringList settings;
        const auto add = [&](const experiment::Parameter& parameter, const experiment::Value& value) {
            settings += QStringLiteral("%1 %2").arg(
                translatedLabel(parameter), settingText(parameter, experiment::toText(value)));
        };
        for (const experiment::Parameter& parameter : experiment::parameters()) {
            const auto value = run.spec.settings.find(std::string(parameter.name));
            const bool isSpecial = value != run.spec.settings.end() && value->second != parameter.standard
                && parameter.fills != &experiment::TrainSettings::seed
                && experiment::isUsed(parameter, run.spec.settings);
            if (isSpecial) {
                add(parameter, value->second);
            }
        }
        for (const auto& [name, value] : run.spec.settings) {
            if (experiment::isOwnParameter(name)) {
                add(*experiment::findParameter(name), value);
            }
        }
        return settings;
    };
    std::vector<QStringList> ofRows;
    for (const Row& row : rows) {
        ofRows.push_back(settingsOf(*row.group.counted.front()));
    }
    QStringList common = ofRows.size() > 1 ? ofRows.front() : QStringList();
    for (const QStringList& settings : ofRows) {
        common.removeIf([&settings](const QString& each) { return !settings.contains(each); });
    }
    QString html = QStringLiteral("<h3>%1</h3><table cellspacing='0'>").arg(tr("Non-default settings"));
    const auto add = [&html](const QString& name, const QStringList& settings) {
        html += QStringLiteral("<tr><td style='padding:3px 10px 3px 0; white-space:pre'>%1</td>%2</tr>")
                    .arg(name,
                        cell(settings.isEmpty() ? QStringLiteral("–")
                                                : settings.join(QStringLiteral(" · ")).toHtmlEscaped(),
                            "left"));
    };
    if (!common.isEmpty()) {
        add(tr("All"), common);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        ofRows[i].removeIf([&common](const QString& each) { return common.contains(each); });
        add(QStringLiteral("<b>%1</b>").arg(rows[i].name.toHtmlEscaped()), ofRows[i]);
    }
    return html + QStringLiteral("</table>");
}

void FindingsPage::changeEvent(QEvent* event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) {
        nameRuns();
        render();
    }
}

} // namespace lockstep::ui
