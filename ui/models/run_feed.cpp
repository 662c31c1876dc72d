#include "ui/models/run_feed.h"

#include "analysis/rank_summary.h"
#include "session/run_account.h"
#include "ui/models/interference_text.h"
#include "ui/models/ring_model.h"
#include "ui/models/timeline_model.h"
#include "ui/models/titles.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <vector>

namespace lockstep::ui {

namespace {

/// The run's speed: steps of the last seconds, phases of the whole run.
class Pace {
public:
    void take(const session::Delta& delta, const session::RunAccount& account)
    {
        for (const auto& [rank, batch] : delta.steps) {
            for (const StepRow& row : batch.rows) {
                for (std::size_t phase = 0; phase < PhaseCount; ++phase) {
                    m_phaseNs[phase] += row.phaseNs[phase];
                }
                m_isWaitTold = m_isWaitTold && row.untoldNs == 0;
            }
            m_rows += static_cast<std::int64_t>(batch.size());
        }
        if (account.loss().size() == 0) {
            return;
        }
        if (m_marks.empty()) {
            m_marks.push_back({account.clock().beginNs(), 0});
        }
        if (m_marks.back().step != account.loss().step.back()) {
            m_marks.push_back({account.clock().endNs(), account.loss().step.back()});
        }
        while (m_marks.size() > 2 && m_marks.front().endNs < m_marks.back().endNs - JudgedByNs) {
            m_marks.pop_front();
        }
    }

    [[nodiscard]] double secondsLeft(std::int64_t totalSteps) const
    {
        if (totalSteps <= 0 || m_marks.size() < 2) {
            return analysis::NotMeasured;
        }
        const auto steps = static_cast<double>(m_marks.back().step - m_marks.front().step);
        const double seconds = static_cast<double>(m_marks.back().endNs - m_marks.front().endNs) / 1e9;
        if (steps <= 0.0 || seconds <= 0.0) {
            return analysis::NotMeasured;
        }
        return static_cast<double>(std::max<std::int64_t>(0, totalSteps - m_marks.back().step)) * seconds / steps;
    }

    [[nodiscard]] std::array<double, PhaseCount> phaseMsPerStep() const
    {
        std::array<double, PhaseCount> means{};
        for (std::size_t i = 0; i < PhaseCount && m_rows > 0; ++i) {
            means[i] = static_cast<double>(m_phaseNs[i]) / static_cast<double>(m_rows) / 1e6;
        }
        if (!m_isWaitTold) {
            analysis::putTogether(means);
        }
        return means;
    }

private:
    static constexpr std::int64_t JudgedByNs = 5'000'000'000;
    struct Mark {
        std::int64_t endNs = 0;
        std::int64_t step = 0;
    };
    std::deque<Mark> m_marks;
    std::array<std::int64_t, PhaseCount> m_phaseNs{};
    std::int64_t m_rows = 0;
    bool m_isWaitTold = true;
};

/// When a run that takes turns waited: from the end of a block until the next step of rank 0 begins.
class Holds {
public:
    void take(const session::Delta& delta)
    {
        for (const auto& [rank, held] : delta.held) {
            if (rank == 0) {
                m_holds.push_back({held.timeNs, std::numeric_limits<std::int64_t>::max()});
            }
        }
        for (const auto& [rank, batch] : delta.steps) {
            if (rank == 0 && !m_holds.empty()) {
                std::ranges::for_each(batch.rows, [this](const StepRow& row) { end(row.endNs - row.wallNs); });
            }
        }
    }

    [[nodiscard]] bool holdsAt(std::int64_t timeNs) const
    {
        return std::ranges::any_of(
            m_holds, [timeNs](const Hold& hold) { return hold.fromNs <= timeNs && timeNs <= hold.untilNs; });
    }

private:
    struct Hold {
        std::int64_t fromNs = 0;
        std::int64_t untilNs = 0;
    };

