#include "launch/ranks/ready_process.h"

#include "base/descriptor.h"
#include "base/translate.h"
#include "launch/ranks/forked_rank.h"

#include <QFile>
#include <QMetaMethod>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

namespace lockstep::launch {

namespace {

using namespace Qt::StringLiterals;

/// An anonymous file with the environment as NAME=VALUE entries that end with a zero byte each; below 0: there is none.
int environmentFile(const QProcessEnvironment& environment)
{
    QByteArray text;
    for (const QString& entry : environment.toStringList()) {
        text += QFile::encodeName(entry) + '\0';
    }
    const int file = memfd_create("lockstep-environment", MFD_CLOEXEC);
    const bool isWritten = file >= 0 && writeAll(file, {text.constData(), static_cast<std::size_t>(text.size())});
    text.fill('\0'); // the secret is in it
    if (!isWritten && file >= 0) {
        close(file);
    }
    return isWritten ? file : -1;
}

/// One thread each: the ready process must have no other, and a rank sets its own number.
QProcessEnvironment readyEnvironment()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"OMP_NUM_THREADS"_s, u"1"_s);
    environment.insert(u"OPENBLAS_NUM_THREADS"_s, u"1"_s);
    return environment;
}

/// LOCKSTEP_READY=0 turns it off; AddressSanitizer and ThreadSanitizer do not survive a fork.
bool isAllowed()
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return false;
#else
    return qEnvironmentVariable("LOCKSTEP_READY") != u"0";
#endif
}

} // namespace

ReadyProcess::ReadyProcess(QObject* parent)
    : QObject(parent)
{ }

ReadyProcess::~ReadyProcess()
{
    if (m_socket >= 0) {
        close(m_socket);
    }
}

void ReadyProcess::start(const QString& program)
{
    if (m_process != nullptr || m_hasFailed || !isAllowed()) {
        return;
    }
    std::array<int, 2> pair{-1, -1};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()) != 0) {
        m_hasFailed = true;
        m_failure = {LS_TR("Messages", "could not be started: %1"), {systemError()}};
        return;
    }
    m_program = program;
    m_isUnwanted = false;
    m_socket = pair[0];
    m_notifier = std::make_unique<QSocketNotifier>(m_socket, QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &ReadyProcess::read);
    m_process = new LocalProcess(0, this);
    // Queued: it may fail within start().
    connect(m_process, &RankProcess::ended, this, &ReadyProcess::onEnded, Qt::QueuedConnection);
    m_process->start({.program = program,
        .arguments = {u"--ready"_s, QString::number(pair[1])},
        .environment = readyEnvironment(),
        .inherited = pair[1]});
    close(pair[1]);
}

bool ReadyProcess::offers(const QString& program, std::int32_t ranks)
{
    if (m_expectsMore || ranks > 1) {
        start(program);
    }
    reportFailure();
    return m_process != nullptr && !m_isUnwanted && m_program == program && isAllowed();
}

RankProcess* ReadyProcess::fork(
    std::int32_t rank, const std::string& specJson, const QProcessEnvironment& environment, QObject* parent)
{
    auto* forked = new ForkedRank(rank, m_nextId++, this, environment, parent);
    if (m_process != nullptr && forked->ask(specJson)) {
        m_ranks[forked->id()] = forked;
    } else {
        forked->startDirectly(m_program);
    }
    return forked;
}

bool ReadyProcess::send(const ForkedRank& rank, const std::string& specJson, int output, int errors)
{
    const int variables = environmentFile(rank.environment());
    if (variables < 0) {
        return false;
    }
    wire::ForkRequest request{rank.id()};
    const std::array<int, wire::ForkDescriptors> descriptors{variables, output, errors};
    std::array<iovec, 2> parts{
        iovec{&request, sizeof(request)}, iovec{const_cast<char*>(specJson.data()), specJson.size()}};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(descriptors))> control{};
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = parts.size();
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(descriptors));
    std::memcpy(CMSG_DATA(head), descriptors.data(), sizeof(descriptors));
    // Without waiting: a ready process that accepts no more requests cannot be used.
    const bool isSent = sizeof(request) + specJson.size() <= wire::MostForkBytes
        && uninterrupted([&] { return sendmsg(m_socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT); }) >= 0;
    close(variables);
    return isSent;
}

void ReadyProcess::forget(const ForkedRank& rank)
{
    remove(rank);
    const bool hasForked
        = std::any_of(m_ranks.begin(), m_ranks.end(), [](const auto& each) { return each.second->isForked(); });
    if (m_process != nullptr && !hasForked) {
        m_isUnwanted = true; // it may be reading a file that does not answer
        m_process->kill();
    }
}

void ReadyProcess::remove(const ForkedRank& rank)
{
    m_ranks.erase(rank.id());
}

void ReadyProcess::read()
{
    wire::ReadyReport report;
    while (m_socket >= 0) {
        const ssize_t got = recv(m_socket, &report, sizeof(report), MSG_DONTWAIT);
        if (got == sizeof(report)) {
            handle(report);
        } else if (got >= 0 || (errno != EINTR && errno != ECONNRESET)) { // reports may follow a reset
            // onEnded() reports its end and reads what is left.
            m_notifier->setEnabled(got < 0);
            return;
        }
    }
}

void ReadyProcess::handle(const wire::ReadyReport& report)
{
    if (report.kind == wire::ReadyReport::Kind::Loaded) {
        if (report.value != static_cast<std::int32_t>(wire::ProtocolVersion)) {
            m_failure = LS_TR("Messages", "was built from other sources");
            m_hasFailed = true;
            m_process->kill();
        }
        return;
    }
    const auto found = m_ranks.find(report.id);
    if (found != m_ranks.end()) {
        found->second->onReport(report);
    } else if (report.kind == wire::ReadyReport::Kind::Started) {
        ::kill(report.value, SIGKILL); // it was not wanted any more
    }
}

void ReadyProcess::onEnded()
{
    read();
    const Text cause = m_process->causeOfEnd();
    const auto& lines = m_process->lastLines();
    if (!m_isUnwanted && !std::exchange(m_hasFailed, true)) {
        m_failure = lines.empty() ? cause : Text(LS_TR("Messages", "%1: %2"), {cause, verbatim(lines.back())});
    }
    m_notifier.reset();
    close(std::exchange(m_socket, -1));
    m_process->deleteLater();
    m_process = nullptr;
    for (const auto& [id, rank] : std::exchange(m_ranks, {})) {
        if (rank->isForked()) {
            rank->onReadyEnded(cause);
        } else {
            rank->startDirectly(m_program);
        }
    }
    reportFailure();
}

void ReadyProcess::reportFailure()
{
    if (!m_failure.empty() && isSignalConnected(QMetaMethod::fromSignal(&ReadyProcess::failed))) {
        Q_EMIT failed({LS_TR("Messages", "the ready process %1; the ranks are started without it, which takes longer"),
            {std::exchange(m_failure, {})}});
    }
}

} // namespace lockstep::launch
