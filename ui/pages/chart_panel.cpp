#include "ui/pages/chart_panel.h"

#include "ui/charts/chart_view.h"
#include "ui/charts/data_table.h"
#include "ui/export/copy_picture.h"
#include "ui/models/charts/annotations.h"
#include "ui/models/charts/chart_model.h"
#include "ui/pages/annotations_dialog.h"
#include "ui/pages/chart_view_menu.h"
#include "ui/pages/parameter_picker.h"
#include "ui/pages/small_multiples.h"
#include "ui/theme/glyphs.h"
#include "ui/widgets/elided_combo_box.h"
#include "ui/widgets/elided_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QSettings>
#include <QSignalBlocker>
#include <QSlider>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

// A little less than the controller's tick, so that every tick that brings something is drawn at once.
constexpr qint64 RedrawGapMs = 25;

} // namespace

class ChartPanel::Private {
public:
    Private(ChartModel& chartModel, ChartPanel* owner)
        : model(chartModel)
        , view(new ChartView(owner))
        , multiples(new SmallMultiples(owner))
        , xLabel(new QLabel(owner))
        , xAxis(new ElidedComboBox(owner))
        , smoothingLabel(new QLabel(owner))
        , smoothing(new QSlider(Qt::Horizontal, owner))
        , smoothingValue(new QLabel(owner))
        , logY(new QCheckBox(owner))
        , seeds(new QCheckBox(owner))
        , more(new ChartViewMenu(owner))
        , note(new ElidedLabel(owner))
        , table(new QToolButton(owner))
        , copy(new QToolButton(owner))
        , save(new QToolButton(owner))
    { }

    void layOut(ChartPanel* owner);
    void fitControls(int width);
    void setTexts();
    void restoreOptions();
    void readOptions();
    [[nodiscard]] QString settingKey(const char* name) const;
    void applyOptions();
    void listChoices();
    void chooseParameters(const QString& first, const QString& second);
    /// At most one redraw per interval, however often the model changes.
    void arm();
    void refresh();
    void showData(QWidget* owner);
    void editAnnotations(QWidget* owner);

    ChartModel& model;
    ChartView* view;
    SmallMultiples* multiples; ///< in the place of the view where the chart is divided
    QLabel* choiceLabel = nullptr; ///< this one and the next only where the kind has choices
    QComboBox* choice = nullptr;
    ParameterPicker* parameters = nullptr; ///< only for charts against parameters
    QLabel* xLabel;
    QComboBox* xAxis;
    QLabel* smoothingLabel;
    QSlider* smoothing;
    QLabel* smoothingValue;
    QCheckBox* logY;
    QCheckBox* seeds;
    ChartViewMenu* more; ///< of charts over time
    ElidedLabel* note;
    QToolButton* table;
    QToolButton* copy;
    QToolButton* save;
    QHBoxLayout* line = new QHBoxLayout; ///< of the controls
    QPointer<QWidget> data; ///< the open table of this chart, of which there is one
    QTimer tick;
    QElapsedTimer sinceRefresh;
    ChartWindow window;
    bool isDirty = true;
};

