#include "launch/interrupts.h"

#include "base/descriptor.h"
#include "base/exit_code.h"
#include "base/translate.h"
#include "language/language.h"

#include <array>
#include <atomic>
#include <csignal>
#include <string>

#include <fcntl.h>
#include <unistd.h>

namespace lockstep::launch {

namespace {

constexpr std::array Watched{SIGINT, SIGTERM, SIGHUP};
std::array<struct sigaction, Watched.size()> s_before{};

/// A signal handler can reach nothing but a global.
std::array<int, 2> s_pipe{-1, -1};

/// This process then ends, whatever its threads wait for; the kernel ends its ranks. No handler may make a text.
std::string s_lastWords;
std::atomic<int> s_hangUps = 0;
std::atomic<int> s_others = 0;
std::atomic<int> s_signals = 0; ///< the larger of the two

/// From the second signal on: to SIGKILL a rank and to close the run's file takes less.
constexpr unsigned PatienceSeconds = 5;

void endNow(int)
{
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, s_lastWords.data(), s_lastWords.size());
    _exit(ExitRunFailed);
}

/// systemd ends a session with SIGTERM and SIGHUP at once, a terminal may add SIGHUP: together they are one request.
void onSignal(int signal)
{
    int before = signal == SIGHUP ? s_hangUps++ : s_others++;
    const int count = before + 1;
    if (!s_signals.compare_exchange_strong(before, count)) {
        return;
    }
    if (count == 2) {
        alarm(PatienceSeconds);
    }
    const char byte = 1;
    const int error = errno; // the interrupted call's
    [[maybe_unused]] const auto written = ::write(s_pipe[1], &byte, 1);
    errno = error;
}

} // namespace

Interrupts::Interrupts(QObject* parent)
    : QObject(parent)
{
    if (pipe2(s_pipe.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
        return; // Ctrl+C then ends this process at once, and the kernel its ranks
    }
    m_notifier = std::make_unique<QSocketNotifier>(s_pipe[0], QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, [this] {
        char byte = 0;
        while (uninterrupted([&] { return read(s_pipe[0], &byte, 1); }) == 1) {
            Q_EMIT interrupted(++m_count);
        }
    });
    for (std::atomic<int>* each : {&s_hangUps, &s_others, &s_signals}) {
        *each = 0;
    }
    s_lastWords
        = language::told(LS_TR("CommandLine", "the ranks could not be ended in time: this process ends")) + "\n";
    struct sigaction alarmed { };
    alarmed.sa_handler = endNow;
    sigaction(SIGALRM, &alarmed, nullptr);
    struct sigaction action { };
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;
    for (std::size_t i = 0; i < Watched.size(); ++i) {
        sigaction(Watched[i], nullptr, &s_before[i]);
        if (s_before[i].sa_handler != SIG_IGN) { // nohup, or a shell's background job: stays ignored
            sigaction(Watched[i], &action, nullptr);
        }
    }
}

Interrupts::~Interrupts()
{
    if (!m_notifier) {
        return;
    }
    for (std::size_t i = 0; i < Watched.size(); ++i) {
        sigaction(Watched[i], &s_before[i], nullptr);
    }
    alarm(0);
    signal(SIGALRM, SIG_DFL);
    m_notifier.reset();
    close(s_pipe[0]);
    close(s_pipe[1]);
}

} // namespace lockstep::launch
