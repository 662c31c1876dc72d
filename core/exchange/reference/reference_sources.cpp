#include "exchange/reference/reference_sources.h"

#include "base/translate.h"
#include "exchange/reference/reference_curves.h"

#include <QCollator>
#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QLocale>

#include <algorithm>
#include <array>
#include <map>

namespace lockstep::exchange {

namespace {

using namespace Qt::StringLiterals;

constexpr qsizetype MostFoldersInName = 3;

/// As loggers name the only file of their folder.
bool isGenericName(const QString& stem)
{
    static constexpr std::array<QLatin1StringView, 8> Generic{QLatin1StringView("metrics"), QLatin1StringView("log"),
        QLatin1StringView("logs"), QLatin1StringView("history"), QLatin1StringView("results"),
        QLatin1StringView("progress"), QLatin1StringView("scalars"), QLatin1StringView("training_log")};
    return std::ranges::any_of(
        Generic, [&](QLatin1StringView each) { return stem.compare(each, Qt::CaseInsensitive) == 0; });
}

void sortByName(QStringList& paths)
{
    QCollator collator(QLocale(QLocale::English));
    collator.setNumericMode(true); // version_10 comes after version_9
    std::ranges::stable_sort(paths, collator);
}

/// A source with what its name may be made of.
struct NameParts {
    QStringList folders; ///< the innermost first
    QString stem; ///< empty: it says nothing
    qsizetype used = 0; ///< folders in the name

    [[nodiscard]] QString text() const
    {
        QString name = stem;
        for (qsizetype i = 0; i < used; ++i) {
            name = name.isEmpty() ? folders[i] : folders[i] + u'/' + name;
        }
        return name;
    }
    [[nodiscard]] bool canGrow() const { return used < std::min(folders.size(), MostFoldersInName); }
};

NameParts partsOf(const ReferenceSource& source)
{
    const QFileInfo file(source.files.front());
    NameParts parts;
    parts.folders = QDir::cleanPath(file.absolutePath()).split(u'/', Qt::SkipEmptyParts);
    std::ranges::reverse(parts.folders);
    parts.stem = stemOf(source.files.front());
    const bool saysNothing = isGenericName(parts.stem) || !isCurveTable(source.files.front());
    if (saysNothing && !parts.folders.isEmpty()) {
        parts.stem.clear();
        parts.used = 1;
    }
    return parts;
}

std::map<QString, int> countsOf(const std::vector<NameParts>& names)
{
    std::map<QString, int> counts;
    for (const NameParts& each : names) {
        ++counts[each.text()];
    }
    return counts;
}

/// One round of longer names for those that are equal; false if all differ, or none can grow.
bool lengthen(std::vector<NameParts>& names, const std::set<QString>& taken)
{
    const auto counts = countsOf(names);
    bool hasChanged = false;
    for (NameParts& each : names) {
        const QString text = each.text();
        if ((counts.at(text) > 1 || taken.contains(text)) && each.canGrow()) {
            ++each.used;
            hasChanged = true;
        }
    }
    return hasChanged;
}

} // namespace

QString withoutGz(const QString& path)
{
    return path.endsWith(u".gz"_s, Qt::CaseInsensitive) ? path.chopped(3) : path;
}

QString stemOf(const QString& path)
{
    return QFileInfo(withoutGz(path)).completeBaseName();
}

Result<QStringList> referenceFilesIn(const QString& folder)
{
    QStringList files;
    QDirIterator each(folder, QDir::Files | QDir::NoSymLinks, QDirIterator::Subdirectories);
    while (each.hasNext()) {
        const QString path = each.next();
        if (!isCurveTable(path) && !isEventFile(path)) {
            continue;
        }
        if (files.size() == MaxReferenceFiles) {
            return failure(LS_TR("Messages", "%1 has more than %2 files of curves"),
                {verbatim(folder.toStdString()), MaxReferenceFiles});
        }
        files += path;
    }
    sortByName(files);
    return files;
}

std::vector<ReferenceSource> sourcesOf(const QStringList& files, const std::set<QString>& taken)
{
    std::vector<ReferenceSource> sources;
    std::map<QString, std::size_t> logFolders; ///< sources of event files
    for (const QString& file : files) {
        const auto [folder, isNew] = isCurveTable(file)
            ? std::pair(logFolders.end(), true)
            : logFolders.try_emplace(QFileInfo(file).absolutePath(), sources.size());
        if (isNew) {
            sources.push_back({{file}, {}});
        } else {
            sources[folder->second].files += file;
        }
    }
    std::vector<NameParts> names;
    for (ReferenceSource& source : sources) {
        sortByName(source.files);
        names.push_back(partsOf(source));
    }
    while (lengthen(names, taken)) { }
    std::set<QString> used = taken;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const QString name = names[i].text();
        sources[i].name = name;
        for (int number = 2; !used.insert(sources[i].name).second; ++number) {
            sources[i].name = u"%1 (%2)"_s.arg(name).arg(number);
        }
    }
    return sources;
}

} // namespace lockstep::exchange
