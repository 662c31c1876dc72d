#include "ui/models/form/experiment_document.h"

#include "analysis/plain_text.h"
#include "base/translate.h"
#include "experiment/parameter.h"
#include "experiment/variant_name.h"
#include "ui/models/form/form_model.h"
#include "ui/models/form/titles.h"
#include "ui/models/shown_text.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QSaveFile>

#include <algorithm>
#include <utility>

namespace lockstep::ui {

namespace {

constexpr qint64 LargestSpec = 4 << 20;
const QString NewPlace = QStringLiteral("new:");

Result<QByteArray> bytesIn(const QString& path)
{
    QFile file(path);
    if (QFileInfo(path).isDir() || !file.open(QIODevice::ReadOnly)) {
        return refusal(path.toStdString(), LS_TR("Refusals", "cannot be read: %1"),
            {QFileInfo(path).isDir() ? Text(LS_TR("Refusals", "it is a folder"))
                                     : verbatim(file.errorString().toStdString())});
    }
    if (file.size() > LargestSpec) {
        return refusal(path.toStdString(), LS_TR("Refusals", "is larger than 4 MiB, too large for an experiment"));
    }
    return file.readAll();
}

QString nameInTitle(const QString& place)
{
    return shownName(QFileInfo(place).completeBaseName());
}

} // namespace

QString wordingText(const experiment::Wording& wording)
{
    const bool isChinese = QLocale().language() == QLocale::Chinese;
    const std::string& wanted = isChinese ? wording.zh : wording.en;
    return shownText(!wanted.empty() ? wanted : isChinese ? wording.en : wording.zh);
}

void setWording(experiment::Wording& wording, const QString& text, const experiment::Wording& ofPreset)
{
    const bool isChinese = QLocale().language() == QLocale::Chinese;
    std::string& here = isChinese ? wording.zh : wording.en;
    std::string& other = isChinese ? wording.en : wording.zh;
    if (here != text.toStdString() && other == (isChinese ? ofPreset.en : ofPreset.zh)) {
        other.clear();
    }
    here = text.toStdString();
}

bool isPresetName(const QString& place)
{
    return std::ranges::find(experiment::presetNames(), place.toStdString()) != experiment::presetNames().end();
}

experiment::Spec specOfRun(const experiment::RunSpec& run)
{
    experiment::Spec spec{run.experiment, {}, {}, 1};
    setWording(spec.about.title, ExperimentDocument::tr("Settings of %1").arg(variantTitle(run)), {});
    for (const experiment::Parameter& row : experiment::parameters()) {
        const auto value = run.settings.find(std::string(row.name));
        if (value != run.settings.end() && value->second != row.standard) {
            spec.base.insert(*value);
        }
    }
    return spec;
}

ExperimentDocument::ExperimentDocument(FormModel& form, QObject* parent)
    : QObject(parent)
    , m_form(form)
{
    connect(&m_form.undoStack(), &QUndoStack::cleanChanged, this, &ExperimentDocument::changed);
    connect(&m_form, &FormModel::changed, this, &ExperimentDocument::changed);
}

Result<void> ExperimentDocument::open(const QString& place)
{
    if (place == m_now.place) {
        return {};
    }
    if (const auto left = leftAt(place); left != m_left.end()) {
        Opened opened = *left;
        m_left.erase(left);
        leave();
        const FormState changes = opened.changes;
        m_isNew = opened.place.startsWith(NewPlace);
        enter(std::move(opened));
        m_form.apply(tr("Changes that were not saved"), changes);
        return {};
    }
    if (isPresetName(place)) {
        LOCKSTEP_TRY_ASSIGN(auto spec, experiment::preset(place.toStdString()));
        leave();
        enter({place, std::move(spec), {}});
        return {};
    }
    LOCKSTEP_TRY_ASSIGN(auto bytes, bytesIn(place));
    auto spec = experiment::parseSpec(bytes.toStdString());
    if (!spec) {
        return during(place.toStdString(), spec.error());
    }
    leave();
    enter({place, *std::move(spec), std::move(bytes)});
    return {};
}

void ExperimentDocument::openSpec(const experiment::Spec& spec)
{
    leave();
    m_isNew = true;
    enter({NewPlace + QString::number(++m_untitled), spec, {}});
}

void ExperimentDocument::openNew()
{
    openSpec(*experiment::preset(experiment::OwnExperiment));
}

void ExperimentDocument::duplicate()
{
    experiment::Spec copy = m_form.document();
    for (std::string* title : {&copy.about.title.en, &copy.about.title.zh}) {
        if (!title->empty()) {
            *title = tr("%1 (copy)").arg(QString::fromStdString(*title)).toStdString();
        }
    }
    openSpec(copy);
}

/// Keeps what is not saved.
void ExperimentDocument::leave()
{
    if (!m_now.place.isEmpty() && !isSaved()) {
        m_now.title = title();
        m_now.changes = m_form.state();
        m_left.push_back(std::move(m_now));
    }
    m_now = {};
    m_isNew = false;
}

void ExperimentDocument::enter(Opened opened)
{
    m_now = std::move(opened);
    m_form.setFileTitle(isFile() ? nameInTitle(m_now.place) : QString());
    m_form.setSpec(m_now.spec);
    Q_EMIT changed();
}

QByteArray ExperimentDocument::bytesOf(const experiment::Spec& spec) const
{
    const std::string json = experiment::toJson(spec);
    return !m_now.bytes.isEmpty() && json == experiment::toJson(m_now.spec) ? m_now.bytes
                                                                            : QByteArray::fromStdString(json) + '\n';
}

Result<void> ExperimentDocument::save(const QString& path)
{
    if (const QString unreadable = m_form.unreadable(); !unreadable.isEmpty()) {
        return refusal(path.toStdString(), LS_TR("Refusals", "not saved: %1"), {verbatim(unreadable.toStdString())});
    }
    const experiment::Spec spec = m_form.document();
    const QByteArray bytes = bytesOf(spec);
    QDir().mkpath(QFileInfo(path).absolutePath());
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit()) {
        return refusal(path.toStdString(), LS_TR("Refusals", "cannot be written: %1"),
            {verbatim(file.errorString().toStdString())});
    }
    m_now.place = path;
    m_now.spec = spec;
    m_now.bytes = bytes;
    m_isNew = false;
    m_form.setFileTitle(nameInTitle(path));
    m_form.undoStack().setClean();
    Q_EMIT changed();
    return {};
}

