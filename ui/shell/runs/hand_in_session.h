// Handing in: prepares what is handed in, in the store's thread, shows it, and writes the file and the report. Lives as
// long as its dialog. GUI thread only.
#pragma once

#include "laboratory/hand_in.h"
#include "store/account/delta.h"
#include "ui/export/report/report_pictures.h"

#include <QObject>
#include <QString>

#include <memory>
#include <utility>
#include <vector>

namespace lockstep::ui {

class HandInDialog;
class LaboratoryModel;
class RunController;
class RunFeed;

class HandInSession : public QObject {
    Q_OBJECT

public:
    /// Opens its dialog over the window, which owns both. The model may go before.
    HandInSession(LaboratoryModel& model, RunController& controller, QWidget& window);
    ~HandInSession() override;

    void start();

Q_SIGNALS:
    /// Names and numbers are to be asked for, over this dialog.
    void studentsRequested(QWidget* dialog);

private:
    using Curves = std::vector<std::pair<analysis::RunRecord, store::DeltaPtr>>; ///< kept: it may be written again
    /// What the store's thread has prepared.
    struct Prepared {
        Result<laboratory::HandInDraft> draft;
        Curves runs;
    };

    void prepare();
    void show(std::shared_ptr<Prepared> prepared);
    void write();
    void writeReport();
    [[nodiscard]] ReportCharts drawCharts(
        report::Report& report, const report::Source& source, const std::vector<RunFeed*>& feeds) const;
    [[nodiscard]] Result<QStringList> reportInto(const QString& folder) const;

    LaboratoryModel& m_model;
    RunController& m_controller;
    HandInDialog* m_dialog;
    std::vector<laboratory::Student> m_students; ///< of what was prepared
    std::shared_ptr<Prepared> m_prepared; ///< null: not yet
    int m_request = 0; ///< of the newest prepare(); what earlier ones prepared is dropped
};

} // namespace lockstep::ui
