#include "ui/forms/experiment_form.h"

#include "analysis/estimate.h"
#include "experiment/dataset_folder.h"
#include "session/session.h"
#include "ui/forms/download_row.h"
#include "ui/forms/own_parameters_row.h"
#include "ui/forms/parameter_form.h"
#include "ui/forms/variants_editor.h"
#include "ui/models/form_model.h"
#include "ui/models/numbers.h"
#include "ui/theme/theme.h"

#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

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
    auto* scroll = new FittingScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(makeContent());
    scroll->setFocusPolicy(Qt::NoFocus);
    layout->addWidget(scroll, 1);
    m_help = new QLabel(this);
    m_help->setWordWrap(true);
    m_help->setMargin(0);
    m_help->setForegroundRole(QPalette::PlaceholderText);
    m_help->setContentsMargins(14, 6, 14, 4);
    m_help->hide();
    layout->addWidget(m_help);
    m_estimate = new QLabel(this);
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
    connect(&m_model, &FormModel::changed, this, &ExperimentForm::showState);
    retranslate();
    showState();
}

QWidget* ExperimentForm::makeHeader()
{
    auto* header = new QWidget(this);
    auto* layout = new QHBoxLayout(header);
    layout->setContentsMargins(14, 6, 10, 0);
    m_heading = new QLabel(header);
    styleHeading(*m_heading);
    m_reset = new QToolButton(header);
    m_reset->setAutoRaise(true);
    m_reset->setFocusPolicy(Qt::StrongFocus);
    auto policy = m_reset->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    m_reset->setSizePolicy(policy);
    layout->addWidget(m_heading, 1);
    layout->addWidget(m_reset);
    return header;
}

QWidget* ExperimentForm::makeContent()
{
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(14, 0, 10, 8);
    layout->setSpacing(2);
    m_variants = new VariantsEditor(m_model, content);
    auto* repeats = new QHBoxLayout;
    repeats->setContentsMargins(0, 6, 0, 10);
    m_repeatsLabel = new QLabel(content);
    m_repeats = new QSpinBox(content);
    m_repeats->setObjectName(QStringLiteral("repeats"));
    m_repeats->setRange(1, 100);
    m_repeats->setAlignment(Qt::AlignRight);
    m_repeats->setMinimumWidth(64);
    m_repeatsLabel->setBuddy(m_repeats);
    repeats->addWidget(m_repeatsLabel, 1);
    repeats->addWidget(m_repeats);
    m_form = new ParameterForm(m_model, content);
    m_download = new DownloadRow(session::DownloadPlan::mnist(), content);
    m_form->insertBelow("dataset.name", m_download);
    m_form->insertBelow("rank.program", new OwnParametersRow(m_model, content));
    layout->addWidget(m_variants);
    layout->addLayout(repeats);
    layout->addWidget(m_form);
    layout->addStretch(1);
    return content;
}

void ExperimentForm::setColors(PaletteName palette)
{
    std::vector<QColor> colors;
    const auto& all = variantColors(palette);
    for (std::size_t i = 0; i < m_model.variants().size(); ++i) {
        colors.push_back(all[i % all.size()]);
    }
    m_variants->setColors(colors);
}

void ExperimentForm::showEstimate(const std::vector<analysis::RunRecord>& history)
{
    std::vector<analysis::RunRecord> finished;
    std::ranges::copy_if(history, std::back_inserter(finished),
        [](const analysis::RunRecord& record) { return record.status == analysis::RunStatus::Finished; });
    double seconds = 0.0;
    std::int64_t steps = 0;
    std::int64_t weights = 0;
    bool isMeasured = true;
    for (const experiment::RunSpec& run : m_model.runs()) {
        const analysis::Estimate cost = analysis::estimate(session::withAbsolutePaths(run), finished);
        seconds += cost.seconds;
        steps += cost.steps;
        weights = std::max(weights, cost.parameters);
        isMeasured = isMeasured && cost.fromMeasurement;
    }
    // Of a program of one's own nothing is known.
    m_estimate->setVisible(!m_model.runs().empty() && std::isfinite(seconds));
    m_estimate->setToolTip({});
    if (weights == 0) {
        m_estimate->setText(tr("≈ %1 · %2 measurements").arg(durationText(seconds), countText(steps)));
        return;
    }
    const double measuring = analysis::mostSecondsOfMeasuring(m_model.runs());
    const QString text = tr("≈ %1 · %2 parameters · %3 steps")
                             .arg(durationText(seconds), siText(static_cast<double>(weights)), countText(steps));
    m_estimate->setText(
        measuring > 0.0 ? tr("%1 · up to %2 more to compare times").arg(text, durationText(measuring)) : text);
    m_estimate->setToolTip(isMeasured ? tr("Estimated from runs measured on this machine.")
                                      : tr("A rough estimate until a run has been measured on this machine."));
}

void ExperimentForm::focusField(const std::string& name)
{
    m_form->focusField(name);
}

void ExperimentForm::showState()
{
    const QSignalBlocker blocker(m_repeats);
    m_repeats->setValue(m_model.repeats());
    m_reset->setVisible(m_model.isModified());
    showDownload();
}

/// Asks for MNIST or CIFAR-10 only when it is wanted from where it is kept on this machine.
void ExperimentForm::showDownload()
{
    const FormRow* dataset = m_model.row("dataset.name");
    const FormRow* path = m_model.row("dataset.path");
    const auto isWanted = [&](const char* name) {
        return dataset != nullptr && dataset->text == QLatin1String(name) && path != nullptr
            && path->text.trimmed().isEmpty();
    };
    const bool isMissing = isWanted("mnist") && m_download->isNeeded();
    m_download->setVisible(isMissing || m_download->isRunning());
    QString missing = isMissing ? tr("Download MNIST first, or choose the folder that contains it.") : QString();
    if (isWanted("cifar10") && !experiment::checkCifar10(experiment::cifar10Folder())) {
        const QFileInfo folder(QString::fromStdString(experiment::cifar10Folder()));
        missing = tr("Unpack %1 into %2 first, or choose the folder that contains its files.")
                      .arg(QString::fromUtf8(experiment::Cifar10Archive.data(),
                               static_cast<qsizetype>(experiment::Cifar10Archive.size())),
                          QDir::toNativeSeparators(folder.path()));
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
