// Which files become which runs, and how these are named. Private to the folder.
#pragma once

#include "base/result.h"

#include <QString>
#include <QStringList>

#include <set>
#include <vector>

namespace lockstep::exchange {

/// The most files of one folder that are read.
inline constexpr int MaxReferenceFiles = 1000;

/// A table, or the event files of one folder.
struct ReferenceSource {
    QStringList files; ///< in the order of their names
    QString name; ///< of the run
};

/// The name of a file without folder and suffix; `a` of `a.csv.gz`.
[[nodiscard]] QString stemOf(const QString& path);
[[nodiscard]] QString withoutGz(const QString& path);

/// The tables and event files of a folder and those in it, in the order of their names; links are not followed.
[[nodiscard]] Result<QStringList> referenceFilesIn(const QString& folder);

/// A source a table and a folder of event files. A name that says nothing, such as metrics.csv, is replaced by its
/// folder's; the folder's name stands before equal names, also names of `taken`, the runs that are there.
[[nodiscard]] std::vector<ReferenceSource> sourcesOf(const QStringList& files, const std::set<QString>& taken);

} // namespace lockstep::exchange
