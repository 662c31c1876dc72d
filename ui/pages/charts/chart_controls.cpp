#include "ui/pages/charts/chart_controls.h"

#include "ui/pages/charts/chart_view_menu.h"
#include "ui/pages/charts/parameter_picker.h"
#include "ui/theme/glyphs.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_combo_box.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/plain_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::ui {

ChartControls::ChartControls(const ChartKind& kind, QWidget* parent)
    : QWidget(parent)
    , m_kind(kind)
    , m_xLabel(plainLabel(this))
    , m_xAxis(new ElidedComboBox(this))
    , m_smoothingLabel(plainLabel(this))
    , m_smoothing(new QSlider(Qt::Horizontal, this))
    , m_smoothingValue(plainLabel(this))
    , m_logY(new QCheckBox(this))
    , m_seeds(new QCheckBox(this))
    , m_more(new ChartViewMenu(this))
    , m_note(new ElidedLabel(this))
    , m_table(new QToolButton(this))
    , m_copy(new QToolButton(this))
    , m_save(new QToolButton(this))
    , m_line(new QHBoxLayout(this))
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    layOut();
    setTexts();
    connectControls();
}

void ChartControls::layOut()
{
    m_smoothing->setRange(0, 99);
    m_smoothing->setMinimumWidth(56); // in a window of 1024 pixels the row must still fit
    m_smoothing->setMaximumWidth(110);
    m_smoothingValue->setText(QStringLiteral("0.00"));
    m_xAxis->addItems({QString(), QString(), QString()});
    m_line->setContentsMargins(8, 4, 8, 0);
    m_line->setSpacing(6);
    if (m_kind.choices != nullptr) {
        m_choiceLabel = plainLabel(this);
        m_choice = new ElidedComboBox(this);
        m_choiceLabel->setBuddy(m_choice);
        m_choice->setSizeAdjustPolicy(QComboBox::AdjustToContents); // its entries come with the first samples
        m_line->addWidget(m_choiceLabel);
        m_line->addWidget(m_choice);
    }
    if (m_kind.parameters != nullptr) {
        m_parameters = new ParameterPicker(m_kind.secondLabel, this);
        m_line->addWidget(m_parameters);
    }
    m_line->addWidget(m_xLabel);
    m_line->addWidget(m_xAxis);
    m_line->addSpacing(6);
    for (QWidget* control : std::initializer_list<QWidget*>{m_smoothingLabel, m_smoothing, m_smoothingValue}) {
        m_line->addWidget(control);
        control->setVisible(m_kind.isSmoothed);
    }
    m_line->addSpacing(6);
    for (QWidget* control : std::initializer_list<QWidget*>{m_logY, m_seeds, m_more, m_note, m_table, m_copy, m_save}) {
        m_line->addWidget(control, control == m_note ? 1 : 0);
    }
    for (QWidget* control : std::initializer_list<QWidget*>{m_xLabel, m_xAxis, m_logY}) {
        control->setVisible(m_kind.isOverTime);
    }
    m_more->setVisible(m_kind.isOverTime || m_kind.hasRankPanels);
    m_more->offerRaw(m_kind.isSmoothed);
    if (!m_kind.isOverTime) {
        m_more->offerOnlyPanels();
    }
    m_seeds->setVisible(m_kind.hasRepeats);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // it has what the controls leave
    m_table->setObjectName(QStringLiteral("data"));
    m_table->setIcon(glyphIcon(Glyph::Table));
    m_copy->setIcon(glyphIcon(Glyph::Copy));
    m_save->setIcon(glyphIcon(Glyph::Save));
    for (QToolButton* button : {m_table, m_copy, m_save}) {
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
    }
    m_xLabel->setBuddy(m_xAxis);
    m_smoothingLabel->setBuddy(m_smoothing);
}

void ChartControls::connectControls()
{
    const auto changeAxis = [this] { Q_EMIT changed(true); };
    const auto change = [this] { Q_EMIT changed(false); };
    connect(m_xAxis, &QComboBox::currentIndexChanged, this, changeAxis);
    if (m_choice != nullptr) {
        connect(m_choice, &QComboBox::currentIndexChanged, this, changeAxis);
    }
    if (m_parameters != nullptr) {
        connect(m_parameters, &ParameterPicker::chosen, this, &ChartControls::parametersChosen);
    }
    connect(m_smoothing, &QSlider::valueChanged, this, [this, change](int value) {
        m_smoothingValue->setText(QString::number(value / 100.0, 'f', 2));
        change();
    });
    connect(m_seeds, &QCheckBox::toggled, this, change);
    connect(m_logY, &QCheckBox::toggled, this, changeAxis);
    connect(m_more, &ChartViewMenu::changed, this, &ChartControls::changed);
    connect(m_more, &ChartViewMenu::panelsChosen, this, &ChartControls::panelsChosen);
    connect(m_more, &ChartViewMenu::annotationsRequested, this, &ChartControls::annotationsRequested);
    connect(m_table, &QToolButton::clicked, this, &ChartControls::tableRequested);
    connect(m_copy, &QToolButton::clicked, this, &ChartControls::copyRequested);
    connect(m_save, &QToolButton::clicked, this, &ChartControls::exportRequested);
}

