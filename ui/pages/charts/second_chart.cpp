#include "ui/pages/charts/second_chart.h"

#include "ui/models/charts/chart_model.h"
#include "ui/pages/charts/chart_panel.h"
#include "ui/theme/glyphs.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

namespace lockstep::ui {

namespace {

/// Both over the same steps, epochs or seconds.
bool haveOneAxis(const ChartPanel& one, const ChartPanel& other)
{
    return one.model().kind().isOverTime && other.model().kind().isOverTime
        && one.model().options().x == other.model().options().x;
}

void shareCursor(ChartPanel& from, ChartPanel& to)
{
    QObject::connect(&from, &ChartPanel::pointedAt, &to,
        [&from, &to](std::optional<double> x) { to.showCursor(haveOneAxis(from, to) ? x : std::nullopt); });
}

} // namespace

SecondChart::SecondChart(QWidget* parent)
    : QWidget(parent)
    , m_kind(new QComboBox(this))
    , m_close(new QToolButton(this))
    , m_page(new QVBoxLayout(this))
{
    m_kind->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_close->setIcon(glyphIcon(Glyph::Close));
    m_close->setAutoRaise(true);
    m_close->setFocusPolicy(Qt::StrongFocus);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 0);
    addAll(*bar, {m_kind, FreeRoom, m_close});
    addAll(*m_page, {}, 0, {bar});
    connect(m_kind, &QComboBox::activated, this, [this](int row) { choose(m_kind->itemData(row).toString()); });
    connect(m_close, &QToolButton::clicked, this, &SecondChart::closeRequested);
    retranslate();
}

SecondChart::~SecondChart()
{
    delete m_panel; // before its model
}

void SecondChart::setFeeds(const std::vector<RunFeed*>& feeds, const std::vector<bool>& applies)
{
    m_feeds = feeds;
    m_applies = applies;
    if (m_model != nullptr) {
        m_model->setFeeds(feeds);
    }
    listKinds();
}

void SecondChart::listKinds()
{
    const QSignalBlocker quiet(m_kind);
    m_kind->clear();
    for (std::size_t i = 0; i < m_applies.size(); ++i) {
        const ChartKind& kind = chartKinds()[i];
        if (m_applies[i]) {
            m_kind->addItem(QCoreApplication::translate("ChartModel", kind.name), QLatin1String(kind.id));
        }
    }
    if (m_kind->count() == 0) {
        delete m_panel;
        m_panel = nullptr;
        m_model.reset();
        return;
    }
    const int row = m_kind->findData(m_shown);
    m_kind->setCurrentIndex(row >= 0 ? row : std::min(1, m_kind->count() - 1)); // the page shows the first one
    choose(m_kind->currentData().toString());
}

void SecondChart::choose(const QString& id)
{
    const int row = m_kind->findData(id);
    const ChartKind* kind = findChart(id);
    if (kind != nullptr && row < 0) {
        m_shown = id;
    }
    if (row < 0 || kind == nullptr || (m_model != nullptr && &m_model->kind() == kind)) {
        return;
    }
    m_kind->setCurrentIndex(row);
    show(*kind);
}

void SecondChart::show(const ChartKind& kind)
{
    m_shown = QLatin1String(kind.id);
    delete m_panel;
    m_model = std::make_unique<ChartModel>(kind);
    m_panel = new ChartPanel(*m_model, this);
    m_panel->setTheme(chartThemeFor(palette()));
    m_page->addWidget(m_panel, 1);
    connect(m_panel, &ChartPanel::seriesToggleRequested, this, &SecondChart::seriesToggleRequested);
    setInterfered(m_interfered);
    m_model->setFeeds(m_feeds);
    setPartner(m_partner);
}

void SecondChart::setInterfered(Interfered which)
{
    m_interfered = which;
    if (m_model != nullptr) {
        ChartOptions options = m_model->options();
        options.interfered = which;
        m_model->setOptions(options);
    }
}

void SecondChart::setPartner(ChartPanel* partner)
{
    for (ChartPanel* panel : {m_panel, m_partner.data()}) {
        if (panel != nullptr) {
            disconnect(panel, &ChartPanel::pointedAt, nullptr, nullptr);
            panel->showCursor(std::nullopt);
        }
    }
    m_partner = partner;
    if (m_panel != nullptr && partner != nullptr) {
        shareCursor(*m_panel, *partner);
        shareCursor(*partner, *m_panel);
    }
}

void SecondChart::retranslate()
{
    describe(*m_kind, tr("Second chart"), tr("The chart that is shown beside the first one."));
    describe(*m_close, tr("Close the second chart"), tr("Shows one chart again (Ctrl+Shift+T)."));
    listKinds();
}

void SecondChart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    } else if (event->type() == QEvent::PaletteChange && m_panel != nullptr) {
        m_panel->setTheme(chartThemeFor(palette()));
    }
}

} // namespace lockstep::ui
