#include "ui/export/report/report_draft.h"

#include "exchange/export/file_set.h"
#include "exchange/export/series_csv.h"
#include "language/language.h"
#include "ui/export/report/report_pictures.h"
#include "ui/export/report/report_templates.h"
#include "ui/models/shown_text.h"

#include <QCryptographicHash>
#include <QDate>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QSettings>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace lockstep::ui {

namespace {

QString authorOf(const char* part)
{
    return QSettings().value(QStringLiteral("author/") + QLatin1String(part)).toString();
}

void setAuthorOf(const char* part, const QString& text)
{
    QSettings().setValue(QStringLiteral("author/") + QLatin1String(part), text);
}

/// Keeps the changes of a template's reports.
QString editsFile(const QString& folder, const QString& templateName)
{
    // Of a template in a file its path says which, not the name that the file gives itself.
    const QString hash = QString::fromLatin1(
        QCryptographicHash::hash(templateName.toUtf8(), QCryptographicHash::Sha256).toHex().left(12));
    const bool isFile = templateName.contains(u'/');
    return QDir(folder).filePath((isFile ? QStringLiteral("own-") + hash : templateName) + QStringLiteral(".json"));
}

} // namespace

ReportDraft::ReportDraft(QString folder, ReportDrawings drawings, QObject* parent)
    : QObject(parent)
    , m_folder(std::move(folder))
    , m_drawings(std::move(drawings))
    , m_template(report::templateFor({}))
{ }

QString ReportDraft::templateName() const
{
    return m_chosen.isEmpty() ? QString::fromStdString(m_template.name) : m_chosen;
}

std::vector<RunId> ReportDraft::runs() const
{
    std::vector<RunId> ids;
    std::ranges::transform(m_feeds, std::back_inserter(ids), &RunFeed::id);
    return ids;
}

void ReportDraft::setFeeds(const std::vector<RunFeed*>& feeds, analysis::Interfered which)
{
    m_interfered = which;
    take(feeds);
    make();
}

void ReportDraft::take(const std::vector<RunFeed*>& feeds)
{
    m_feeds = feeds;
    if (m_chosen.isEmpty() && !feeds.empty()) {
        m_template = report::templateFor(feeds.front()->record().spec.experiment);
    }
    load();
}

std::string ReportDraft::add(report::Section section, const std::vector<RunFeed*>& feeds)
{
    take(feeds);
    std::size_t number = 0;
    const auto isTaken = [&] {
        const std::string id = "own-" + std::to_string(number);
        return std::ranges::any_of(
            m_edits.added, [&](const std::string& each) { return each.find('"' + id + '"') != std::string::npos; });
    };
    while (isTaken()) {
        ++number;
    }
    section.id = "own-" + std::to_string(number);
    m_edits.added.push_back(report::toJson(section));
    keep();
    m_generated = {}; // it is made again when it is shown
    return section.id;
}

std::string ReportDraft::insert(report::Section section, const std::string& behind)
{
    std::vector<std::string> order;
    std::ranges::transform(m_blocks, std::back_inserter(order), &report::Block::key);
    const std::string id = add(std::move(section), m_feeds);
    std::vector<std::string> own;
    make();
    for (const report::Block& block : m_generated.blocks) {
        if (block.key == id || block.key.starts_with(id + "/")) {
            own.push_back(block.key);
        }
    }
    const auto place = std::ranges::find(order, behind);
    order.insert(place == order.end() ? place : place + 1, own.begin(), own.end());
    setOrder(order);
    return id;
}

void ReportDraft::setTemplate(const QString& nameOrFile)
{
    auto made = readTemplate(nameOrFile);
    if (!made) {
        Q_EMIT failed(QString::fromStdString(language::errorLine(made.error())));
        return;
    }
    m_template = std::move(*made);
    m_chosen = nameOrFile;
    load();
    make();
}

void ReportDraft::make()
{
    m_generated = {};
    m_charts.clear();
    if (!m_feeds.empty()) {
        report::Source source = reportSource(m_feeds, m_interfered);
        source.date = QLocale::c().toString(QDate::currentDate(), QStringLiteral("yyyy-MM-dd")).toStdString();
        source.templateName = m_chosen.toStdString();
        source.className = className().toStdString();
        m_generated = report::compose(report::withAdded(m_template, m_edits.added), source);
        m_charts = reportCharts(m_generated, m_feeds, m_interfered, m_drawings);
    }
    arrange();
}