bool ExperimentDocument::isFile() const
{
    return !m_now.place.isEmpty() && !isPresetName(m_now.place) && !m_now.place.startsWith(NewPlace);
}

bool ExperimentDocument::isSaved() const
{
    return !m_isNew && m_form.undoStack().isClean();
}

QString ExperimentDocument::title() const
{
    const QString title = wordingText(m_form.title());
    const auto isTaken = [this](const QString& wanted) {
        return std::ranges::any_of(m_left, [&wanted](const Opened& opened) { return opened.title == wanted; });
    };
    QString free = title;
    for (int number = 2; m_now.place.startsWith(NewPlace) && isTaken(free); ++number) {
        free = QStringLiteral("%1 %2").arg(title).arg(number);
    }
    return free;
}

void ExperimentDocument::rename(const QString& title)
{
    experiment::About about = m_form.about();
    setWording(about.title, title.trimmed(), experiment::aboutPreset(m_form.experiment()).title);
    m_form.setAbout(about);
}

void ExperimentDocument::drop()
{
    m_now = {};
    m_isNew = false;
}

std::vector<ExperimentDocument::Opened>::const_iterator ExperimentDocument::leftAt(const QString& place) const
{
    return std::ranges::find(m_left, place, &Opened::place);
}

QString ExperimentDocument::suggestedFileName() const
{
    const QString name = title().isEmpty() ? m_now.place : title();
    const std::string readable = analysis::readableName(name.toLower().toStdString());
    return (readable.empty() ? QStringLiteral("experiment") : QString::fromStdString(readable))
        + QStringLiteral(".json");
}

QStringList ExperimentDocument::unsaved() const
{
    QStringList places;
    for (const Opened& opened : m_left) {
        places += opened.place;
    }
    if (!m_now.place.isEmpty() && !isSaved()) {
        places += m_now.place;
    }
    return places;
}

QString ExperimentDocument::titleOf(const QString& place) const
{
    const auto left = leftAt(place);
    return place == m_now.place ? title() : left == m_left.end() ? nameInTitle(place) : left->title;
}

} // namespace lockstep::ui
