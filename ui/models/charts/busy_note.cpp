#include "ui/models/charts/busy_note.h"

#include "analysis/timing/machine_load.h"
#include "ui/models/form/titles.h"

#include <QCoreApplication>
#include <QStringList>

namespace lockstep::ui {

namespace {

class BusyTexts {
    Q_DECLARE_TR_FUNCTIONS(BusyNote)
};

/// Of more, the first are named.
constexpr qsizetype MostBusyNamed = 6;

} // namespace

QString busyNote(const Feeds& feeds)
{
    QStringList names;
    for (const RunFeed* feed : feeds) {
        const analysis::RunRecord& run = feed->record();
        if (analysis::wasMachineBusy(run)) {
            names += variantTitle(run);
        }
    }
    names.removeDuplicates();
    if (names.isEmpty()) {
        return {};
    }
    const bool areMore = names.size() > MostBusyNamed;
    return BusyTexts::tr("Measured while the machine was busy with other work: %1")
        .arg(
            names.first(qMin(names.size(), MostBusyNamed)).join(u", ") + (areMore ? QStringLiteral(", …") : QString()));
}

} // namespace lockstep::ui