/// In a narrow panel the controls do without the words beside them; their tool tips have these.
void ChartControls::fit()
{
    m_smoothingValue->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("0.00")) + 2);
    m_xLabel->setVisible(m_kind.isOverTime);
    m_smoothingLabel->setVisible(m_kind.isSmoothed);
    m_logY->setText(tr("Log scale"));
    const auto isTooWide = [this] {
        m_line->invalidate();
        return m_line->minimumSize().width() > width() - 4;
    };
    if (isTooWide()) {
        m_xLabel->hide();
    }
    if (isTooWide()) {
        m_logY->setText(tr("Log"));
    }
    if (isTooWide()) {
        m_smoothingLabel->hide();
    }
}

void ChartControls::setTexts()
{
    const QSignalBlocker quiet(m_xAxis);
    if (m_choice != nullptr) {
        m_choiceLabel->setText(tr("Show"));
        m_choice->setAccessibleName(QCoreApplication::translate("ChartModel", m_kind.choices->name));
        m_choice->setAccessibleDescription(QCoreApplication::translate("ChartModel", m_kind.choices->help));
    }
    if (m_parameters != nullptr) {
        m_parameters->setTexts();
    }
    m_xLabel->setText(tr("Against"));
    m_xAxis->setItemText(0, tr("Steps"));
    m_xAxis->setItemText(1, tr("Epochs"));
    m_xAxis->setItemText(2, tr("Seconds"));
    describe(*m_xAxis, tr("Horizontal axis"), tr("What the horizontal axis shows."));
    m_smoothingLabel->setText(tr("Smoothing"));
    describe(*m_smoothing, tr("Smoothing"),
        tr("Moving average of the loss; the raw loss is drawn behind it in a pale colour."));
    m_logY->setText(tr("Log scale"));
    m_logY->setAccessibleName(tr("Log scale"));
    m_logY->setAccessibleDescription(tr("Draws the values on a logarithmic axis."));
    labelButton(
        *m_seeds, tr("Each seed"), tr("Draws a curve for each repeat instead of their mean with its 95 % band."));
    describe(*m_table, tr("Data as a table"), tr("Shows the numbers of this chart as a table."));
    describe(*m_copy, tr("Copy this chart"), tr("Copies this chart as a picture and as a table (Ctrl+Shift+C)."));
    describe(*m_save, tr("Export this chart"), tr("Saves this chart as PDF, SVG, PNG, EPS, PGFPlots or CSV (Ctrl+E)."));
}

void ChartControls::showOptions(const ChartOptions& options)
{
    const QSignalBlocker quietX(m_xAxis);
    const QSignalBlocker quietSmoothing(m_smoothing);
    const QSignalBlocker quietLog(m_logY);
    const QSignalBlocker quietSeeds(m_seeds);
    m_xAxis->setCurrentIndex(static_cast<int>(options.x));
    m_smoothing->setValue(static_cast<int>(std::lround(options.smoothing * 100.0)));
    m_smoothingValue->setText(QString::number(options.smoothing, 'f', 2));
    m_logY->setChecked(options.yScale == Scale::Log);
    m_seeds->setChecked(options.showsSeeds);
    m_more->setOptions(options);
    if (const int row = m_choice == nullptr ? -1 : m_choice->findData(options.choice); row >= 0) {
        const QSignalBlocker quietChoice(m_choice);
        m_choice->setCurrentIndex(row);
    }
}

void ChartControls::readInto(ChartOptions& options) const
{
    options.x = static_cast<XAxis>(m_xAxis->currentIndex());
    options.smoothing = m_smoothing->value() / 100.0;
    options.yScale = m_logY->isChecked() ? Scale::Log : Scale::Linear;
    options.showsSeeds = m_seeds->isChecked();
    m_more->readInto(options);
    if (m_choice != nullptr && m_choice->currentIndex() >= 0) {
        options.choice = m_choice->currentData().toInt();
    }
}

void ChartControls::showChoices(const std::vector<ChartChoice>& choices, int chosen)
{
    std::vector<ChartChoice> listed;
    for (int i = 0; i < m_choice->count(); ++i) {
        listed.push_back({m_choice->itemData(i).toInt(), m_choice->itemText(i)});
    }
    if (choices == listed) {
        return;
    }
    const QSignalBlocker quiet(m_choice);
    m_choice->clear();
    for (const ChartChoice& each : choices) {
        m_choice->addItem(each.text, each.value);
    }
    // Keeps a choice that these runs lack for those that have it.
    m_choice->setCurrentIndex(std::max(0, m_choice->findData(chosen)));
}

void ChartControls::showParameters(const ParameterChoices& choices)
{
    m_parameters->showChoices(choices);
}

void ChartControls::offerPanels(std::function<ParameterChoices()> choices)
{
    m_more->offerPanels(std::move(choices));
}

void ChartControls::showNote(const QString& note)
{
    m_note->setWholeText(note);
}

void ChartControls::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        setTexts();
    }
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::FontChange) {
        fit();
    }
}

void ChartControls::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fit();
}

} // namespace lockstep::ui
