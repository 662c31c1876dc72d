// A recording of lockstep-rank as a run: the messages of all ranks become Deltas, which a writer stores, and a summary.
// Private to the store.
#pragma once

#include "store/account/clock_correction.h"
#include "store/account/run_account.h"
#include "store/account/step_join.h"
#include "store/import_run.h"
#include "wire/messages.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace lockstep::store {

[[nodiscard]] Error notARecording(const std::string& path, const Text& why);

class Recording {
public:
    /// `path`: the file that the user has named; `fresh`: the run's id. `isFollowed`: the ranks are still writing it,
    /// so how far the hosts' clocks are apart is learned meanwhile.
    Recording(std::string path, RunId fresh, const MakeWriter& make, bool isFollowed)
        : m_path(std::move(path))
        , m_fresh(std::move(fresh))
        , m_make(make)
        , m_isFollowed(isFollowed)
    { }

    /// How far the hosts' clocks are apart, before anything is taken.
    void setClocks(ClockCorrection clocks) { m_clocks = std::move(clocks); }
    /// A message of that rank, in the order of its file.
    Result<void> take(std::int32_t rank, wire::Message message);
    /// Stores what was taken.
    Result<void> flush();
    /// `cut`: why no more could be read, although what was is kept.
    Result<analysis::RunRecord> finish(const Result<void>& cut = {});
    [[nodiscard]] bool hasBegun() const { return m_writer != nullptr; }
    /// Every rank has ended.
    [[nodiscard]] bool isOver() const;
    [[nodiscard]] bool hasEndedRank() const;
    /// What is said of ranks that have not ended; at first that the recording ends before the run does.
    void setEnd(Text why) { m_end = std::move(why); }
    [[nodiscard]] Followed followed() const { return {hasBegun() ? m_fresh : RunId(), m_lastStep}; }

private:
    struct Part {
        bool hasBegun = false; ///< with a spec
        std::optional<wire::Goodbye> goodbye{};
        std::int64_t shiftNs = 0; ///< from this rank's clock to that of the first rank's host, by wall clocks
        std::string host{};
    };

    Result<void> start(const wire::Welcome& welcome);
    Result<void> begin(std::int32_t rank, const wire::Welcome& welcome);
    void meet(std::int32_t rank, const wire::Hello& hello);
    void addSteps(StepJoin::Joined joined);
    void decideStatus();
    void noteClocks(std::int32_t rank, bool byWallClocks);

    std::string m_path;
    RunId m_fresh;
    const MakeWriter& m_make;
    bool m_isFollowed;
    std::string m_specJson;
    analysis::RunRecord m_record;
    std::unique_ptr<RunWriter> m_writer;
    ClockCorrection m_clocks;
    RunAccount m_account{RunAccount::Curves::Leave};
    std::map<std::int32_t, Part> m_parts;
    std::int32_t m_worldSize = 1;
    std::optional<StepJoin> m_join; ///< once a rank has said how many there are
    std::optional<wire::Hello> m_first;
    Text m_end = LS_TR("Messages", "the recording ends before the run does");
    bool m_isNoted = false; ///< whose clocks the times are by
    std::int64_t m_lastStep = 0;
    Delta m_delta;
};

} // namespace lockstep::store
