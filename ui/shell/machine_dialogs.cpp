#include "ui/shell/machine_dialogs.h"

#include "session/commands/doctor_report.h"
#include "ui/pages/doctor_dialog.h"

namespace lockstep::ui {

void showMachine(const QString& storeFolder, QWidget& parent)
{
    auto* dialog = new DoctorDialog([storeFolder] { return session::examineMachine(storeFolder); }, &parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
    dialog->examine();
}

} // namespace lockstep::ui
