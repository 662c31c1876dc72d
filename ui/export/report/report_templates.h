// The templates for reports: the built-in ones, and the user's files.
#pragma once

#include "base/result.h"
#include "exchange/report/template.h"

#include <QString>
#include <QStringList>

namespace lockstep::ui {

/// The user's own templates lie here, as NAME.json.
[[nodiscard]] QString templateFolder();
/// Names of the built-in templates, then the paths of those in templateFolder().
[[nodiscard]] QStringList templateChoices();

/// A built-in template's name, a name in templateFolder(), or a file. Error: what is wrong with the file, or all names.
[[nodiscard]] Result<report::Template> readTemplate(const QString& nameOrFile);

} // namespace lockstep::ui