void ChartPanel::Private::layOut(ChartPanel* owner)
{
    smoothing->setRange(0, 99);
    smoothing->setMinimumWidth(56); // in a window of 1024 pixels the row must still fit
    smoothing->setMaximumWidth(110);
    smoothingValue->setText(QStringLiteral("0.00"));
    smoothingValue->setMinimumWidth(smoothingValue->sizeHint().width());
    xAxis->addItems({QString(), QString(), QString()});
    line->setContentsMargins(8, 4, 8, 0);
    line->setSpacing(6);
    const ChartKind& kind = model.kind();
    if (kind.choices != nullptr) {
        choiceLabel = new QLabel(owner);
        choice = new ElidedComboBox(owner);
        choiceLabel->setBuddy(choice);
        choice->setSizeAdjustPolicy(QComboBox::AdjustToContents); // its entries come with the first samples
        line->addWidget(choiceLabel);
        line->addWidget(choice);
    }
    if (kind.parameters != nullptr) {
        parameters = new ParameterPicker(kind.secondLabel, owner);
        line->addWidget(parameters);
    }
    line->addWidget(xLabel);
    line->addWidget(xAxis);
    line->addSpacing(6);
    for (QWidget* control : std::initializer_list<QWidget*>{smoothingLabel, smoothing, smoothingValue}) {
        line->addWidget(control);
        control->setVisible(kind.isSmoothed);
    }
    line->addSpacing(6);
    for (QWidget* control : std::initializer_list<QWidget*>{logY, seeds, more, note, table, copy, save}) {
        line->addWidget(control, control == note ? 1 : 0);
    }
    auto* page = new QVBoxLayout(owner);
    page->setContentsMargins(0, 0, 0, 0);
    page->setSpacing(2);
    page->addLayout(line);
    page->addWidget(view, 1);
    page->addWidget(multiples, 1);
    multiples->hide();
    xLabel->setVisible(kind.isOverTime);
    xAxis->setVisible(kind.isOverTime);
    logY->setVisible(kind.isOverTime);
    more->setVisible(kind.isOverTime);
    more->offerRaw(kind.isSmoothed);
    seeds->setVisible(kind.hasRepeats);
    note->setForegroundRole(QPalette::PlaceholderText);
    table->setObjectName(QStringLiteral("data"));
    table->setIcon(glyphIcon(Glyph::Table));
    copy->setIcon(glyphIcon(Glyph::Copy));
    save->setIcon(glyphIcon(Glyph::Save));
    for (QToolButton* button : {table, copy, save}) {
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
    }
    xLabel->setBuddy(xAxis);
    smoothingLabel->setBuddy(smoothing);
}

/// In a narrow panel the controls do without the words beside them; their tool tips have these.
void ChartPanel::Private::fitControls(int width)
{
    const ChartKind& kind = model.kind();
    xLabel->setVisible(kind.isOverTime);
    smoothingLabel->setVisible(kind.isSmoothed);
    logY->setText(ChartPanel::tr("Log scale"));
    const auto isTooWide = [&] {
        line->invalidate();
        return line->minimumSize().width() > width - 4;
    };
    if (isTooWide()) {
        xLabel->hide();
    }
    if (isTooWide()) {
        logY->setText(ChartPanel::tr("Log"));
    }
    if (isTooWide()) {
        smoothingLabel->hide();
    }
}

void ChartPanel::Private::setTexts()
{
    const QSignalBlocker quiet(xAxis);
    if (const ChartChoices* choices = model.kind().choices) {
        choiceLabel->setText(ChartPanel::tr("Show"));
        choice->setAccessibleName(QCoreApplication::translate("ChartModel", choices->name));
        choice->setAccessibleDescription(QCoreApplication::translate("ChartModel", choices->help));
        const std::vector<ChartChoice> offered = model.choices();
        for (const ChartChoice& each : offered) {
            choice->setItemText(choice->findData(each.value), each.text);
        }
    }
    if (parameters != nullptr) {
        parameters->setTexts();
        parameters->showChoices(model.parameters());
    }
    xLabel->setText(ChartPanel::tr("Against"));
    xAxis->setItemText(0, ChartPanel::tr("Steps"));
    xAxis->setItemText(1, ChartPanel::tr("Epochs"));
    xAxis->setItemText(2, ChartPanel::tr("Seconds"));
    xAxis->setAccessibleName(ChartPanel::tr("Horizontal axis"));
    xAxis->setAccessibleDescription(ChartPanel::tr("What the horizontal axis shows."));
    xAxis->setToolTip(xAxis->accessibleDescription());
    smoothingLabel->setText(ChartPanel::tr("Smoothing"));
    smoothing->setAccessibleName(ChartPanel::tr("Smoothing"));
    smoothing->setToolTip(
        ChartPanel::tr("Moving average of the loss; the raw loss is drawn behind it in a pale colour."));
    smoothing->setAccessibleDescription(smoothing->toolTip());
    logY->setText(ChartPanel::tr("Log scale"));
    logY->setAccessibleName(ChartPanel::tr("Log scale"));
    logY->setAccessibleDescription(ChartPanel::tr("Draws the values on a logarithmic axis."));
    seeds->setText(ChartPanel::tr("Each seed"));
    seeds->setAccessibleName(ChartPanel::tr("Each seed"));
    seeds->setToolTip(ChartPanel::tr("Draws a curve for each repeat instead of their mean with its 95 % band."));
    seeds->setAccessibleDescription(seeds->toolTip());
    table->setToolTip(ChartPanel::tr("Shows the numbers of this chart as a table."));
    table->setAccessibleName(ChartPanel::tr("Data as a table"));
    table->setAccessibleDescription(table->toolTip());
    copy->setToolTip(ChartPanel::tr("Copies this chart as a picture and as a table (Ctrl+Shift+C)."));
    copy->setAccessibleName(ChartPanel::tr("Copy this chart"));
    copy->setAccessibleDescription(copy->toolTip());
    save->setToolTip(ChartPanel::tr("Saves this chart as PDF, SVG, PNG, PGFPlots or CSV (Ctrl+E)."));
    save->setAccessibleName(ChartPanel::tr("Export this chart"));
    save->setAccessibleDescription(save->toolTip());
}

