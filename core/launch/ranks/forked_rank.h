// A rank that a ready process forks. Private to launch.
#pragma once

#include "launch/ranks/ready_process.h"

#include <QPointer>
#include <QTimer>

#include <array>

namespace lockstep::launch {

class ForkedRank final : public RankProcess {
    Q_OBJECT

public:
    ForkedRank(std::int32_t rank, std::uint32_t id, ReadyProcess* ready, const QProcessEnvironment& environment,
        QObject* parent);
    /// Kills its group if it still exists.
    ~ForkedRank() override;

    /// Opens its pipes and asks the ready process; false: that is not possible.
    [[nodiscard]] bool ask(const std::string& specJson);
    /// As a separate process, because the ready process cannot fork it.
    void startDirectly(const QString& program);

    [[nodiscard]] std::uint32_t id() const { return m_id; }
    [[nodiscard]] const QProcessEnvironment& environment() const { return m_environment; }
    [[nodiscard]] bool isForked() const { return m_group > 0; }

    [[nodiscard]] bool isAlive() const override;
    [[nodiscard]] bool endedWell() const override;
    [[nodiscard]] bool wasNotStarted() const override
    {
        return m_direct != nullptr ? m_direct->wasNotStarted() : m_notStarted;
    }
    [[nodiscard]] Text causeOfEnd() const override;
    void terminate() override;
    void kill() override;

    void onReport(const wire::ReadyReport& report);
    /// The ready process has ended, and the kernel has killed its ranks.
    void onReadyEnded(const Text& cause);

private:
    struct Stream {
        wire::LogLevel level;
        int descriptor = -1;
        QByteArray rest{};
        std::unique_ptr<QSocketNotifier> notifier{};
    };

    void readOutput(Stream& stream);
    void end(Text cause, bool isWell);
    void signalGroup(int signal) const;

    std::uint32_t m_id;
    QPointer<ReadyProcess> m_ready;
    QProcessEnvironment m_environment;
    std::array<Stream, 2> m_streams{Stream{wire::LogLevel::Info}, Stream{wire::LogLevel::Warning}};
    QTimer m_killTimer;
    LocalProcess* m_direct = nullptr;
    std::int32_t m_group = 0; ///< process group, equal to the pid
    Text m_cause;
    bool m_endedWell = false;
    bool m_notStarted = false;
};

} // namespace lockstep::launch
