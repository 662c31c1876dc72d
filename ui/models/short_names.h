// Names that are too long for their place: what is cut is never the part in which they differ.
#pragma once

#include <QString>
#include <QStringList>

#include <functional>

namespace lockstep::ui {

/// Each name, or where it does not fit a shorter one: first without the parts that all have (`4 ranks` of `Ring, 4
/// ranks`), then with `…` for what all begin and end with, then for what is not needed to tell it from the others.
/// Names that differ stay different, even where a name then does not fit.
[[nodiscard]] QStringList shortNames(const QStringList& names, const std::function<bool(const QString&)>& fits);

} // namespace lockstep::ui