/// The saved settings of each chart; out-of-range values of another version fall back to the default.
void ChartPanel::Private::restoreOptions()
{
    const QSettings settings;
    const ChartOptions standard = model.options();
    ChartOptions options = standard;
    options.x
        = static_cast<XAxis>(std::clamp(settings.value(settingKey("x"), static_cast<int>(standard.x)).toInt(), 0, 2));
    if (model.kind().choices != nullptr) {
        options.choice = settings.value(settingKey("value"), 0).toInt();
    }
    options.first = settings.value(settingKey("first")).toString();
    options.second = settings.value(settingKey("second")).toString();
    if (model.kind().isSmoothed) {
        options.smoothing
            = std::clamp(settings.value(settingKey("smoothing"), standard.smoothing).toDouble(), 0.0, 0.99);
    }
    if (model.kind().isOverTime) {
        const bool isLog = settings.value(settingKey("log"), standard.yScale == Scale::Log).toBool();
        options.yScale = isLog ? Scale::Log : Scale::Linear;
        ChartViewMenu::restore(options, settings, settingKey(""));
        options.annotations = storedAnnotations(settingKey("annotations"));
    }
    if (model.kind().hasRepeats) {
        options.showsSeeds = settings.value(settingKey("seeds"), false).toBool();
    }
    model.setOptions(options);
}

QString ChartPanel::Private::settingKey(const char* name) const
{
    return QStringLiteral("chart/%1/%2").arg(QLatin1String(model.kind().id), QLatin1String(name));
}

void ChartPanel::Private::readOptions()
{
    const ChartOptions& options = model.options();
    const QSignalBlocker quietX(xAxis);
    const QSignalBlocker quietSmoothing(smoothing);
    const QSignalBlocker quietLog(logY);
    const QSignalBlocker quietSeeds(seeds);
    xAxis->setCurrentIndex(static_cast<int>(options.x));
    smoothing->setValue(static_cast<int>(std::lround(options.smoothing * 100.0)));
    smoothingValue->setText(QString::number(options.smoothing, 'f', 2));
    logY->setChecked(options.yScale == Scale::Log);
    seeds->setChecked(options.showsSeeds);
    more->setOptions(options);
    if (const int row = choice == nullptr ? -1 : choice->findData(options.choice); row >= 0) {
        const QSignalBlocker quietChoice(choice);
        choice->setCurrentIndex(row);
    }
}

void ChartPanel::Private::applyOptions()
{
    ChartOptions options = model.options();
    options.x = static_cast<XAxis>(xAxis->currentIndex());
    options.smoothing = smoothing->value() / 100.0;
    options.yScale = logY->isChecked() ? Scale::Log : Scale::Linear;
    options.showsSeeds = seeds->isChecked();
    more->readInto(options);
    smoothingValue->setText(QString::number(options.smoothing, 'f', 2));
    model.setOptions(options);
    QSettings settings;
    if (choice != nullptr && choice->currentIndex() >= 0) {
        options.choice = choice->currentData().toInt();
        model.setOptions(options);
        settings.setValue(settingKey("value"), options.choice);
    }
    settings.setValue(settingKey("x"), static_cast<int>(options.x));
    if (model.kind().hasRepeats) {
        settings.setValue(settingKey("seeds"), options.showsSeeds);
    }
    if (model.kind().isSmoothed) {
        settings.setValue(settingKey("smoothing"), options.smoothing);
    }
    if (model.kind().isOverTime) {
        settings.setValue(settingKey("log"), options.yScale == Scale::Log);
        ChartViewMenu::store(options, settings, settingKey(""));
    }
}