void ReportDraft::arrange()
{
    m_blocks = report::arranged(m_generated, m_edits);
    Q_EMIT changed();
}

report::Report ReportDraft::report() const
{
    report::Edits edits = m_edits;
    edits.author = author().toStdString();
    edits.number = number().toStdString();
    return report::edited(m_generated, edits);
}

void ReportDraft::setOrder(const std::vector<std::string>& keys)
{
    m_edits.order = keys;
    keep();
    arrange();
}

void ReportDraft::setLeftOut(const std::string& key, bool isLeftOut)
{
    if (isLeftOut) {
        m_edits.leftOut.insert(key);
    } else {
        m_edits.leftOut.erase(key);
    }
    keep();
    arrange();
}

void ReportDraft::setText(const std::string& key, const std::string& text)
{
    const auto block = std::ranges::find(m_generated.blocks, key, &report::Block::key);
    if (block == m_generated.blocks.end()) {
        return;
    }
    if (report::textOf(*block) == text) {
        m_edits.texts.erase(key);
    } else {
        m_edits.texts[key] = text;
    }
    keep();
    arrange();
}

void ReportDraft::resetText(const std::string& key)
{
    m_edits.texts.erase(key);
    keep();
    arrange();
}

void ReportDraft::setAuthor(const QString& name, const QString& number, const QString& className)
{
    const bool hadClass = !this->className().isEmpty();
    setAuthorOf("name", name);
    setAuthorOf("number", number);
    setAuthorOf("class", className);
    if (!m_edits.author.empty() || !m_edits.number.empty()) {
        m_edits.author.clear();
        m_edits.number.clear();
        keep();
    }
    constexpr std::size_t ClassLine = 2; // after name and number, before the date
    if (hadClass != !className.isEmpty()) {
        make(); // a line more or less
        return;
    }
    if (hadClass && m_generated.titleLines.size() > ClassLine) {
        m_generated.titleLines[ClassLine].text = className.toStdString();
    }
    arrange();
}

QString ReportDraft::author() const
{
    const QString text = authorOf("name");
    return text.isEmpty() ? QString::fromStdString(m_edits.author) : text; // of an earlier version
}

QString ReportDraft::number() const
{
    const QString text = authorOf("number");
    return text.isEmpty() ? QString::fromStdString(m_edits.number) : text;
}

QString ReportDraft::className() const
{
    return authorOf("class");
}

QString ReportDraft::fileName() const
{
    const QString title = QString::fromStdString(m_generated.title);
    return fileNameOf(author().isEmpty() ? title : title + QStringLiteral(" - ") + author());
}

void ReportDraft::resetAll()
{
    const report::Edits before = std::exchange(m_edits, {});
    m_edits.author = before.author; // of an earlier version
    m_edits.number = before.number;
    keep();
    make();
}

void ReportDraft::load()
{
    m_edits = {};
    const QString file = editsFile(m_folder, templateName());
    QFile kept(file);
    if (!kept.open(QIODevice::ReadOnly)) {
        return;
    }
    if (auto read = report::parseEdits(kept.readAll().toStdString())) {
        m_edits = std::move(*read);
    } else {
        Q_EMIT failed(QStringLiteral("%1: %2").arg(file, QString::fromStdString(language::errorLine(read.error()))));
    }
}

void ReportDraft::keep()
{
    QDir().mkpath(m_folder);
    const auto written
        = exchange::writeFile(editsFile(m_folder, templateName()), QByteArray::fromStdString(report::toJson(m_edits)));
    if (!written) {
        Q_EMIT failed(QString::fromStdString(language::errorLine(written.error())));
    }
}

Result<void> ReportDraft::write(const QString& path)
{
    const QFileInfo target(path);
    const auto format = reportFormat(target.suffix());
    if (!format) {
        return failure(LS_TR("Messages", "%1: the name must end with one of %2"),
            {verbatim(path.toStdString()), verbatim(reportFormatNames().toStdString())});
    }
    report::Report made = report();
    report::dropUnanswered(made);
    LOCKSTEP_TRY_ASSIGN(
        const auto files, reportFiles(made, m_charts, {*format}, target.completeBaseName(), specJsonOf(m_feeds)));
    return exchange::writeFiles(target.path(), files, exchange::Existing::Replace);
}

} // namespace lockstep::ui
