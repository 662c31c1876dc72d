#include "ui/models/form/experiment_shelf.h"

#include "experiment/spec.h"
#include "language/language.h"
#include "ui/models/background_pool.h"
#include "ui/models/form/experiment_document.h"
#include "ui/models/shown_text.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QPointer>
#include <QSettings>
#include <QStandardPaths>
#include <QThreadPool>

#include <utility>

namespace lockstep::ui {

namespace {

constexpr qint64 LargestFile = 4 << 20;
constexpr int MostFiles = 200; ///< of a folder; a folder of results is not a course
const QString MineKey = QStringLiteral("experiments/mine");
const QString CourseKey = QStringLiteral("experiments/course");

ShelfEntry entryOf(const QString& path)
{
    ShelfEntry entry{path, shownName(QFileInfo(path).completeBaseName()), {}, {}};
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly) || file.size() > LargestFile) {
        entry.error = file.isOpen() ? ExperimentShelf::tr("larger than 4 MiB") : file.errorString();
        return entry;
    }
    const auto spec = experiment::parseSpec(file.readAll().toStdString());
    if (!spec) {
        entry.error = QString::fromStdString(language::errorLine(spec.error()));
        return entry;
    }
    const QString title = wordingText(spec->about.title);
    entry.title = title.isEmpty() ? entry.title : title;
    entry.question = wordingText(spec->about.question);
    return entry;
}

std::vector<ShelfEntry> entriesIn(const QString& folder)
{
    std::vector<ShelfEntry> entries;
    const auto files = QDir(folder).entryInfoList({QStringLiteral("*.json")}, QDir::Files | QDir::Readable, QDir::Name);
    for (const QFileInfo& file : files.mid(0, MostFiles)) {
        entries.push_back(entryOf(file.absoluteFilePath()));
    }
    return entries;
}

QStringList courseFolders()
{
    return QSettings().value(CourseKey).toStringList();
}

} // namespace

QString ExperimentShelf::mineFolder()
{
    const QString chosen = QSettings().value(MineKey).toString();
    return chosen.isEmpty()
        ? QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/experiments")
        : chosen;
}

ExperimentShelf::ExperimentShelf(QObject* parent)
    : QObject(parent)
{
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &ExperimentShelf::refresh);
}

QString ExperimentShelf::freePath(const QString& fileName)
{
    const QDir mine(mineFolder());
    QString name = fileName;
    for (int number = 2; mine.exists(name); ++number) {
        name = QStringLiteral("%1-%2.json").arg(QFileInfo(fileName).completeBaseName()).arg(number);
    }
    return mine.filePath(name);
}

QString ExperimentShelf::add(const QString& path)
{
    const QFileInfo info(path);
    if (info.isDir()) {
        QStringList folders = courseFolders();
        if (!folders.contains(info.absoluteFilePath())) {
            QSettings().setValue(CourseKey, folders << info.absoluteFilePath());
        }
        refresh();
        return {};
    }
    const QDir mine(mineFolder());
    if (!info.isFile() || info.absoluteDir() == mine || !mine.mkpath(QStringLiteral("."))) {
        return path;
    }
    const QString copy = freePath(info.fileName());
    if (!QFile::copy(path, copy)) {
        return path;
    }
    refresh();
    return copy;
}

void ExperimentShelf::refresh()
{
    const int generation = ++m_generation;
    const QString mine = mineFolder();
    const QStringList course = courseFolders();
    if (!m_watcher.directories().isEmpty()) {
        m_watcher.removePaths(m_watcher.directories());
    }
    QStringList folders;
    for (const QString& folder : QStringList(mine) + course) {
        if (QFileInfo(folder).isDir()) {
            folders += folder;
        }
    }
    if (!folders.isEmpty()) {
        m_watcher.addPaths(folders);
    }
    QPointer<ExperimentShelf> self(this);
    backgroundPool().start([self, generation, mine, course] {
        std::vector<ShelfEntry> own = entriesIn(mine);
        std::vector<ShelfEntry> given;
        for (const QString& folder : course) {
            for (ShelfEntry& entry : entriesIn(folder)) {
                given.push_back(std::move(entry));
            }
        }
        QMetaObject::invokeMethod(
            qApp,
            [self, generation, own = std::move(own), given = std::move(given)] {
                if (self != nullptr) {
                    self->put(generation, own, given);
                }
            },
            Qt::QueuedConnection);
    });
}

void ExperimentShelf::put(int generation, std::vector<ShelfEntry> mine, std::vector<ShelfEntry> course)
{
    if (generation == m_generation) {
        m_mine = std::move(mine);
        m_course = std::move(course);
        Q_EMIT listed();
    }
}

} // namespace lockstep::ui
