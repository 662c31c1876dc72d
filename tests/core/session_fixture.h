// A session over fake ranks and a separate store, with queries for tests.
#pragma once

#include "launch/session.h"
#include "store/run_store.h"

#include <QObject>
#include <QTemporaryDir>

#include <memory>
#include <string>
#include <vector>

namespace lockstep::tests {

/// The SGD variant of the preset `optimizers`, complete.
[[nodiscard]] experiment::RunSpec fakeSpec();
/// Options with more ranks than the spec's strategy needs: fakes do not mind.
[[nodiscard]] launch::SessionOptions withRanks(std::int32_t ranks);
[[nodiscard]] QString fakeRankProgram();
/// Processes whose parent is this one, zombies left out.
[[nodiscard]] std::vector<int> childProcesses();

class SessionFixture : public QObject {
    Q_OBJECT

public:
    explicit SessionFixture(launch::SessionOptions options = {});
    ~SessionFixture() override;

    /// Sets LOCKSTEP_FAKE and starts one run.
    RunId start(const QByteArray& fake);
    /// Waits for the end of that run; false after `limitMs`.
    [[nodiscard]] bool waitForEnd(const RunId& id, int limitMs = 60'000);
    [[nodiscard]] bool waitForStatus(const RunId& id, analysis::RunStatus status, int limitMs = 60'000);
    /// Ends the session as closing the window does.
    void closeSession() { m_session.reset(); }

    [[nodiscard]] launch::Session& session() { return *m_session; }
    [[nodiscard]] analysis::RunRecord record(const RunId& id) const { return m_session->record(id); }
    [[nodiscard]] QStringList statuses(const RunId& id) const;
    [[nodiscard]] QString storeFolder() const { return m_folder.path(); }
    /// Everything that is stored of the run, as one Delta.
    [[nodiscard]] store::Delta stored(const RunId& id) const;

private:
    QTemporaryDir m_folder;
    std::unique_ptr<launch::Session> m_session;
    std::vector<std::pair<RunId, analysis::RunStatus>> m_statuses;
    std::vector<RunId> m_ended;
};

/// Steps of one rank in the order in which they are stored.
[[nodiscard]] std::vector<std::int64_t> stepsOf(const store::Delta& delta, std::int32_t rank);
[[nodiscard]] QStringList logLines(const store::Delta& delta);

} // namespace lockstep::tests
