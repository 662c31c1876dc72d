#include "ui/models/form/titles.h"

#include "language/shown_names.h"
#include "ui/models/shown_text.h"

namespace lockstep::ui {

QString experimentTitle(const std::string& experiment)
{
    return shownName(language::experimentTitle(experiment, {}));
}

QString experimentTitle(const experiment::RunSpec& run)
{
    return shownName(language::experimentTitle(run));
}

QString variantTitle(const experiment::RunSpec& run)
{
    return shownName(language::shownName(run));
}

QString variantTitle(const analysis::RunRecord& run)
{
    return run.label.empty() ? variantTitle(run.spec) : shownName(run.label);
}

QString runName(const analysis::RunRecord& run)
{
    const bool isNumbered = run.label.empty() && run.spec.repeat > 0;
    const QString title = variantTitle(run);
    return isNumbered ? QStringLiteral("%1 #%2").arg(title).arg(run.spec.repeat + 1) : title;
}

} // namespace lockstep::ui
