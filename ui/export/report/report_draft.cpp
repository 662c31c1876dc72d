#include "ui/export/report/report_draft.h"

#include "exchange/export/file_set.h"
#include "exchange/export/series_csv.h"
#include "language/language.h"
#include "ui/export/report/report_pictures.h"
#include "ui/export/report/report_templates.h"

#include <QCryptographicHash>
#include <QDate>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLocale>

#include <algorithm>
#include <iterator>

namespace lockstep::ui {

ReportDraft::ReportDraft(QString folder, QObject* parent)
    : QObject(parent)
    , m_folder(std::move(folder))
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
    m_feeds = feeds;
    m_interfered = which;
    if (m_chosen.isEmpty() && !feeds.empty()) {
        m_template = report::templateFor(feeds.front()->record().spec.experiment);
    }
    load();
    make();
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
        m_generated = report::compose(m_template, source);
        m_charts = reportCharts(m_generated, m_feeds, m_interfered);
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
    return report::edited(m_generated, m_edits);
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

bool ReportDraft::isChanged(const std::string& key) const
{
    return m_edits.texts.contains(key);
}

void ReportDraft::setAuthor(const QString& name, const QString& number)
{
    m_edits.author = name.toStdString();
    m_edits.number = number.toStdString();
    keep();
    arrange();
}

void ReportDraft::resetAll()
{
    const report::Edits before = std::exchange(m_edits, {});
    m_edits.author = before.author;
    m_edits.number = before.number;
    keep();
    arrange();
}

QString ReportDraft::file() const
{
    // Of a template in a file its path says which, not the name that the file gives itself.
    const QString name = templateName();
    const QString hash
        = QString::fromLatin1(QCryptographicHash::hash(name.toUtf8(), QCryptographicHash::Sha256).toHex().left(12));
    const bool isFile = name.contains(u'/');
    return QDir(m_folder).filePath((isFile ? QStringLiteral("own-") + hash : name) + QStringLiteral(".json"));
}

void ReportDraft::load()
{
    m_edits = {};
    QFile kept(file());
    if (!kept.open(QIODevice::ReadOnly)) {
        return;
    }
    if (auto read = report::parseEdits(kept.readAll().toStdString())) {
        m_edits = std::move(*read);
    } else {
        Q_EMIT failed(QStringLiteral("%1: %2").arg(file(), QString::fromStdString(language::errorLine(read.error()))));
    }
}

void ReportDraft::keep()
{
    QDir().mkpath(m_folder);
    const auto written = exchange::writeFile(file(), QByteArray::fromStdString(report::toJson(m_edits)));
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
    LOCKSTEP_TRY_ASSIGN(
        const auto files, reportFiles(made, m_feeds, m_interfered, {*format}, target.completeBaseName()));
    return exchange::writeFiles(target.path(), files, exchange::Existing::Replace);
}

} // namespace lockstep::ui
