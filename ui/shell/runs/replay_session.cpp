#include "ui/shell/runs/replay_session.h"

#include "ui/models/shown_text.h"
#include "ui/pages/replay_bar.h"
#include "ui/shell/runs/run_controller.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lockstep::ui {

namespace {

constexpr int PollMs = 20;

} // namespace

ReplaySession::ReplaySession(QString storeFolder, RunController& controller, ReplayBar& bar, QObject* parent)
    : QObject(parent)
    , m_storeFolder(std::move(storeFolder))
    , m_controller(controller)
    , m_bar(bar)
{
    m_poll.setInterval(PollMs);
    connect(&m_poll, &QTimer::timeout, this, &ReplaySession::poll);
    connect(&controller.shown(), &ShownFeeds::replayEnded, this, &ReplaySession::end);
    connect(&controller.shown(), &ShownFeeds::aboutToTick, this, [this] {
        if (m_player && m_player->isPlaying()) {
            m_player->advance(static_cast<double>(m_sinceTick.nsecsElapsed()) / 1e9);
            m_sinceTick.start();
        }
    });
    connect(&controller, &RunController::ticked, this, &ReplaySession::showState);
    connect(&bar, &ReplayBar::playRequested, this, &ReplaySession::togglePlay);
    connect(&bar, &ReplayBar::stepBackRequested, this, &ReplaySession::stepBack);
    connect(&bar, &ReplayBar::stepForwardRequested, this, &ReplaySession::stepForward);
    connect(&bar, &ReplayBar::messageRequested, this, &ReplaySession::nextMessage);
    connect(&bar, &ReplayBar::seekRequested, this, &ReplaySession::seek);
    connect(&bar, &ReplayBar::speedChosen, this, &ReplaySession::setSpeed);
    connect(&bar, &ReplayBar::leaveRequested, this, &ReplaySession::leave);
}

ReplaySession::~ReplaySession() = default;

void ReplaySession::start(const std::vector<RunId>& ids)
{
    leave();
    for (const RunId& id : ids) {
        const analysis::RunRecord* record = m_controller.table().record(id);
        if (record != nullptr && analysis::isFinal(record->status)) {
            m_reading.push_back({*record, std::make_unique<store::ReplayedRunReader>(m_storeFolder, id), nullptr});
        }
    }
    if (m_reading.empty()) {
        Q_EMIT failed(tr("There is no finished run to replay: select one in the list of runs."));
        return;
    }
    m_poll.start();
    showState();
    Q_EMIT changed();
}

void ReplaySession::leave()
{
    if (m_player) {
        m_controller.shown().endReplay();
    } else if (!m_reading.empty()) {
        end();
    }
}

void ReplaySession::poll()
{
    for (Reading& each : m_reading) {
        auto read = each.recording == nullptr ? each.reader->take() : std::nullopt;
        if (read && !*read) {
            const QString message = shownText(read->error().message);
            end();
            Q_EMIT failed(message);
            return;
        }
        if (read) {
            each.recording = **read;
        }
    }
    if (std::ranges::all_of(m_reading, [](const Reading& each) { return each.recording != nullptr; })) {
        begin();
    }
}

void ReplaySession::begin()
{
    m_poll.stop();
    m_runs = std::exchange(m_reading, {});
    std::vector<store::ReplayedRunPtr> recordings;
    std::ranges::transform(m_runs, std::back_inserter(recordings), &Reading::recording);
    m_player.emplace(std::move(recordings));
    m_sinceTick.start();
    m_controller.shown().replay(feeds());
    m_controller.shown().setTicking(true);
    showState();
}

/// What was shown is shown again; its log lines come back from the recordings.
void ReplaySession::end()
{
    m_poll.stop();
    m_reading.clear();
    m_player.reset();
    for (const Reading& each : std::exchange(m_runs, {})) {
        const RunFeed* feed = m_controller.shown().find(each.record.id);
        const auto whole = each.recording->between(
            std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
        if (feed != nullptr && whole != nullptr) {
            m_controller.log().append(feed->id(), feed->displayName(), *whole);
        }
    }
    Q_EMIT changed();
}

std::vector<std::unique_ptr<RunFeed>> ReplaySession::feeds() const
{
    std::vector<std::unique_ptr<RunFeed>> feeds;
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        feeds.push_back(std::make_unique<RunFeed>(recordAtStart(m_runs[i].record), m_player->source(i)));
    }
    return feeds;
}

void ReplaySession::move(const std::function<void(ReplayPlayer&)>& how)
{
    if (!m_player) {
        return;
    }
    const double before = m_player->seconds();
    how(*m_player);
    ShownFeeds& shown = m_controller.shown();
    if (m_player->seconds() < before) {
        shown.replay(feeds());
    }
    shown.setTicking(m_player->isPlaying());
    m_sinceTick.start();
    shown.tick();
    showState();
}

void ReplaySession::togglePlay()
{
    move([](ReplayPlayer& player) { player.isPlaying() ? player.pause() : player.play(); });
}

void ReplaySession::stepBack()
{
    move(&ReplayPlayer::stepBack);
}

void ReplaySession::stepForward()
{
    move(&ReplayPlayer::stepForward);
}

void ReplaySession::nextMessage()
{
    if (m_player && m_player->hasMessages()) {
        move(&ReplayPlayer::nextMessage);
    }
}

void ReplaySession::seek(double seconds)
{
    move([seconds](ReplayPlayer& player) { player.seek(seconds); });
}

void ReplaySession::setSpeed(double speed)
{
    if (m_player) {
        m_player->setSpeed(speed);
        showState();
    }
}

void ReplaySession::showState()
{
    if (!isOn()) {
        return;
    }
    ReplayState state;
    QStringList names;
    for (const Reading& each : m_player ? m_runs : m_reading) {
        names << runName(each.record);
    }
    state.runs = names.join(tr(", "));
    state.isReading = !m_player;
    if (m_player) {
        state.seconds = m_player->seconds();
        state.length = m_player->length();
        state.speed = m_player->speed();
        state.isPlaying = m_player->isPlaying();
        state.hasMessages = m_player->hasMessages();
        for (const RunFeed* feed : m_controller.feeds()) {
            state.step = std::max(state.step, feed->loss().size() == 0 ? 0 : feed->loss().step.back());
        }
        m_controller.shown().setTicking(state.isPlaying);
    }
    m_bar.setState(state);
}

} // namespace lockstep::ui
