#include "ui/shell/runs/stored_runs.h"

#include "laboratory/hidden_settings.h"
#include "ui/models/shown_text.h"
#include "ui/pages/runs/bundle_dialog.h"
#include "ui/pages/runs/run_differences.h"
#include "ui/shell/notices.h"
#include "ui/shell/runs/run_controller.h"

#include <QCoreApplication>
#include <QLabel>

#include <algorithm>

namespace lockstep::ui {

void saveBundle(const std::vector<RunId>& runs, RunController& controller, Notices& notices, QWidget& window)
{
    const auto hidden = laboratory::HiddenSettings::in(controller.store().folder());
    const auto isHidden = [&](const RunId& run) {
        const analysis::RunRecord* record = controller.table().record(run);
        return record != nullptr && hidden.hides(record->spec);
    };
    if (std::ranges::any_of(runs, isHidden)) {
        notices.showError(QCoreApplication::translate(
            "StoredRuns", "The laboratory hides settings of these runs: seal its questions about them first."));
        return;
    }
    StoreWorker& store = controller.store();
    auto* dialog = new BundleDialog(&window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &BundleDialog::draftRequested, &store,
        [&store, runs](exchange::Names names) { store.draftBundle(runs, names); });
    QObject::connect(dialog, &BundleDialog::writeRequested, &store, &StoreWorker::writeBundle);
    QObject::connect(dialog, &QDialog::finished, &store, &StoreWorker::dropBundle);
    QObject::connect(&store, &StoreWorker::bundleDrafted, dialog,
        [dialog](const BundleContentsPtr& contents) { dialog->showContents(*contents); });
    QObject::connect(&store, &StoreWorker::bundleFailed, dialog, &BundleDialog::showError);
    QObject::connect(&store, &StoreWorker::bundleWritten, dialog, [dialog, &notices](const QString& path) {
        dialog->accept();
        notices.showExported(path);
    });
    dialog->open();
    dialog->prepare();
}

void showDetails(const RunId& run, RunController& controller, QWidget& window)
{
    const analysis::RunRecord* record = controller.table().record(run);
    if (record == nullptr) {
        return;
    }
    QLabel* line = showRunDetails(*record, &window);
    QObject::connect(
        &controller.store(), &StoreWorker::environmentRead, line, [line, run](const RunId& id, const QString& text) {
            if (id == run) {
                line->setText(shownText(environmentText(text)));
            }
        });
    controller.store().readEnvironment(run);
}

} // namespace lockstep::ui
