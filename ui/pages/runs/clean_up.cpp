#include "ui/pages/runs/clean_up.h"

#include "analysis/table/retention.h"
#include "base/clock.h"
#include "ui/models/runs/runs_table_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plain_label.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

namespace lockstep::ui {

namespace {

QString cleanUpText(const char* text, int n = -1)
{
    return QCoreApplication::translate("CleanUp", text, nullptr, n);
}

/// The rule's fields, and the runs that it would delete.
class CleanUp : public QDialog {
public:
    CleanUp(const RunsTableModel& model, QWidget* parent, std::function<void(const std::vector<RunId>&)> deleteRuns)
        : QDialog(parent)
        , m_model(model)
        , m_deleteRuns(std::move(deleteRuns))
        , m_days(new QSpinBox(this))
        , m_keep(new QSpinBox(this))
        , m_unfinished(new QCheckBox(this))
        , m_result(plainLabel(this))
        , m_buttons(new QDialogButtonBox(QDialogButtonBox::Cancel, this))
    {
        setAttribute(Qt::WA_DeleteOnClose);
        setWindowTitle(cleanUpText(QT_TRANSLATE_NOOP("CleanUp", "Delete old runs")));
        m_days->setRange(0, 3650);
        m_days->setValue(analysis::RetentionRule{}.olderThanDays);
        m_days->setSuffix(u' ' + cleanUpText(QT_TRANSLATE_NOOP("CleanUp", "days")));
        m_keep->setRange(0, 1000);
        m_keep->setValue(analysis::RetentionRule{}.keepNewest);
        m_unfinished->setText(
            cleanUpText(QT_TRANSLATE_NOOP("CleanUp", "Also all failed, stopped and interrupted runs")));
        describe(*m_days, cleanUpText("Older than"),
            cleanUpText(QT_TRANSLATE_NOOP("CleanUp", "Age from which runs are deleted.")));
        describe(*m_keep, cleanUpText("Keep the newest of each variant"),
            cleanUpText(
                QT_TRANSLATE_NOOP("CleanUp", "Number of newest runs of each variant to keep, however old they are.")));
        describe(*m_unfinished, m_unfinished->text(),
            cleanUpText(QT_TRANSLATE_NOOP("CleanUp", "Deletes runs without a result whatever their age.")));
        m_result->setWordWrap(true);
        m_delete
            = m_buttons->addButton(cleanUpText(QT_TRANSLATE_NOOP("CleanUp", "Delete")), QDialogButtonBox::AcceptRole);
        auto* form = new QFormLayout(this);
        form->addRow(cleanUpText(QT_TRANSLATE_NOOP("CleanUp", "Older than")), m_days);
        form->addRow(cleanUpText(QT_TRANSLATE_NOOP("CleanUp", "Keep the newest of each variant")), m_keep);
        form->addRow(m_unfinished);
        form->addRow(m_result);
        form->addRow(m_buttons);
        connect(m_days, &QSpinBox::valueChanged, this, [this] { showResult(); });
        connect(m_keep, &QSpinBox::valueChanged, this, [this] { showResult(); });
        connect(m_unfinished, &QCheckBox::toggled, this, [this] { showResult(); });
        connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
        connect(m_buttons, &QDialogButtonBox::accepted, this, [this] {
            m_deleteRuns(going());
            close();
        });
        showResult();
    }

private:
    [[nodiscard]] std::vector<RunId> going() const
    {
        return analysis::runsToDelete(
            m_model.records(), {m_days->value(), m_keep->value(), m_unfinished->isChecked()}, wallNs());
    }

    void showResult()
    {
        const auto count = static_cast<int>(going().size());
        m_result->setText(
            cleanUpText(QT_TRANSLATE_N_NOOP("CleanUp", "%n runs will be deleted; this can be undone."), count) + u' '
            + cleanUpText(QT_TRANSLATE_NOOP("CleanUp", "Pinned and tagged runs are always kept.")));
        m_delete->setEnabled(count > 0);
    }

    const RunsTableModel& m_model;
    const std::function<void(const std::vector<RunId>&)> m_deleteRuns;
    QSpinBox* m_days;
    QSpinBox* m_keep;
    QCheckBox* m_unfinished;
    QLabel* m_result;
    QDialogButtonBox* m_buttons;
    QPushButton* m_delete;
};

} // namespace

void openCleanUp(
    const RunsTableModel& model, QWidget* parent, const std::function<void(const std::vector<RunId>&)>& deleteRuns)
{
    (new CleanUp(model, parent, deleteRuns))->show();
}

} // namespace lockstep::ui
