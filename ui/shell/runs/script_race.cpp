#include "ui/shell/runs/script_race.h"

#include "ui/pages/message_strip.h"
#include "ui/pages/report/script_dialog.h"
#include "ui/shell/runs/run_controller.h"

#include <QCoreApplication>

namespace lockstep::ui {

void showAsPytorch(QWidget& window, const ScriptRace& race, std::vector<experiment::RunSpec> runs)
{
    if (runs.size() > 1) {
        std::erase_if(runs, [](const experiment::RunSpec& run) { return run.repeat > 0; });
    }
    if (runs.empty()) {
        return;
    }
    auto* dialog = new ScriptDialog(std::move(runs), race.folder + QStringLiteral("/scripts"), &window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(
        dialog, &ScriptDialog::raceRequested, &window, [race](const std::vector<experiment::RunSpec>& both) {
            if (race.controller.isBusy()) {
                race.strip.showMessage(Tone::Information,
                    QCoreApplication::translate(
                        "ScriptRace", "Runs are in progress. Race the script when they have ended."));
            } else {
                race.controller.start(both);
            }
        });
    dialog->show();
}

} // namespace lockstep::ui