void ChartPanel::Private::chooseParameters(const QString& first, const QString& second)
{
    ChartOptions options = model.options();
    options.first = first;
    options.second = second;
    model.setOptions(options);
    QSettings settings;
    settings.setValue(settingKey("first"), first);
    settings.setValue(settingKey("second"), second);
}

/// The choices grow during a run: the first samples of a GPU come after the first of /proc.
void ChartPanel::Private::listChoices()
{
    const std::vector<ChartChoice> choices = model.choices();
    std::vector<ChartChoice> listed;
    for (int i = 0; i < choice->count(); ++i) {
        listed.push_back({choice->itemData(i).toInt(), choice->itemText(i)});
    }
    if (choices == listed) {
        return;
    }
    const QSignalBlocker quiet(choice);
    choice->clear();
    for (const ChartChoice& each : choices) {
        choice->addItem(each.text, each.value);
    }
    // Keeps a choice that these runs lack for those that have it.
    choice->setCurrentIndex(std::max(0, choice->findData(model.options().choice)));
}

void ChartPanel::Private::arm()
{
    isDirty = true;
    if (!tick.isActive()) {
        const qint64 since = sinceRefresh.isValid() ? sinceRefresh.elapsed() : RedrawGapMs;
        tick.start(static_cast<int>(std::max<qint64>(0, RedrawGapMs - since)));
    }
}

void ChartPanel::Private::refresh()
{
    if (!isDirty || !(view->isVisible() || multiples->isVisible())) {
        return;
    }
    isDirty = false;
    sinceRefresh.start();
    if (choice != nullptr) {
        listChoices();
    }
    if (parameters != nullptr) {
        parameters->showChoices(model.parameters());
    }
    std::vector<ChartPart> parts = model.parts(&window);
    if (parts.empty() != multiples->isHidden()) {
        // What was zoomed in the one is no window of the other.
        window = {};
        view->showAll();
        multiples->showAll();
        parts = model.parts(&window);
    }
    view->setVisible(parts.empty());
    multiples->setVisible(!parts.empty());
    ChartSpec chart = parts.empty() ? model.chart(window) : ChartSpec();
    note->setWholeText(chart.note);
    if (parts.empty()) {
        view->setChart(std::move(chart));
    } else {
        multiples->setParts(std::move(parts));
    }
}

/// With the newest numbers, in the place of the table that may be open.
void ChartPanel::Private::showData(QWidget* owner)
{
    const bool wasOpen = data != nullptr;
    const QRect place = wasOpen ? data->geometry() : QRect();
    delete data;
    data = showDataTable(model.fullChart(), owner);
    if (wasOpen) {
        data->setGeometry(place);
    }
    data->raise();
    data->activateWindow();
}

/// Those that are stored: another chart of this kind may have changed them.
void ChartPanel::Private::editAnnotations(QWidget* owner)
{
    ChartOptions options = model.options();
    options.annotations = storedAnnotations(settingKey("annotations"));
    model.setOptions(options);
    const auto [low, high] = multiples->isHidden() ? view->horizontalRange() : multiples->horizontalRange();
    const double middle = options.xScale == Scale::Log && low > 0.0 ? std::sqrt(low * high) : (low + high) / 2.0;
    openAnnotations(model, options.x == XAxis::Step ? std::round(middle) : middle, owner,
        [this] { storeAnnotations(model.options().annotations, settingKey("annotations")); });
}

