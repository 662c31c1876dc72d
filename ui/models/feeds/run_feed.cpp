#include "ui/models/feeds/run_feed.h"

#include "store/run_store.h"
#include "ui/models/feeds/interference_text.h"
#include "ui/models/feeds/run_state.h"
#include "ui/models/form/titles.h"

#include <algorithm>

namespace lockstep::ui {

namespace {

int newNumber()
{
    static int last = 0;
    return ++last;
}

} // namespace

class RunFeed::Private {
public:
    void take(const store::Delta& delta);
    void takeStored(const store::Delta& delta);
    void takeSummary();
    /// True if the record has changed.
    bool takeStatus(const store::Delta& delta);

    analysis::RunRecord record;
    std::shared_ptr<RunState> state;
    std::unique_ptr<store::DeltaSource> source;
    Look look;
    bool isVisible = true;
    bool isStored = false;
    bool isGathered = true; ///< else what is stored is read, and is not in `state` yet
    bool isLoading = false; ///< its loss came before its rows
    store::StoredLoss outline;
    store::StoredLoss stored; ///< the whole loss, until the rows have been read
    int lossNumber = newNumber();
};

RunFeed::RunFeed(
    analysis::RunRecord record, std::unique_ptr<store::DeltaSource> source, const std::shared_ptr<RunState>& gathering)
    : m_private(std::make_unique<Private>())
{
    m_private->state = std::make_shared<RunState>(record);
    m_private->record = std::move(record);
    m_private->source = std::move(source);
    m_private->isStored = gathering != nullptr;
    m_private->isGathered = gathering == nullptr;
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
    const bool isNameless = record.label.empty() && record.spec.name.empty();
    return markedName(isNameless ? QString::fromStdString(record.id.text) : runName(record), record);
}

const Look& RunFeed::look() const
{
    return m_private->look;
}

void RunFeed::setLook(const Look& look)
{
    if (m_private->look != look) {
        m_private->look = look;
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
    return m_private->stored.curve != nullptr ? *m_private->stored.curve : m_private->state->account.loss();
}

int RunFeed::lossNumber() const
{
    return m_private->lossNumber;
}

const store::StoredLoss* RunFeed::lossOutline() const
{
    return m_private->outline.curve == nullptr ? nullptr : &m_private->outline;
}

bool RunFeed::isReading() const
{
    return m_private->isStored && !m_private->source->isOver();
}

const analysis::Curve& RunFeed::accuracy() const
{
    return m_private->state->account.evaluated().accuracy;
}

const store::RunAccount& RunFeed::account() const
{
    return m_private->state->account;
}

const std::vector<RankCard>& RunFeed::ranks() const
{
    return m_private->state->cards.cards();
}

const std::vector<Intervention>& RunFeed::interventions() const
{
    return m_private->state->account.interventions();
}

const TimelineModel& RunFeed::timeline() const
{
    return m_private->state->timeline;
}

const RingModel& RunFeed::ring() const
{
    return m_private->state->ring;
}

const RunState& RunFeed::state() const
{
    return *m_private->state;
}

const wire::Prepared& RunFeed::facts() const
{
    return m_private->state->account.facts();
}

double RunFeed::secondsAt(std::int64_t timeNs) const
{
    const analysis::RunClock& clock = m_private->state->account.clock();
    if (!clock.hasBegun() && m_private->state->machineSamples.empty()) {
        return 0.0;
    }
    const std::int64_t beginNs = clock.hasBegun() ? clock.beginNs() : m_private->state->machineSamples.front().timeNs;
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
    return m_private->state->pace.secondsLeft(facts().totalSteps);
}

std::array<double, PhaseCount> RunFeed::phaseMsPerStep() const
{
    const auto ranks = m_private->state->account.rankSums().summaries(Medians::Without);
    if (ranks.empty()) {
        return m_private->state->pace.phaseMsPerStep();
    }
    // As in its summary: what a step typically takes.
    std::array<double, PhaseCount> means{};
    for (const analysis::RankSummary& rank : ranks) {
        for (std::size_t phase = 0; phase < PhaseCount; ++phase) {
            means[phase] += phaseMsOf(rank)[phase] / static_cast<double>(ranks.size());
        }
    }
    return means;
}

bool RunFeed::pull()
{
    if (m_private->source == nullptr) {
        return false;
    }
    const store::DeltaPtr delta = m_private->source->take();
    if (delta == nullptr || delta->isEmpty()) {
        return false;
    }
    m_private->take(*delta);
    const bool isRecordChanged = m_private->takeStatus(*delta);
    if (analysis::isFinal(m_private->record.status)) {
        m_private->state->cards.end();
    }
    Q_EMIT advanced(delta);
    if (isRecordChanged) {
        Q_EMIT recordChanged();
    }
    return true;
}

void RunFeed::Private::take(const store::Delta& delta)
{
    takeStored(delta);
    if (!isGathered) {
        return;
    }
    state->add(delta);
    if (!state->account.ranks().empty() || state->account.clock().hasBegun()) { // an unreadable file changes nothing
        takeSummary();
    }
    state->account.fillResults(record);
}

void RunFeed::Private::takeStored(const store::Delta& delta)
{
    for (const store::StoredLoss& loss : delta.storedLoss) {
        isLoading = true;
        (loss.isOutline() ? outline : stored) = loss;
    }
    if (!delta.gathered.empty()) {
        isGathered = true;
        state = std::static_pointer_cast<RunState>(delta.gathered.back());
    }
    if (isGathered) {
        stored = {}; // the account has it
    }
}

/// While the rows of a long stored run are read, the summary of its file is the whole one.
void RunFeed::Private::takeSummary()
{
    analysis::Summary summary = state->account.summary();
    if (!isLoading || summary.steps >= record.summary.steps) {
        record.summary = std::move(summary);
        isLoading = false;
    }
}

bool RunFeed::Private::takeStatus(const store::Delta& delta)
{
    const auto& status = state->account.status();
    const bool isNew = status && (!delta.statuses.empty() || !delta.gathered.empty());
    // A stored run has ended: the statuses in its replay are past.
    if (!isNew || (analysis::isFinal(record.status) && !analysis::isFinal(status->status))) {
        return false;
    }
    record.status = status->status;
    record.message = status->message;
    record.messageData = status->data;
    return true;
}

std::unique_ptr<RunFeed> storedFeed(analysis::RunRecord record, const QString& storeFolder)
{
    const auto gathering = std::make_shared<RunState>(record);
    auto source = store::replaySource(storeFolder, record.id, gathering);
    return std::make_unique<RunFeed>(std::move(record), std::move(source), gathering);
}

analysis::RunRecord wholeRecord(const RunFeed& feed)
{
    analysis::RunRecord whole = feed.record();
    feed.account().fill(whole);
    return whole;
}

} // namespace lockstep::ui
