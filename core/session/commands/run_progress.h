// Progress of a headless run on stderr: a line when a run's state changes, and now and then its progress, which
// rewrites itself on a terminal.
#pragma once

#include "session/delta.h"
#include "session/session.h"

#include <QObject>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <vector>

namespace lockstep::session {

class RunProgress : public QObject {
    Q_OBJECT

public:
    RunProgress(Session& session, std::vector<RunId> ids, QObject* parent = nullptr);

    void onStatusChanged(const RunId& id, analysis::RunStatus status, const QString& message);

private:
    void tick();
    void read(const DeltaPtr& delta);
    void say(const std::string& line, bool isPassing);
    [[nodiscard]] std::string prefix() const;

    Session& m_session;
    std::vector<RunId> m_ids;
    std::unique_ptr<DeltaSource> m_source; ///< of the current run
    std::size_t m_index = 0;
    std::int64_t m_step = 0;
    std::int64_t m_totalSteps = 0;
    double m_lossSum = 0.0;
    std::int64_t m_lossSamples = 0;
    double m_loss = analysis::NotMeasured;
    double m_accuracy = analysis::NotMeasured;
    bool m_isTerminal;
    bool m_hasPassingLine = false;
    QTimer m_timer;
};

} // namespace lockstep::session
