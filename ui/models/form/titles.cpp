#include "ui/models/form/titles.h"

#include "language/names.h"

namespace lockstep::ui {

QString experimentTitle(const std::string& experiment)
{
    return QString::fromStdString(language::experimentTitle(experiment, {}));
}

QString experimentTitle(const experiment::RunSpec& run)
{
    return QString::fromStdString(language::experimentTitle(run));
}

QString variantTitle(const experiment::RunSpec& run)
{
    return QString::fromStdString(language::shownName(run));
}

QString variantTitle(const analysis::RunRecord& run)
{
    return run.label.empty() ? variantTitle(run.spec) : QString::fromStdString(run.label);
}

QString runName(const analysis::RunRecord& run)
{
    const bool isNumbered = run.label.empty() && run.spec.repeat > 0;
    const QString title = variantTitle(run);
    return isNumbered ? QStringLiteral("%1 #%2").arg(title).arg(run.spec.repeat + 1) : title;
}

} // namespace lockstep::ui
