#include "ui/pages/charts/annotations_dialog.h"

#include "ui/models/charts/chart_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

class AnnotationsDialog : public QDialog {
    Q_DECLARE_TR_FUNCTIONS(Annotations)

public:
    AnnotationsDialog(ChartModel& model, double place, QWidget* parent, std::function<void()> changed)
        : QDialog(parent)
        , m_model(model)
        , m_changed(std::move(changed))
        , m_table(new QTableWidget(0, 2, this))
        , m_experiment(model.experiment())
    {
        setAttribute(Qt::WA_DeleteOnClose);
        setWindowTitle(tr("Annotations"));
        auto* help
            = plainLabel(tr("Your own remarks, drawn at their positions in this chart, on screen and on paper."), this);
        help->setWordWrap(true);
        describe(*m_table, tr("Annotations"), tr("Place on the horizontal axis, and text. Type to change a cell."));
        const QString axis = model.chart(ChartWindow{}).x.label;
        m_table->setHorizontalHeaderLabels({axis, tr("Text")});
        m_table->horizontalHeader()->setStretchLastSection(true);
        m_table->verticalHeader()->hide();
        m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
        m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::SelectedClicked
            | QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);
        for (const Annotation& each : model.options().annotations) {
            if (isOurs(each)) {
                addRow(each.x, each.text);
            }
        }
        auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
        auto* add = buttons->addButton(tr("Add"), QDialogButtonBox::ActionRole);
        m_remove = buttons->addButton(tr("Remove"), QDialogButtonBox::ActionRole);
        describe(*add, tr("Add an annotation"), tr("Adds one in the middle of what the chart shows."));
        describe(*m_remove, tr("Remove an annotation"), tr("Removes the one that is selected."));
        auto* layout = new QVBoxLayout(this);
        addAll(*layout, {help, {m_table, 1}, buttons});
        resize(460, 300);
        connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
        connect(add, &QPushButton::clicked, this, [this, place] {
            addRow(place, tr("Remark"));
            apply();
            m_table->setCurrentCell(m_table->rowCount() - 1, 1);
            m_table->setFocus();
            m_table->editItem(m_table->currentItem());
        });
        connect(m_remove, &QPushButton::clicked, this, [this] {
            m_table->removeRow(m_table->currentRow());
            apply();
        });
        connect(m_table, &QTableWidget::cellChanged, this, [this] { apply(); });
        m_remove->setEnabled(m_table->rowCount() > 0);
        add->setEnabled(!m_experiment.empty()); // an annotation belongs to an experiment
    }

private:
    [[nodiscard]] bool isOurs(const Annotation& each) const
    {
        return each.experiment == m_experiment && each.axis == m_model.options().x;
    }

    void addRow(double x, const QString& text)
    {
        const QSignalBlocker quiet(m_table);
        const int row = m_table->rowCount();
        m_table->insertRow(row);
        auto* place = new QTableWidgetItem;
        place->setData(Qt::EditRole, x);
        m_table->setItem(row, 0, place);
        m_table->setItem(row, 1, new QTableWidgetItem(text));
    }

    /// A place that is no number is left out.
    void apply()
    {
        ChartOptions options = m_model.options();
        std::erase_if(options.annotations, [this](const Annotation& each) { return isOurs(each); });
        for (int row = 0; row < m_table->rowCount(); ++row) {
            bool isNumber = false;
            const double x = m_table->item(row, 0)->data(Qt::EditRole).toDouble(&isNumber);
            const QString text = m_table->item(row, 1)->text().simplified();
            if (isNumber && std::isfinite(x) && !text.isEmpty()) {
                options.annotations.push_back({m_experiment, options.x, x, text});
            }
        }
        m_remove->setEnabled(m_table->rowCount() > 0);
        m_model.setOptions(options);
        m_changed();
    }

    ChartModel& m_model;
    std::function<void()> m_changed;
    QTableWidget* m_table;
    std::string m_experiment;
    QPushButton* m_remove = nullptr;
};

} // namespace

void openAnnotations(ChartModel& model, double place, QWidget* parent, const std::function<void()>& changed)
{
    (new AnnotationsDialog(model, place, parent, changed))->open();
}

} // namespace lockstep::ui
