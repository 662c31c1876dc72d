#include "ui/forms/experiment_form.h"

#include "datasets/registry.h"
#include "experiment/dataset_folder.h"
#include "ui/forms/about_editor.h"
#include "ui/forms/download_row.h"
#include "ui/forms/own_parameters_row.h"
#include "ui/forms/parameter_field.h"
#include "ui/forms/parameter_form.h"
#include "ui/forms/variants_editor.h"
#include "ui/models/form/form_model.h"
#include "ui/models/runs/run_cost.h"
#include "ui/models/shown_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lockstep::ui {

namespace {

/// As wide as its contents need, so that the scroll bar covers nothing.
class FittingScrollArea : public QScrollArea {
public:
    using QScrollArea::QScrollArea;

    QSize minimumSizeHint() const override
    {
        const int content = widget() == nullptr ? 0 : widget()->minimumSizeHint().width();
        return {content + verticalScrollBar()->sizeHint().width(), QScrollArea::minimumSizeHint().height()};
    }

protected:
    bool eventFilter(QObject* object, QEvent* event) override
    {
        if (object == widget() && event->type() == QEvent::LayoutRequest) {
            updateGeometry();
        }
        return QScrollArea::eventFilter(object, event);
    }
};

} // namespace

ExperimentForm::ExperimentForm(FormModel& model, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeHeader());
    m_scroll = new FittingScrollArea(this);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setWidget(makeContent());
    m_scroll->setFocusPolicy(Qt::NoFocus);
    layout->addWidget(m_scroll, 1);
    m_help = plainLabel(this);
    m_help->setWordWrap(true);
    m_help->setMargin(0);
    m_help->setForegroundRole(QPalette::PlaceholderText);
    m_help->setContentsMargins(14, 6, 14, 4);
    m_help->hide();
    layout->addWidget(m_help);
    m_estimate = plainLabel(this);
    m_estimate->setObjectName(QStringLiteral("estimate"));
    m_estimate->setWordWrap(true);
    m_estimate->setContentsMargins(14, 6, 14, 10);
    layout->addWidget(m_estimate);

    const auto showHelp = [this](const QString& help) {
        m_help->setText(help);
        m_help->setVisible(!help.isEmpty());
    };
    connect(m_form, &ParameterForm::helpAvailable, this, showHelp);
    connect(m_variants, &VariantsEditor::helpAvailable, this, showHelp);
    connect(m_repeats, &QSpinBox::valueChanged, this, [this](int repeats) { m_model.setRepeats(repeats); });
    connect(m_download, &DownloadRow::downloaded, this, &ExperimentForm::showDownload);
    connect(m_reset, &QToolButton::clicked, this, [this] { m_model.resetAll(); });
    connect(m_undo, &QToolButton::clicked, &m_model.undoStack(), &QUndoStack::undo);
    connect(m_redo, &QToolButton::clicked, &m_model.undoStack(), &QUndoStack::redo);
    connect(&m_model.undoStack(), &QUndoStack::indexChanged, this, &ExperimentForm::showState);
    connect(&m_model, &FormModel::changed, this, &ExperimentForm::showState);
    retranslate();
    showState();
}

QWidget* ExperimentForm::makeHeader()
{
    auto* header = new QWidget(this);
    auto* layout = new QHBoxLayout(header);
    layout->setContentsMargins(14, 6, 10, 0);
    m_heading = plainLabel(header);
    styleHeading(*m_heading);
    m_undo = makeHeaderButton(header, "undo");
    m_redo = makeHeaderButton(header, "redo");
    m_undo->setText(QStringLiteral("↶"));
    m_redo->setText(QStringLiteral("↷"));
    m_reset = makeHeaderButton(header, "reset");
    addAll(*layout, {{m_heading, 1}, m_undo, m_redo, m_reset});
    return header;
}

QToolButton* ExperimentForm::makeHeaderButton(QWidget* header, const char* name)
{
    auto* button = new QToolButton(header);
    button->setObjectName(QLatin1String(name));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    auto policy = button->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    button->setSizePolicy(policy);
    return button;
}

