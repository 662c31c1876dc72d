// Progress of headless runs on stderr: a line when a run's state changes, and now and then the progress of those that
// are alive, which rewrites itself on a terminal.
#pragma once

#include "launch/session.h"
#include "store/account/delta.h"

#include <QObject>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::cli {

/// Of a run that did not finish: `SGD failed: rank 1 was killed by signal 9 (Killed)`. That of a refusal begins with
/// the parameter at fault.
[[nodiscard]] std::string failureLine(const launch::Session& session, const RunId& id);

class RunProgress : public QObject {
    Q_OBJECT

public:
    /// `showsStart`: also shows which ranks are awaited until the first one is ready.
    RunProgress(launch::Session& session, std::vector<RunId> ids, bool showsStart = false);

    void onStatusChanged(const RunId& id, analysis::RunStatus status, const QString& message);

private:
    /// What is known of one run.
    struct Seen {
        std::unique_ptr<store::DeltaSource> source{}; ///< while it is alive
        bool isPrepared = false; ///< a rank is ready
        std::int64_t step = 0;
        std::int64_t totalSteps = 0;
        double lossSum = 0.0;
        std::int64_t lossSamples = 0;
        double loss = analysis::NotMeasured;
        double accuracy = analysis::NotMeasured;
    };

    void tick();
    /// What a run's failure has to do with the others, where that is all there is to say of it; gives whether it is.
    [[nodiscard]] bool sayWhatOthersShare(const RunId& id, analysis::RunStatus status);
    void sayHowItStarts(std::size_t index, const store::DeltaPtr& delta);
    static void read(Seen& run, const store::DeltaPtr& delta);
    void say(const std::string& line, bool isPassing);
    [[nodiscard]] std::string prefix(std::size_t index) const;

    launch::Session& m_session;
    std::vector<RunId> m_ids;
    bool m_showsStart;
    std::vector<Seen> m_seen; ///< by place
    bool m_isTerminal;
    bool m_hasPassingLine = false;
    QTimer m_timer;
};

} // namespace lockstep::cli
