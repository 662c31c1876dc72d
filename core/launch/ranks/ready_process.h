// A lockstep-rank that has loaded LibTorch and waits: the ranks of runs on the CPU are forked from it, which takes
// milliseconds. Where it cannot start or has died, they are started one by one, as without it. Session thread only.
#pragma once

#include "launch/ranks/local_process.h"
#include "wire/ready_messages.h"

#include <QObject>
#include <QSocketNotifier>

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace lockstep::launch {

class ForkedRank;

class ReadyProcess : public QObject {
    Q_OBJECT

public:
    explicit ReadyProcess(QObject* parent);
    /// Its ranks are killed with it.
    ~ReadyProcess() override;

    /// Begins to load. Does nothing while it lives, after it has failed, and where it is not allowed.
    void start(const QString& program);
    /// Whether runs follow the next one.
    void expectMore(bool isExpected) { m_expectsMore = isExpected; }
    /// Whether it can fork a run's ranks, of `program`. Starts for them unless it is one rank that no other follows,
    /// which comes up faster by itself.
    [[nodiscard]] bool offers(const QString& program, std::int32_t ranks);
    /// Forks it as soon as LibTorch and the run's data set are loaded. `environment`: of the rank. A rank that was not
    /// forked before this process ended is started as a process like any other.
    [[nodiscard]] RankProcess* fork(
        std::int32_t rank, const std::string& specJson, const QProcessEnvironment& environment, QObject* parent);

Q_SIGNALS:
    /// It could not start or has died by itself: one line for the log, once. A failure between runs is reported in
    /// offers().
    void failed(const lockstep::Text& line);

private:
    friend class ForkedRank;

    [[nodiscard]] bool send(const ForkedRank& rank, const std::string& specJson, int output, int errors);
    /// `rank` is not wanted any more before it was forked.
    void forget(const ForkedRank& rank);
    void remove(const ForkedRank& rank);
    void read();
    void handle(const wire::ReadyReport& report);
    void onEnded();
    void reportFailure();

    QString m_program;
    LocalProcess* m_process = nullptr;
    int m_socket = -1;
    std::unique_ptr<QSocketNotifier> m_notifier;
    std::map<std::uint32_t, ForkedRank*> m_ranks; ///< forked, or to be forked
    std::uint32_t m_nextId = 1;
    bool m_expectsMore = false;
    bool m_isUnwanted = false; ///< it was ended on purpose
    bool m_hasFailed = false;
    Text m_failure;
};

} // namespace lockstep::launch
