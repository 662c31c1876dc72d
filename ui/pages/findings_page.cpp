#include "ui/pages/findings_page.h"

#include "analysis/verification.h"
#include "experiment/parameter.h"
#include "ui/models/form_model.h"
#include "ui/models/numbers.h"
#include "ui/models/run_feed.h"
#include "ui/models/runs_table_model.h"

#include <QCoreApplication>
#include <QEvent>
#include <QUrl>

#include <functional>

namespace lockstep::ui {

namespace {

QString cell(const QString& text, const char* alignment)
{
    return QStringLiteral("<td align='%1' style='padding:3px 10px 3px 10px'>%2</td>")
        .arg(QLatin1String(alignment), text);
}

QString swatchHtml(const QColor& color)
{
    return QStringLiteral("<span style='color:%1'>■</span> ").arg(color.name());
}

/// Of the link that compares a run with a single process again; its path is the run's id.
constexpr const char* Float64Scheme = "float64";

/// A record as analysis needs it, with its curves.
analysis::RunRecord withCurves(const RunFeed& feed)
{
    analysis::RunRecord record = feed.record();
    record.loss = feed.loss();
    record.accuracy = feed.accuracy();
    record.ranks = feed.rankSummaries();
    return record;
}

} // namespace

FindingsPage::FindingsPage(QWidget* parent)
    : QTextBrowser(parent)
{
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
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
    m_runs.clear();
    for (const RunFeed* feed : feeds) {
        m_runs.push_back({withCurves(*feed), feed->color()});
    }
    render();
}

void FindingsPage::render()
{
    setAccessibleName(tr("Findings"));
    setAccessibleDescription(tr("What the numbers of the shown runs mean, with summaries and settings."));
    if (m_runs.empty()) {
        setHtml(QStringLiteral("<p>%1</p>")
                    .arg(tr("Run an experiment, or tick runs in the table, to read what their numbers mean.")));
        return;
    }
    setHtml(findingsHtml() + summaryHtml() + specHtml());
}

QString FindingsPage::findingsHtml() const
{
    std::vector<analysis::RunRecord> records;
    for (const Run& run : m_runs) {
        records.push_back(run.record);
    }
    const auto translate = [](std::string_view pattern) {
        return QCoreApplication::translate("Findings", std::string(pattern).c_str()).toStdString();
    };
    QString html = QStringLiteral("<h3>%1</h3><ul style='margin-left:-18px'>").arg(tr("What the numbers say"));
    for (const analysis::Finding& finding : analysis::findings(records, m_interfered)) {
        html += QStringLiteral("<li style='margin-bottom:5px'>%1%2</li>")
                    .arg(QString::fromStdString(analysis::sentence(finding, translate)).toHtmlEscaped(),
                        float64Link(finding));
    }
    return html + QStringLiteral("</ul>");
}

/// After a sentence on a run that was compared with a single process in float32.
QString FindingsPage::float64Link(const analysis::Finding& finding) const
{
    if (!m_canStart || !analysis::isOfVerification(finding)) {
        return {};
    }
    for (const Run& run : m_runs) {
        if (run.record.id == finding.runs.front() && analysis::isVerifiedInFloat32(run.record)) {
            return QStringLiteral(" <a href='%1:%2' style='color:%3'>%4</a>")
                .arg(QLatin1String(Float64Scheme), QString::fromStdString(run.record.id.text),
                    palette().color(QPalette::Link).name(), tr("Compare in float64"));
        }
    }
    return {};
}

QString FindingsPage::summaryHtml() const
{
    struct Row {
        QString title;
        std::function<QString(const analysis::Summary&)> text;
    };
    const std::vector<Row> rows{
        {tr("Last training loss"), [](const auto& s) { return numberText(s.finalLoss); }},
        {tr("Best training loss"), [](const auto& s) { return numberText(s.bestLoss); }},
        {tr("Test accuracy, last (%)"), [](const auto& s) { return percentText(s.testAccuracy); }},
        {tr("Test accuracy, best (%)"), [](const auto& s) { return percentText(s.bestTestAccuracy); }},
        {tr("Steps"), [](const auto& s) { return countText(s.steps); }},
        {tr("Time per step (ms)"), [](const auto& s) { return numberText(s.msPerStep); }},
        {tr("Samples per second"), [](const auto& s) { return siText(s.samplesPerSecond); }},
        {tr("Training time (s)"), [](const auto& s) { return numberText(s.trainSeconds); }},
    };
    QString html = QStringLiteral("<h3>%1</h3><table cellspacing='0'><tr><td></td>").arg(tr("Summary"));
    for (const Run& run : m_runs) {
        html += cell(
            swatchHtml(run.color) + QStringLiteral("<b>%1</b>").arg(runName(run.record).toHtmlEscaped()), "right");
    }
    html += QStringLiteral("</tr><tr><td style='padding:3px 10px 3px 0'>%1</td>").arg(tr("Status"));
    for (const Run& run : m_runs) {
        html += cell(statusText(run.record.status), "right");
    }
    html += QStringLiteral("</tr>");
    for (const Row& row : rows) {
        html += QStringLiteral("<tr><td style='padding:3px 10px 3px 0'>%1</td>").arg(row.title);
        for (const Run& run : m_runs) {
            html += cell(row.text(run.record.summary), "right");
        }
        html += QStringLiteral("</tr>");
    }
    return html;
}

/// Only what differs between the shown runs or from the defaults: the rest would repeat the parameter table.
QString FindingsPage::specHtml() const
{
    // In the summary table, so that the columns continue.
    QString html = QStringLiteral("<tr><td colspan='%1'><h3>%2</h3></td></tr>")
                       .arg(m_runs.size() + 1)
                       .arg(tr("Non-default settings"));
    for (const experiment::Parameter& parameter : experiment::parameters()) {
        const std::string name(parameter.name);
        bool isSpecial = false;
        QString line;
        for (const Run& run : m_runs) {
            const auto value = run.record.spec.settings.find(name);
            const bool applies
                = value != run.record.spec.settings.end() && experiment::applies(parameter, run.record.spec.settings);
            isSpecial = isSpecial || (applies && value->second != parameter.standard);
            const QString text
                = applies ? QString::fromStdString(experiment::toText(value->second)) : QStringLiteral("–");
            line += cell(text.toHtmlEscaped(), "right");
        }
        if (isSpecial) {
            html += QStringLiteral("<tr><td style='padding:3px 10px 3px 0'>%1</td>%2</tr>")
                        .arg(translatedLabel(parameter), line);
        }
    }
    return html + QStringLiteral("</table>");
}

void FindingsPage::changeEvent(QEvent* event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) {
        render();
    }
}

} // namespace lockstep::ui