    void end(std::int64_t beginNs)
    {
        for (auto hold = m_holds.rbegin(); hold != m_holds.rend() && hold->untilNs > beginNs; ++hold) {
            hold->untilNs = hold->fromNs <= beginNs ? beginNs : hold->untilNs;
        }
    }

    std::vector<Hold> m_holds; ///< in the order of time
};

} // namespace

class RunFeed::Private {
public:
    void take(const session::Delta& delta);
    void takeSummary();
    /// True if the record has changed.
    bool takeStatus(const session::Delta& delta);

    analysis::RunRecord record;
    std::unique_ptr<session::DeltaSource> source;
    QColor color;
    bool isVisible = true;
    bool isLoading = false; ///< its loss came before its rows
    session::RunAccount account;
    wire::Hello hello; ///< of rank 0
    RankCards cards;
    Pace pace;
    TimelineModel timeline;
    RingModel ring;
    Holds holds;
    std::vector<analysis::Machine> machines;
    std::vector<analysis::MachineSample> machineSamples;
};

RunFeed::RunFeed(analysis::RunRecord record, std::unique_ptr<session::DeltaSource> source, QObject* parent)
    : QObject(parent)
    , m_private(std::make_unique<Private>())
{
    // A file has these in its summary only.
    session::Delta start;
    start.starts.push_back({record.summary.secondsToFirstLoss, record.summary.startSeconds});
    m_private->account.add(start);
    m_private->ring = RingModel(allReduceOf(record.spec));
    m_private->record = std::move(record);
    m_private->source = std::move(source);
}

RunFeed::~RunFeed() = default;

const RunId& RunFeed::id() const
{
    return m_private->record.id;
}

const analysis::RunRecord& RunFeed::record() const
{
    return m_private->record;
}

QString RunFeed::displayName() const
{
    const analysis::RunRecord& record = m_private->record;
    if (!record.label.empty()) {
        return markedName(QString::fromStdString(record.label), record);
    }
    const QString name = record.spec.name.empty() ? QString::fromStdString(record.id.text)
                                                  : variantTitle(record.spec.experiment, record.spec.name);
    return markedName(
        record.spec.repeat == 0 ? name : QStringLiteral("%1 #%2").arg(name).arg(record.spec.repeat + 1), record);
}

QColor RunFeed::color() const
{
    return m_private->color;
}

void RunFeed::setColor(const QColor& color)
{
    if (m_private->color != color) {
        m_private->color = color;
        Q_EMIT recordChanged();
    }
}

void RunFeed::setLabel(const QString& label)
{
    if (m_private->record.label != label.toStdString()) {
        m_private->record.label = label.toStdString();
        Q_EMIT recordChanged();
    }
}

bool RunFeed::isVisible() const
{
    return m_private->isVisible;
}

void RunFeed::setVisible(bool visible)
{
    if (m_private->isVisible != visible) {
        m_private->isVisible = visible;
        Q_EMIT recordChanged();
    }
}

const analysis::Curve& RunFeed::loss() const
{
    return m_private->account.loss();
}

const analysis::Curve& RunFeed::accuracy() const
{
    return m_private->account.accuracy();
}

const analysis::Curve& RunFeed::testLoss() const
{
    return m_private->account.testLoss();
}

const session::RunAccount& RunFeed::account() const
{
    return m_private->account;
}

const std::vector<RankCard>& RunFeed::ranks() const
{
    return m_private->cards.cards();
}

const std::vector<Intervention>& RunFeed::interventions() const
{
    return m_private->account.interventions();
}

const TimelineModel& RunFeed::timeline() const
{
    return m_private->timeline;
}

const RingModel& RunFeed::ring() const
{
    return m_private->ring;
}

const wire::Prepared& RunFeed::facts() const
{
    return m_private->account.facts();
}

const std::vector<analysis::Machine>& RunFeed::machines() const
{
    return m_private->machines;
}

const std::vector<analysis::MachineSample>& RunFeed::machineSamples() const
{
    return m_private->machineSamples;
}

const wire::Hello& RunFeed::hello() const
{
    return m_private->hello;
}

bool RunFeed::isHeldAt(std::int64_t timeNs) const
{
    return m_private->holds.holdsAt(timeNs);
}

double RunFeed::secondsAt(std::int64_t timeNs) const
{
    const analysis::RunClock& clock = m_private->account.clock();
    if (!clock.hasBegun() && m_private->machineSamples.empty()) {
        return 0.0;
    }
    const std::int64_t beginNs = clock.hasBegun() ? clock.beginNs() : m_private->machineSamples.front().timeNs;
    return static_cast<double>(timeNs - beginNs) / 1e9;
}

double RunFeed::progress() const
{
    if (m_private->record.status == analysis::RunStatus::Finished) {
        return 1.0;
    }
    const std::int64_t totalSteps = facts().totalSteps;
    if (totalSteps <= 0) {
        return analysis::NotMeasured;
    }
    const double done = loss().size() == 0 ? 0.0 : static_cast<double>(loss().step.back());
    return std::clamp(done / static_cast<double>(totalSteps), 0.0, 1.0);
}

double RunFeed::secondsLeft() const
{
    return m_private->pace.secondsLeft(facts().totalSteps);
}

std::array<double, PhaseCount> RunFeed::phaseMsPerStep() const
{
    const auto ranks = m_private->account.rankSums().summaries(Medians::Without);
    if (ranks.empty()) {
        return m_private->pace.phaseMsPerStep();
    }
    // As in its summary: without the warm-up, and of a run that takes turns without the steps that blocks do not count.
    std::array<double, PhaseCount> means{};
    for (const analysis::RankSummary& rank : ranks) {
        for (std::size_t phase = 0; phase < PhaseCount; ++phase) {
            means[phase] += rank.phaseMs[phase] / static_cast<double>(ranks.size());
        }
    }
    return means;
}

bool RunFeed::pull()
{
    if (m_private->source == nullptr) {
        return false;
    }
    const session::DeltaPtr delta = m_private->source->take();
    if (delta == nullptr || delta->isEmpty()) {
        return false;
    }
    m_private->take(*delta);
    const bool isRecordChanged = m_private->takeStatus(*delta);
    if (analysis::isFinal(m_private->record.status)) {
        m_private->cards.end();
    }
    Q_EMIT advanced(delta);
    if (isRecordChanged) {
        Q_EMIT recordChanged();
    }
    return true;
}

void RunFeed::Private::take(const session::Delta& delta)
{
    account.add(delta);
    for (const auto& [rank, said] : delta.hellos) {
        if (rank == 0) {
            hello = said;
        }
    }
    isLoading = isLoading || !delta.storedLoss.empty();
    if (!account.ranks().empty() || account.clock().hasBegun()) { // an unreadable file changes nothing
        takeSummary();
    }
    account.fillResults(record);
    cards.take(delta, account);
    pace.take(delta, account);
    timeline.take(delta);
    ring.take(delta);
    holds.take(delta);
    machines.insert(machines.end(), delta.machines.begin(), delta.machines.end());
    machineSamples.insert(machineSamples.end(), delta.machineSamples.begin(), delta.machineSamples.end());
}

/// While the rows of a long stored run are read, the summary of its file is the whole one.
void RunFeed::Private::takeSummary()
{
    analysis::Summary summary = account.summary();
    if (!isLoading || summary.steps >= record.summary.steps) {
        record.summary = std::move(summary);
        isLoading = false;
    }
}

bool RunFeed::Private::takeStatus(const session::Delta& delta)
{
    const auto& status = account.status();
    // A stored run has ended: the statuses in its replay are past.
    if (delta.statuses.empty() || (analysis::isFinal(record.status) && !analysis::isFinal(status->status))) {
        return false;
    }
    record.status = status->status;
    record.message = status->message;
    return true;
}

analysis::RunRecord wholeRecord(const RunFeed& feed)
{
    analysis::RunRecord whole = feed.record();
    feed.account().fill(whole);
    return whole;
}

} // namespace lockstep::ui
