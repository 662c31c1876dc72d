#include "ui/shell/machine_dialogs.h"

#include "launch/machine/doctor_report.h"
#include "ui/pages/machine/doctor_dialog.h"

namespace lockstep::ui {

void showMachine(const QString& storeFolder, QWidget& parent)
{
    auto* dialog = new DoctorDialog([storeFolder] { return launch::examineMachine(storeFolder); }, &parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
    dialog->examine();
}

} // namespace lockstep::ui
