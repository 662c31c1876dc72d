#include "store/recording.h"

#include "base/clock.h"

#include <QFileInfo>

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockstep::store {

namespace {

constexpr std::int32_t MostRanks = 1 << 16;

} // namespace

Error notARecording(const std::string& path, const Text& why)
{
    return failure(LS_TR("Messages", "%1 is not a recording of lockstep-rank: %2"), {verbatim(path), why});
}

Result<void> Recording::start(const wire::Welcome& welcome)
{
    auto spec = experiment::parseRunSpec(welcome.specJson);
    if (!spec) {
        return failure(LS_TR("Messages", "%1: its spec cannot be read: %2"), {verbatim(m_path), spec.error()});
    }
    m_specJson = welcome.specJson;
    m_record.id = m_fresh;
    m_record.spec = std::move(*spec);
    m_account.setSpec(m_record.spec);
    m_record.status = analysis::RunStatus::Running;
    m_record.createdNs = wallNs();
    m_record.importedFrom = QFileInfo(QString::fromStdString(m_path)).fileName().toStdString();
    LOCKSTEP_TRY_ASSIGN(m_writer, m_make(m_record));
    return {};
}

Result<void> Recording::begin(std::int32_t rank, const wire::Welcome& welcome)
{
    if (!m_writer) {
        LOCKSTEP_TRY(start(welcome));
    }
    if (welcome.specJson != m_specJson) {
        return failure(
            LS_TR("Messages", "%1: rank %2 recorded a run with a different spec: these files do not belong to one run"),
            {verbatim(m_path), rank});
    }
    m_parts[rank].hasBegun = true;
    return {};
}

/// Each host counts its own time since it was started. What they have in common, where they have not measured how far
/// their clocks are apart, is the wall clock.
void Recording::meet(std::int32_t rank, const wire::Hello& hello)
{
    m_worldSize = std::max(m_worldSize, hello.worldSize);
    if (!m_join) {
        m_join.emplace(m_worldSize, &m_clocks.clocks());
    }
    if (rank < m_join->ranks()) {
        m_join->setHost(rank, hello.host);
    }
    m_delta.ranks.push_back({rank, RankState::Starting, {}});
    m_parts[rank].host = hello.host;
    if (!m_first) {
        m_first = hello;
    } else if (!m_isFollowed && hello.host != m_first->host && !m_clocks.clocks().at(rank, 0)) {
        const bool isKnown = hello.clockOffsetNs != 0 && m_first->clockOffsetNs != 0;
        m_parts[rank].shiftNs = isKnown ? hello.clockOffsetNs - m_first->clockOffsetNs : 0;
        noteClocks(rank, isKnown);
    }
}

void Recording::noteClocks(std::int32_t rank, bool byWallClocks)
{
    if (!std::exchange(m_isNoted, true)) {
        m_delta.logs.push_back({rank,
            wire::LogLine::of(monotonicNs(), wire::LogLevel::Warning,
                byWallClocks
                    ? LS_TR("Messages",
                        "the ranks ran on several hosts: their times are put together by the hosts' wall clocks, and "
                        "differ by as much as these do")
                    : LS_TR("Messages",
                        "the ranks ran on several hosts whose clocks are not known: times of different hosts cannot "
                        "be compared"))});
    }
}

bool Recording::isOver() const
{
    for (std::int32_t rank = 0; rank < m_worldSize; ++rank) {
        const auto part = m_parts.find(rank);
        if (part == m_parts.end() || !part->second.goodbye) {
            return false;
        }
    }
    return true;
}

Result<void> Recording::take(std::int32_t rank, wire::Message message)
{
    if (const auto* welcome = std::get_if<wire::Welcome>(&message); welcome != nullptr && !m_parts[rank].hasBegun) {
        return begin(rank, *welcome);
    }
    if (!m_parts[rank].hasBegun) {
        return notARecording(m_path, LS_TR("Messages", "it does not begin with a spec"));
    }
    if (const auto* hello = std::get_if<wire::Hello>(&message)) {
        if (hello->worldSize > MostRanks || hello->rank < 0 || hello->rank >= MostRanks) {
            return notARecording(m_path, LS_TR("Messages", "its number of ranks is out of range"));
        }
        meet(rank, *hello);
    } else if (const auto* goodbye = std::get_if<wire::Goodbye>(&message)) {
        m_parts[rank].goodbye = *goodbye;
    } else if (const auto* sample = std::get_if<wire::ClockSample>(&message); sample != nullptr && m_isFollowed) {
        m_clocks.learn(*sample);
    }
    if (const std::int64_t ns = m_parts[rank].shiftNs; ns != 0) {
        message = withShiftedTimes(std::move(message), ns);
    }
    if (const auto* steps = std::get_if<wire::StepBatch>(&message);
        steps != nullptr && m_join && rank < m_join->ranks()) {
        addSteps(m_join->add(rank, *steps));
    } else {
        m_delta.add(rank, message);
    }
    return {};
}

void Recording::addSteps(StepJoin::Joined joined)
{
    for (const auto& [rank, batch] : joined.steps) {
        m_lastStep = std::max(m_lastStep, batch.rows.back().step);
    }
    std::ranges::move(joined.steps, std::back_inserter(m_delta.steps));
    std::ranges::move(joined.spans, std::back_inserter(m_delta.spans));
}

Result<void> Recording::flush()
{
    if (!m_writer) {
        return {};
    }
    m_account.add(m_clocks.isNeeded() ? m_clocks.applied(m_delta) : m_delta);
    auto done = m_writer->add(m_delta);
    m_delta = {};
    return done;
}

/// Finished where every rank is; else what the first rank that is not has said.
void Recording::decideStatus()
{
    m_record.status = analysis::RunStatus::Finished;
    for (std::int32_t rank = 0; rank < m_worldSize; ++rank) {
        const auto part = m_parts.find(rank);
        if (part == m_parts.end() || !part->second.goodbye) {
            const Text cut = part == m_parts.end()
                ? Text(LS_TR("Messages", "the recording of rank %1 is not among these files"), {rank})
                : m_end;
            m_delta.ranks.push_back({rank, RankState::Lost, cut.english, packed(cut)});
            if (m_record.status == analysis::RunStatus::Finished) {
                m_record.status = analysis::RunStatus::Interrupted;
                m_record.setWhy(cut);
            }
            continue;
        }
        const wire::Goodbye& goodbye = *part->second.goodbye;
        const bool bad = goodbye.outcome == wire::Outcome::Failed || goodbye.outcome == wire::Outcome::Refused;
        const bool isStopped = goodbye.outcome == wire::Outcome::Stopped;
        if ((bad && m_record.status != analysis::RunStatus::Failed)
            || (isStopped && m_record.status == analysis::RunStatus::Finished)) {
            m_record.status = bad ? analysis::RunStatus::Failed : analysis::RunStatus::Stopped;
            m_record.setWhy(goodbye.said());
        } else if (m_record.message.empty()) {
            m_record.setWhy(goodbye.said());
        }
    }
}

bool Recording::hasEndedRank() const
{
    return std::ranges::any_of(m_parts, [](const auto& part) { return part.second.goodbye.has_value(); });
}

Result<analysis::RunRecord> Recording::finish(const Result<void>& cut)
{
    if (!m_writer) {
        return notARecording(m_path, LS_TR("Messages", "it contains no complete frame"));
    }
    if (m_join) {
        addSteps(m_join->takeRest());
    }
    for (const auto& [rank, part] : m_parts) {
        const bool isElsewhere = m_first && !part.host.empty() && part.host != m_first->host;
        if (m_isFollowed && isElsewhere && !m_clocks.clocks().at(rank, 0)) {
            noteClocks(rank, false);
        }
    }
    decideStatus();
    if (!cut) {
        m_record.status = analysis::RunStatus::Interrupted;
        m_record.setWhy(cut.error());
    }
    m_delta.statuses.push_back({m_record.status, m_record.message, wallNs(), m_record.messageData});
    LOCKSTEP_TRY(flush());
    m_record.summary = m_account.summary();
    LOCKSTEP_TRY(m_writer->finish(m_record.status, m_record.why(), m_record.summary));
    return m_record;
}

} // namespace lockstep::store
