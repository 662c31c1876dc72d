#include "launch/queue/queue_link.h"

#include "launch/queue/queue_request.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

namespace lockstep::launch {

namespace {

constexpr int ReopenMs = 300;

} // namespace

QueueLink::QueueLink(QString storeFolder, Session& session, QObject* parent)
    : QObject(parent)
    , m_folder(std::move(storeFolder))
    , m_session(session)
{
    m_retry.setSingleShot(true);
    m_retry.setInterval(ReopenMs);
    connect(&m_retry, &QTimer::timeout, this, &QueueLink::tryOpen);
    connect(&m_socket, &QLocalSocket::connected, this, [this] { request({{"do", "watch"}}); });
    connect(&m_socket, &QLocalSocket::readyRead, this, &QueueLink::read);
    // The owner has ended, or does not listen yet.
    connect(&m_socket, &QLocalSocket::disconnected, &m_retry, qOverload<>(&QTimer::start));
    connect(&m_socket, &QLocalSocket::errorOccurred, this, [this] {
        if (m_socket.state() == QLocalSocket::UnconnectedState) {
            m_retry.start();
        }
    });
}

QueueLink::~QueueLink()
{
    m_socket.disconnect(this);
}

void QueueLink::open()
{
    QDir().mkpath(m_folder); // the store says why, if it cannot be made
    tryOpen();
}

void QueueLink::tryOpen()
{
    auto queue = ExperimentQueue::open(m_folder);
    if (!queue) {
        m_problem = queue.error();
        if (QFileInfo(m_folder).isWritable()) { // else the store says why
            Q_EMIT failed(*m_problem);
        }
    } else if (*queue) {
        own(*std::move(queue));
    } else {
        join();
    }
}

void QueueLink::own(std::unique_ptr<ExperimentQueue> queue)
{
    m_queue = std::move(queue);
    if (!m_hasJoined && m_queue->state().next() != nullptr) {
        if (const auto paused = m_queue->pause(); !paused) {
            Q_EMIT failed(paused.error());
        }
    }
    connect(m_queue.get(), &ExperimentQueue::changed, this, &QueueLink::changed);
    connect(m_queue.get(), &ExperimentQueue::idle, this, &QueueLink::idle);
    connect(m_queue.get(), &ExperimentQueue::began, this, &QueueLink::began);
    connect(m_queue.get(), &ExperimentQueue::ended, this, &QueueLink::ended);
    m_server = std::make_unique<QueueServer>(*m_queue);
    if (const auto listening = m_server->listen(m_folder); !listening) {
        Q_EMIT failed(listening.error());
    }
    m_queue->carryOut(m_session);
    Q_EMIT changed();
}

void QueueLink::join()
{
    const auto address = queueSocket(m_folder);
    if (!address) {
        m_problem = address.error();
        Q_EMIT failed(*m_problem);
        return;
    }
    m_socket.connectToServer(*address);
}

void QueueLink::read()
{
    while (m_socket.canReadLine()) {
        auto state = stateOf(m_socket.readLine());
        if (state) {
            m_hasJoined = true;
            m_heard = *std::move(state);
            Q_EMIT changed();
        } else {
            Q_EMIT failed(state.error());
        }
    }
}

void QueueLink::interrupt()
{
    if (m_queue != nullptr) {
        m_queue->interrupt();
    } else {
        Q_EMIT idle();
    }
}

qint64 QueueLink::owner() const
{
    return m_queue ? QCoreApplication::applicationPid() : QueueLock::owner(m_folder);
}

std::vector<RunId> QueueLink::ownRuns() const
{
    return m_queue ? m_queue->activeRuns() : std::vector<RunId>();
}

void QueueLink::request(const nlohmann::ordered_json& request)
{
    const QByteArray line = lineOf(request);
    if (m_queue) {
        if (const auto answered = stateOf(lineOf(answerRequest(*m_queue, line))); !answered) {
            Q_EMIT failed(answered.error());
        }
    } else if (m_socket.state() == QLocalSocket::ConnectedState) {
        m_socket.write(line);
    } else {
        Q_EMIT failed(m_problem.value_or(failure(LS_TR("Messages", "queue: its owner does not answer"))));
    }
}

std::int64_t QueueLink::add(const std::string& name, const std::vector<experiment::RunSpec>& runs, bool atOnce)
{
    if (!m_queue) {
        request(addRequest(name, runs, atOnce));
        return 0;
    }
    const auto id = m_queue->add(name, runs, atOnce ? ExperimentQueue::Begin::AtOnce : ExperimentQueue::Begin::InLine);
    if (!id) {
        Q_EMIT failed(id.error());
        return 0;
    }
    return *id;
}

} // namespace lockstep::launch
