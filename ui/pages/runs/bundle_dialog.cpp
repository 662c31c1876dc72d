#include "ui/pages/runs/bundle_dialog.h"

#include "analysis/numbers.h"
#include "ui/models/runs/run_columns.h"
#include "ui/models/shown_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

namespace lockstep::ui {

BundleDialog::BundleDialog(QWidget* parent)
    : QDialog(parent)
    , m_state(plainLabel(this))
    , m_runs(new QTableWidget(0, 4, this))
    , m_rest(plainLabel(this))
    , m_names(new QCheckBox(tr("Keep the names of hosts and users, and the ids of GPUs"), this))
    , m_save(new QPushButton(tr("Save…"), this))
{
    setObjectName(QStringLiteral("bundle"));
    setWindowTitle(tr("Save runs as a bundle"));
    m_runs->setHorizontalHeaderLabels({tr("Run"), tr("Status"), tr("Steps"), tr("Size")});
    m_runs->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_runs->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_runs->verticalHeader()->hide();
    m_runs->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_runs->setSelectionMode(QAbstractItemView::NoSelection);
    m_runs->setFont(tabularFont(font()));
    describe(*m_runs, tr("Runs of the bundle"), tr("The runs that the file will contain, and the size of each."));
    describe(*m_names, m_names->text(), tr("If unticked, the file does not contain them."));
    for (QLabel* label : {m_state, m_rest}) {
        label->setWordWrap(true);
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    buttons->addButton(m_save, QDialogButtonBox::ActionRole);
    m_save->setDefault(true);
    auto* layout = new QVBoxLayout(this);
    addAll(*layout, {m_state, {m_runs, 1}, m_rest, m_names, buttons});
    resize(560, 420);
    connect(m_names, &QCheckBox::toggled, this, &BundleDialog::prepare);
    connect(m_save, &QPushButton::clicked, this, &BundleDialog::choosePath);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void BundleDialog::prepare()
{
    m_state->setText(tr("The runs are being copied…"));
    m_save->setEnabled(false);
    m_names->setEnabled(false);
    Q_EMIT draftRequested(m_names->isChecked() ? exchange::Names::Keep : exchange::Names::LeaveOut);
}

void BundleDialog::showContents(const exchange::BundleContents& contents)
{
    m_state->setText(
        tr("One file with everything below, to be opened on another machine. Opening it starts no program."));
    m_save->setEnabled(true);
    m_names->setEnabled(true);
    m_runs->setRowCount(static_cast<int>(contents.runs.size()));
    for (int row = 0; row < m_runs->rowCount(); ++row) {
        const auto& [run, bytes] = contents.runs[static_cast<std::size_t>(row)];
        const QString name = shownName(run.name);
        const auto status = analysis::statusFromName(run.status);
        const QStringList texts{run.repeat > 0 ? QStringLiteral("%1 #%2").arg(name).arg(run.repeat + 1) : name,
            status ? statusText(*status) : shownName(run.status), locale().toString(run.steps),
            QString::fromStdString(analysis::bytesText(static_cast<double>(bytes)))};
        for (int column = 0; column < texts.size(); ++column) {
            auto* item = new QTableWidgetItem(texts[column]);
            item->setTextAlignment((column < 2 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            m_runs->setItem(row, column, item);
        }
    }
    QStringList lines{tr("Experiments: %1").arg(contents.specs)};
    if (!contents.views.isEmpty()) {
        lines += tr("Saved views: %1").arg(contents.views.join(tr(", ")));
    }
    for (const std::string& machine : contents.environment) {
        lines += tr("Measured on: %1").arg(shownName(machine));
    }
    lines += tr("Texts in which a home folder is shortened to ~: %1").arg(contents.homes);
    if (contents.names == exchange::Names::LeaveOut) {
        lines += tr("Names of hosts that are left out: %1").arg(contents.hosts);
    }
    m_rest->setText(lines.join(u'\n'));
}

void BundleDialog::showError(const QString& message)
{
    m_state->setText(message);
    m_names->setEnabled(true);
}

void BundleDialog::choosePath()
{
    auto* dialog = new QFileDialog(this, tr("Save runs as a bundle"), QString(), tr("Bundles (*.lockstep)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("lockstep"));
    dialog->selectFile(QStringLiteral("runs.lockstep"));
    connect(dialog, &QFileDialog::fileSelected, this, &BundleDialog::writeRequested);
    dialog->open();
}

} // namespace lockstep::ui