QWidget* ExperimentForm::makeContent()
{
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(14, 0, 10, 8);
    layout->setSpacing(2);
    const auto cost = [this](const experiment::Spec& spec) {
        const auto runs = experiment::expand(spec);
        return runs ? costOf(*runs, history()).text : QString();
    };
    m_variants = new VariantsEditor(m_model, cost, content);
    auto* repeats = new QHBoxLayout;
    repeats->setContentsMargins(0, 6, 0, 10);
    m_repeatsLabel = plainLabel(content);
    m_repeats = new QSpinBox(content);
    m_repeats->setObjectName(QStringLiteral("repeats"));
    m_repeats->setRange(1, 100);
    m_repeats->setAlignment(Qt::AlignRight);
    m_repeats->setMinimumWidth(64);
    m_repeats->installEventFilter(this);
    m_repeats->findChild<QLineEdit*>()->installEventFilter(this);
    m_repeatsLabel->setBuddy(m_repeats);
    repeats->addWidget(m_repeatsLabel, 1);
    repeats->addWidget(m_repeats);
    m_form = new ParameterForm(m_model, content);
    m_download = new DownloadRow(exchange::DownloadPlan::mnist(), content);
    m_form->insertBelow(nameOf(&experiment::DatasetSettings::name), m_download);
    m_form->insertBelow(nameOf(&experiment::RankSettings::program), new OwnParametersRow(m_model, content));
    addAll(*layout, {m_variants, repeats, m_form});
    layout->addWidget(new AboutEditor(m_model, content));
    layout->addStretch(1);
    return content;
}

void ExperimentForm::setColors(PaletteName palette)
{
    m_variants->setColors(palette);
}

void ExperimentForm::showEstimate(const std::vector<analysis::RunRecord>& history)
{
    m_history = &history;
    showCost();
}

std::span<const analysis::RunRecord> ExperimentForm::history() const
{
    return m_history == nullptr ? std::span<const analysis::RunRecord>() : *m_history;
}

void ExperimentForm::showCost()
{
    const RunCost cost = costOf(m_model.runs(), history());
    m_estimate->setVisible(!cost.text.isEmpty());
    m_estimate->setText(cost.text);
    m_estimate->setToolTip(
        tipText(cost.isMeasured ? tr("Estimated from runs measured on this machine.")
                                : tr("A rough estimate until a run has been measured on this machine.")));
}

void ExperimentForm::focusField(const std::string& name)
{
    m_form->focusField(name);
    // Once the fold that was opened for it is laid out.
    QTimer::singleShot(0, this, [this] {
        if (QWidget* field = m_form->focusWidget(); field != nullptr) {
            m_scroll->ensureWidgetVisible(field);
        }
    });
}

void ExperimentForm::showState()
{
    const QSignalBlocker blocker(m_repeats);
    m_repeats->setValue(m_model.repeats());
    m_reset->setVisible(m_model.isModified());
    const QUndoStack& undo = m_model.undoStack();
    m_undo->setEnabled(undo.canUndo());
    m_redo->setEnabled(undo.canRedo());
    describe(
        *m_undo, tr("Undo"), undo.canUndo() ? tr("Undo: %1 (Ctrl+Z)").arg(undo.undoText()) : tr("Nothing to undo."));
    describe(*m_redo, tr("Redo"),
        undo.canRedo() ? tr("Redo: %1 (Ctrl+Shift+Z)").arg(undo.redoText()) : tr("Nothing to redo."));
    showDownload();
}

/// Asks for MNIST or CIFAR only when it is wanted from where it is kept on this machine.
void ExperimentForm::showDownload()
{
    const FormRow* dataset = m_model.row(nameOf(&experiment::DatasetSettings::name));
    const FormRow* path = m_model.row(nameOf(&experiment::DatasetSettings::path));
    const auto isWanted = [&](experiment::DataSet set) {
        return dataset != nullptr && dataset->text.toStdString() == nameOf(set) && path != nullptr
            && path->text.trimmed().isEmpty();
    };
    const bool isMissing = isWanted(experiment::DataSet::Mnist) && m_download->isNeeded();
    m_download->setVisible(isMissing || m_download->isRunning());
    QString missing = isMissing ? tr("Download MNIST first, or choose the folder that contains it.") : QString();
    for (const datasets::DataSet& set : datasets::dataSets()) {
        if (set.archive.empty() || !isWanted(set.name)) {
            continue;
        }
        experiment::RunSpec run;
        run.settings.set(&experiment::DatasetSettings::name, set.name);
        if (!set.files(run)) {
            const QFileInfo folder(QString::fromStdString(experiment::imageFolder(run)));
            missing = tr("Unpack %1 into %2 first, or choose the folder that contains its files.")
                          .arg(QString::fromUtf8(set.archive), QDir::toNativeSeparators(folder.path()));
        }
    }
    m_model.setMissing(missing);
}

void ExperimentForm::retranslate()
{
    m_heading->setText(tr("PARAMETERS"));
    m_reset->setText(tr("Reset"));
    describe(*m_reset, tr("Reset all parameters"), tr("Restores all parameters to the values of the experiment."));
    m_repeatsLabel->setText(tr("Repeats (new seed each)"));
    describe(*m_repeats, tr("Repeats"),
        tr("How many times each variant is trained, each time with a new seed, for means and confidence intervals."));
}

bool ExperimentForm::eventFilter(QObject* watched, QEvent* event)
{
    return leavesUndoToTheForm(event) || QWidget::eventFilter(watched, event);
}

void ExperimentForm::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        showDownload();
        m_help->hide();
    }
}

} // namespace lockstep::ui