ChartPanel::ChartPanel(ChartModel& model, QWidget* parent)
    : QWidget(parent)
    , m_private(std::make_unique<Private>(model, this))
{
    Private& d = *m_private;
    d.layOut(this);
    d.setTexts();
    d.restoreOptions();
    d.readOptions();
    connect(d.xAxis, &QComboBox::currentIndexChanged, this, [this] {
        m_private->applyOptions();
        showAll();
    });
    if (d.choice != nullptr) {
        connect(d.choice, &QComboBox::currentIndexChanged, this, [this] {
            m_private->applyOptions();
            showAll();
        });
    }
    if (d.parameters != nullptr) {
        connect(d.parameters, &ParameterPicker::chosen, this, [this](const QString& first, const QString& second) {
            m_private->chooseParameters(first, second);
            showAll();
        });
    }
    connect(d.smoothing, &QSlider::valueChanged, this, [this] { m_private->applyOptions(); });
    connect(d.seeds, &QCheckBox::toggled, this, [this] { m_private->applyOptions(); });
    connect(d.logY, &QCheckBox::toggled, this, [this] {
        m_private->applyOptions();
        showAll();
    });
    connect(d.more, &ChartViewMenu::changed, this, [this](bool isAxis) {
        m_private->applyOptions();
        if (isAxis) {
            showAll();
        }
    });
    connect(d.more, &ChartViewMenu::annotationsRequested, this, [this] { m_private->editAnnotations(this); });
    connect(d.copy, &QToolButton::clicked, this, &ChartPanel::copyChart);
    connect(d.save, &QToolButton::clicked, this, &ChartPanel::exportChart);
    connect(d.table, &QToolButton::clicked, this, [this] { m_private->showData(this); });
    connectViews();
    d.more->offerPanels([this] {
        ParameterChoices choices = m_private->model.varied();
        choices.first = m_private->model.options().panelsBy;
        return choices;
    });
    connect(d.more, &ChartViewMenu::panelsChosen, this, [this](const QString& parameter) {
        ChartOptions options = m_private->model.options();
        options.panelsBy = parameter;
        m_private->model.setOptions(options);
        m_private->applyOptions();
        showAll();
    });
    d.tick.setSingleShot(true);
    connect(&d.tick, &QTimer::timeout, this, [this] { m_private->refresh(); });
    connect(&model, &ChartModel::changed, this, [this] { m_private->arm(); });
}

ChartPanel::~ChartPanel() = default;

void ChartPanel::connectViews()
{
    Private& d = *m_private;
    const auto onViewChanged = [this](double low, double high, int pixels) {
        m_private->window = {low, high, pixels};
        m_private->arm();
    };
    connect(d.view, &ChartView::seriesToggleRequested, this, &ChartPanel::seriesToggleRequested);
    connect(d.view, &ChartView::pointedAt, this, &ChartPanel::pointedAt);
    connect(d.view, &ChartView::viewChanged, this, onViewChanged);
    connect(d.multiples, &SmallMultiples::seriesToggleRequested, this, &ChartPanel::seriesToggleRequested);
    connect(d.multiples, &SmallMultiples::viewChanged, this, onViewChanged);
    connect(d.multiples, &SmallMultiples::pointedAt, this, &ChartPanel::pointedAt);
}

std::vector<ChartPart> ChartPanel::shownParts() const
{
    return m_private->model.parts(nullptr);
}

ChartModel& ChartPanel::model() const
{
    return m_private->model;
}

void ChartPanel::setOptions(ChartOptions wanted)
{
    wanted.interfered = model().options().interfered;
    // A view that was saved earlier does not take away what was annotated since.
    for (const Annotation& each : model().options().annotations) {
        if (std::ranges::find(wanted.annotations, each) == wanted.annotations.end()) {
            wanted.annotations.push_back(each);
        }
    }
    if (model().kind().isOverTime) {
        storeAnnotations(wanted.annotations, m_private->settingKey("annotations"));
    }
    model().setOptions(wanted);
    m_private->readOptions();
    m_private->applyOptions();
    m_private->chooseParameters(wanted.first, wanted.second);
    model().setOptions(wanted); // the list of choices may lack the wanted one until the runs have been read
    showAll();
}

void ChartPanel::setTheme(const ChartTheme& theme)
{
    m_private->view->setTheme(theme);
    m_private->multiples->setTheme(theme);
}

ChartSpec ChartPanel::shownChart() const
{
    return m_private->view->asShown(m_private->model.fullChart());
}

void ChartPanel::showCursor(std::optional<double> x)
{
    m_private->view->showCursor(x);
    m_private->multiples->showCursor(x);
}

void ChartPanel::exportChart()
{
    Q_EMIT exportRequested();
}

void ChartPanel::copyChart()
{
    std::vector<ChartSpec> charts;
    for (ChartPart& part : shownParts()) {
        charts.push_back(std::move(part.chart));
    }
    if (charts.empty()) {
        copyPicture(shownChart());
    } else {
        copyPicture(panelsOf(std::move(charts), 2));
    }
}

void ChartPanel::showAll()
{
    m_private->window = {};
    m_private->view->showAll();
    m_private->multiples->showAll();
    m_private->arm();
}

void ChartPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        m_private->setTexts();
        m_private->fitControls(width());
        m_private->arm();
    }
    QWidget::changeEvent(event);
}

void ChartPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_private->fitControls(width());
}

void ChartPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_private->arm();
}

} // namespace lockstep::ui
