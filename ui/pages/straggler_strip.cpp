#include "ui/pages/straggler_strip.h"

#include "experiment/choices.h"
#include "plan/pipeline/parts.h"
#include "ui/models/shown_text.h"
#include "ui/widgets/focus.h"
#include "ui/widgets/plain_label.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::ui {

using analysis::RunStatus;

namespace {

constexpr int TellEveryMs = 100;
constexpr int Delay = 0;
constexpr int Latency = 1;
constexpr int Bandwidth = 2;

/// 0 to 100 ms, one by one.
double delayAt(int step)
{
    return step;
}

/// 0, then 10 us to 10 ms, ten steps a decade.
double latencyAt(int step)
{
    return step == 0 ? 0.0 : std::round(10.0 * std::pow(10.0, (step - 1) / 10.0));
}

/// No limit, then 10 Gbit/s down to 10 Mbit/s: to the right is always slower.
double bandwidthAt(int step)
{
    return step == 0 ? 0.0 : std::round(10'000.0 / std::pow(10.0, (step - 1) / 10.0));
}

/// The step whose value is nearest.
int stepOf(double (*valueAt)(int), int steps, double value)
{
    int best = 0;
    for (int step = 1; step <= steps && value > 0.0; ++step) {
        if (best == 0 || std::abs(valueAt(step) - value) < std::abs(valueAt(best) - value)) {
            best = step;
        }
    }
    return best;
}

bool isIn(const std::vector<std::int64_t>& list, std::size_t rank)
{
    return list.empty() || std::find(list.begin(), list.end(), static_cast<std::int64_t>(rank)) != list.end();
}

} // namespace

StragglerStrip::StragglerStrip(QWidget* parent)
    : Translated(parent)
    , m_title(plainLabel(this))
    , m_rank(new QComboBox(this))
    , m_knobs{Knob{wire::Command::SetStraggler, delayAt, 100}, Knob{wire::Command::SetLink, latencyAt, 31},
          Knob{wire::Command::SetLinkBandwidth, bandwidthAt, 31}}
{
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(12, 4, 12, 4);
    layout->setHorizontalSpacing(16);
    layout->setVerticalSpacing(0);
    layout->addWidget(m_title, 0, 0);
    layout->addWidget(m_rank, 1, 0);
    for (std::size_t i = 0; i < m_knobs.size(); ++i) {
        Knob& knob = m_knobs[i];
        const int column = static_cast<int>(i) + 1;
        knob.name = plainLabel(this);
        knob.slider = new QSlider(Qt::Horizontal, this);
        knob.slider->setRange(0, knob.steps);
        knob.slider->setPageStep(std::max(1, knob.steps / 10));
        knob.name->setBuddy(knob.slider);
        // Columns of one width, so that no slider moves when a value's text becomes longer.
        knob.name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        layout->addWidget(knob.name, 0, column);
        layout->addWidget(knob.slider, 1, column);
        layout->setColumnStretch(column, 1);
        connect(knob.slider, &QSlider::valueChanged, this, [this, i](int step) { move(i, step); });
    }
    connect(m_rank, &QComboBox::currentIndexChanged, this, &StragglerStrip::showRank);
    m_timer.setSingleShot(true);
    m_timer.setInterval(TellEveryMs);
    connect(&m_timer, &QTimer::timeout, this, &StragglerStrip::tell);
    m_rank->addItem({});
    retranslate();
    end();
}

void StragglerStrip::setRun(const RunFeed* feed)
{
    const auto isAtWork = [](const RunFeed& run) {
        const RunStatus status = run.record().status;
        return (status == RunStatus::Running || status == RunStatus::Paused) && run.ranks().size() > 1;
    };
    if (feed == nullptr || !isAtWork(*feed)) {
        if (m_rank->isEnabled()) {
            end();
        }
    } else if (m_feed != feed || !m_rank->isEnabled()) {
        m_feed = feed;
        begin(*feed);
    }
}

void StragglerStrip::end()
{
    m_feed = nullptr;
    setEnabledKeepingFocus(*m_rank, false, m_focusFallback);
    m_title->setEnabled(false);
    for (std::size_t knob = 0; knob < m_knobs.size(); ++knob) {
        setKnob(knob, false);
    }
    retranslate();
}

void StragglerStrip::setKnob(std::size_t knob, bool applies)
{
    m_knobs[knob].name->setEnabled(applies);
    setEnabledKeepingFocus(*m_knobs[knob].slider, applies, m_focusFallback);
}

/// From the spec.
void StragglerStrip::begin(const RunFeed& feed)
{
    const experiment::RunSpec& spec = feed.record().spec;
    m_values.assign(feed.ranks().size(), {});
    for (std::size_t rank = 0; rank < m_values.size(); ++rank) {
        const bool isStraggler = isIn(spec.settings->straggler.ranks, rank);
        const bool hasLink = isIn(spec.settings->link.ranks, rank);
        m_values[rank] = {stepOf(delayAt, m_knobs[Delay].steps, isStraggler ? spec.settings->straggler.delayMs : 0.0),
            stepOf(latencyAt, m_knobs[Latency].steps, hasLink ? spec.settings->link.latencyUs : 0.0),
            stepOf(bandwidthAt, m_knobs[Bandwidth].steps, hasLink ? spec.settings->link.bandwidthMbps : 0.0)};
    }
    const QSignalBlocker quiet(m_rank);
    const int before = m_rank->currentIndex();
    m_rank->clear();
    m_rank->addItem(tr("all ranks"));
    for (std::size_t rank = 0; rank < m_values.size(); ++rank) {
        m_rank->addItem(tr("rank %1").arg(rank));
    }
    // Initially the last rank, to show one straggler among fast ranks.
    const int last = m_rank->count() - 1;
    m_rank->setCurrentIndex(before < 0 || before > last ? last : before);
    m_rank->setEnabled(true);
    m_title->setEnabled(true);
    setKnob(Delay, !experiment::isSweep(spec)); // it has no arithmetic
    const bool hasLinks = !is(spec, experiment::Strategy::Own)
        && (plan::pipelineShape(spec).stages < 2 || !is(spec, experiment::PipelineTransport::Rpc));
    setKnob(Latency, hasLinks);
    setKnob(Bandwidth, hasLinks);
    retranslate();
    showRank();
}

std::int32_t StragglerStrip::rank() const
{
    return m_rank->currentIndex() - 1;
}

void StragglerStrip::showRank()
{
    if (m_values.empty()) {
        return;
    }
    const Values& values = m_values[static_cast<std::size_t>(std::max(0, rank()))];
    for (std::size_t i = 0; i < m_knobs.size(); ++i) {
        const QSignalBlocker quiet(m_knobs[i].slider);
        m_knobs[i].slider->setValue(values[i]);
        m_knobs[i].name->setText(textOf(i));
    }
}

void StragglerStrip::move(std::size_t knob, int step)
{
    for (std::size_t each = 0; each < m_values.size(); ++each) {
        if (rank() < 0 || static_cast<std::size_t>(rank()) == each) {
            m_values[each][knob] = step;
        }
    }
    m_knobs[knob].name->setText(textOf(knob));
    m_knobs[knob].isDue = true;
    if (!m_timer.isActive()) {
        m_timer.start();
    }
}

void StragglerStrip::tell()
{
    for (Knob& knob : m_knobs) {
        if (std::exchange(knob.isDue, false) && m_feed) {
            Q_EMIT changed({knob.command, rank(), knob.valueAt(knob.slider->value())});
        }
    }
}

QString StragglerStrip::textOf(std::size_t knob) const
{
    const double value = m_knobs[knob].valueAt(m_knobs[knob].slider->value());
    if (knob == Delay) {
        return tr("Extra time: %1 ms").arg(value);
    }
    if (knob == Latency) {
        return value < 1000.0 ? tr("Latency: %1 µs").arg(value) : tr("Latency: %1 ms").arg(value / 1000.0, 0, 'g', 3);
    }
    return value == 0.0  ? tr("Bandwidth: no limit")
        : value < 1000.0 ? tr("Bandwidth: %1 Mbit/s").arg(value)
                         : tr("Bandwidth: %1 Gbit/s").arg(value / 1000.0, 0, 'g', 3);
}

void StragglerStrip::retranslate()
{
    m_title->setText(tr("Slow down"));
    m_rank->setAccessibleName(tr("Rank to slow down"));
    m_rank->setAccessibleDescription(tr("The rank that these sliders slow down."));
    m_rank->setToolTip(tipText(m_rank->accessibleDescription()));
    for (int i = 0; i < m_rank->count(); ++i) {
        m_rank->setItemText(i, i == 0 ? tr("all ranks") : tr("rank %1").arg(i - 1));
    }
    m_knobs[Delay].slider->setAccessibleName(tr("Extra time per step"));
    m_knobs[Latency].slider->setAccessibleName(tr("Link latency"));
    m_knobs[Bandwidth].slider->setAccessibleName(tr("Link bandwidth"));
    for (std::size_t i = 0; i < m_knobs.size(); ++i) {
        const QString help = m_knobs[i].slider->isEnabled()
            ? tr("Takes effect at the next step that all ranks agree on and is marked in the charts.")
            : m_feed == nullptr ? tr("Slows down a rank or its link while a run of several ranks is in progress.")
                                : tr("The run in progress does not support this.");
        m_knobs[i].slider->setToolTip(tipText(help));
        m_knobs[i].slider->setAccessibleDescription(help);
        m_knobs[i].name->setText(textOf(i));
    }
}

} // namespace lockstep::ui
