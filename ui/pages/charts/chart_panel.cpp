#include "ui/pages/charts/chart_panel.h"

#include "ui/charts/chart_view.h"
#include "ui/charts/data_table.h"
#include "ui/export/copy_picture.h"
#include "ui/models/charts/annotations.h"
#include "ui/models/charts/chart_model.h"
#include "ui/pages/charts/annotations_dialog.h"
#include "ui/pages/charts/chart_controls.h"
#include "ui/pages/charts/chart_view_menu.h"
#include "ui/pages/charts/small_multiples.h"
#include "ui/widgets/box.h"

#include <QElapsedTimer>
#include <QEvent>
#include <QPointer>
#include <QSettings>
#include <QTimer>
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
        , controls(new ChartControls(model.kind(), owner))
        , view(new ChartView(owner))
        , multiples(new SmallMultiples(owner))
    { }

    void layOut(ChartPanel* owner);
    void restoreOptions();
    [[nodiscard]] QString settingKey(const char* name) const;
    /// What the controls show becomes the model's options, and is stored.
    void applyOptions();
    void choosePanels(const QString& parameter);
    void listChoices();
    void chooseParameters(const QString& first, const QString& second);
    /// At most one redraw per interval, however often the model changes.
    void arm();
    void refresh();
    void showData(QWidget* owner);
    void editAnnotations(QWidget* owner);

    ChartModel& model;
    ChartControls* controls;
    ChartView* view;
    SmallMultiples* multiples; ///< in the place of the view where the chart is divided
    QPointer<QWidget> data; ///< the open table of this chart, of which there is one
    QTimer tick;
    QElapsedTimer sinceRefresh;
    ChartWindow window;
    bool isDirty = true;
    bool isMoved = false; ///< the window, since the chart was made
};

void ChartPanel::Private::layOut(ChartPanel* owner)
{
    auto* page = new QVBoxLayout(owner);
    addAll(*page, {}, 2, {controls, {view, 1}, {multiples, 1}});
    multiples->hide();
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
    if (model.kind().hasRankPanels) {
        options.panelsBy = settings.value(settingKey("panels_by"), QString(RankPanels)).toString();
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

void ChartPanel::Private::applyOptions()
{
    ChartOptions options = model.options();
    controls->readInto(options);
    model.setOptions(options);
    QSettings settings;
    settings.setValue(settingKey("x"), static_cast<int>(options.x));
    if (model.kind().choices != nullptr) {
        settings.setValue(settingKey("value"), options.choice);
    }
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
    if (model.kind().hasRankPanels) {
        settings.setValue(settingKey("panels_by"), options.panelsBy);
    }
}

void ChartPanel::Private::choosePanels(const QString& parameter)
{
    ChartOptions options = model.options();
    options.panelsBy = parameter;
    model.setOptions(options);
    applyOptions();
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
    if (model.kind().choices != nullptr) {
        controls->showChoices(model.choices(), model.options().choice);
    }
    if (model.kind().parameters != nullptr) {
        controls->showParameters(model.parameters());
    }
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
    isMoved = false;
    sinceRefresh.start();
    listChoices();
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
    controls->showNote(chart.note);
    if (parts.empty()) {
        view->setChart(std::move(chart));
    } else {
        multiples->setParts(std::move(parts));
    }
    if (model.isBehind()) {
        arm();
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
    d.restoreOptions();
    d.controls->showOptions(model.options());
    if (model.kind().parameters != nullptr) {
        d.controls->showParameters(model.parameters());
    }
    connectControls();
    connectViews();
    d.tick.setSingleShot(true);
    connect(&d.tick, &QTimer::timeout, this, [this] { m_private->refresh(); });
    connect(&model, &ChartModel::changed, this, [this] { m_private->arm(); });
}

ChartPanel::~ChartPanel() = default;

void ChartPanel::connectControls()
{
    ChartControls* controls = m_private->controls;
    controls->offerPanels([this] {
        ParameterChoices choices = m_private->model.varied();
        choices.first = m_private->model.options().panelsBy;
        return choices;
    });
    connect(controls, &ChartControls::changed, this, [this](bool isAxis) {
        m_private->applyOptions();
        if (isAxis) {
            showAll();
        }
    });
    connect(controls, &ChartControls::parametersChosen, this, [this](const QString& first, const QString& second) {
        m_private->chooseParameters(first, second);
        showAll();
    });
    connect(controls, &ChartControls::panelsChosen, this, [this](const QString& parameter) {
        m_private->choosePanels(parameter);
        showAll();
    });
    connect(controls, &ChartControls::annotationsRequested, this, [this] { m_private->editAnnotations(this); });
    connect(controls, &ChartControls::tableRequested, this, [this] { m_private->showData(this); });
    connect(controls, &ChartControls::copyRequested, this, &ChartPanel::copyChart);
    connect(controls, &ChartControls::exportRequested, this, &ChartPanel::exportChart);
}

void ChartPanel::connectViews()
{
    Private& d = *m_private;
    const auto onViewChanged = [this](double low, double high, int pixels) {
        m_private->window = {low, high, pixels};
        m_private->isMoved = true;
        m_private->arm();
    };
    // What is moved by hand is drawn once, with the points of where it is then.
    connect(d.view, &ChartView::aboutToDraw, this, [this] {
        if (m_private->isMoved) {
            m_private->refresh();
        }
    });
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
    m_private->controls->showOptions(wanted);
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
        m_private->listChoices();
        m_private->arm();
    }
    QWidget::changeEvent(event);
}

void ChartPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_private->arm();
}

} // namespace lockstep::ui
