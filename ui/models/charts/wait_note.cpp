#include "ui/models/charts/wait_note.h"

#include <QCoreApplication>

namespace lockstep::ui {

namespace {

class WaitTexts {
    Q_DECLARE_TR_FUNCTIONS(WaitNote)
};

} // namespace

QString waitNote(QStringList names)
{
    names.removeDuplicates();
    return names.isEmpty()
        ? QString()
        : WaitTexts::tr("Communication includes waiting, which cannot be separated: %1").arg(names.join(u", "));
}

} // namespace lockstep::ui
