// Names of a legend that have to be short. Private to ui/charts and ui/export.
#pragma once

#include <QString>
#include <QStringList>

#include <functional>

namespace lockstep::ui {

/// As they are if all fit; else without the words that all begin or end with, and then as shortNames(). Names that
/// differ stay different: the last means is a number after what fits.
[[nodiscard]] QStringList legendNames(const QStringList& names, const std::function<bool(const QString&)>& fits);

} // namespace lockstep::ui
