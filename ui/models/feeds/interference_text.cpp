#include "ui/models/feeds/interference_text.h"

#include <QCoreApplication>
#include <QStringList>

namespace lockstep::ui {

namespace {

class InterferenceTexts {
    Q_DECLARE_TR_FUNCTIONS(Interference)
};

} // namespace

QString interferenceText(const analysis::Interference& interference)
{
    QStringList parts;
    if (interference.isPaused) {
        parts += InterferenceTexts::tr("paused");
    }
    if (interference.isSlowed) {
        parts += InterferenceTexts::tr("slowed down");
    }
    if (interference.isLinkChanged) {
        parts += InterferenceTexts::tr("link changed");
    }
    return parts.join(QStringLiteral(", "));
}

QString markedName(const QString& name, const analysis::Interference& interference)
{
    return interference.any() ? QStringLiteral("%1 (%2)").arg(name, interferenceText(interference)) : name;
}

QString markedName(const QString& name, const analysis::RunRecord& run)
{
    QStringList parts;
    if (!run.importedFrom.empty()) {
        parts += InterferenceTexts::tr("imported");
    }
    if (run.summary.interference.any()) {
        parts += interferenceText(run.summary.interference);
    }
    return parts.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, parts.join(QStringLiteral(", ")));
}

} // namespace lockstep::ui
