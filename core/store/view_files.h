// The views that a user has saved, as files of a run store: its folder `views`. What is in one is the window's
// (ui/shell/views/saved_views.h); here is what a bundle must know of it. Any thread.
#pragma once

#include "base/ids.h"
#include "base/result.h"

#include <QByteArray>
#include <QString>

#include <vector>

namespace lockstep::store {

inline constexpr int ViewVersion = 1;
inline constexpr qint64 LargestView = 1 << 20;

struct ViewFile {
    QString name;
    std::vector<RunId> runs; ///< that it draws
    QByteArray json;

    /// The same view under another name.
    [[nodiscard]] ViewFile named(const QString& other) const;
};

/// Refuses what is not JSON or of a later version, entries that no view has, and names and runs that cannot be.
[[nodiscard]] Result<ViewFile> viewFileFrom(const QByteArray& json);

[[nodiscard]] QString viewsFolder(const QString& storeFolder);
/// Its path: a name may have what a file's name may not.
[[nodiscard]] QString viewPath(const QString& storeFolder, const QString& name);
/// By name; files that are no views are left out.
[[nodiscard]] std::vector<ViewFile> viewsIn(const QString& storeFolder);
/// In the place of the view of that name. Error: what was there is unchanged.
[[nodiscard]] Result<void> writeView(const QString& storeFolder, const QString& name, const QByteArray& json);

} // namespace lockstep::store
