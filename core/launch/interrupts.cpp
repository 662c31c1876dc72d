#include "launch/interrupts.h"

#include "base/descriptor.h"
#include "base/exit_code.h"
#include "base/translate.h"
#include "language/language.h"

#include <array>
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
volatile std::sig_atomic_t s_signals = 0;

/// From the second signal on: to SIGKILL a rank and to close the run's file takes less.
constexpr unsigned PatienceSeconds = 5;

void endNow(int)
{
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, s_lastWords.data(), s_lastWords.size());
    _exit(ExitRunFailed);
}

void onSignal(int)
{
    s_signals = s_signals + 1;
    if (s_signals == 2) {
        alarm(PatienceSeconds);
    }
    const char byte = 1;
    const int before = errno; // the interrupted call's
    [[maybe_unused]] const auto written = ::write(s_pipe[1], &byte, 1);
    errno = before;
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
    s_signals = 0;
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
