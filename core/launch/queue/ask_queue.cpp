#include "launch/queue/ask_queue.h"

#include "launch/queue/experiment_queue.h"
#include "launch/queue/queue_request.h"

#include <fmt/format.h>

#include <QDeadlineTimer>
#include <QLocalSocket>
#include <QThread>

#include <nlohmann/json.hpp>

namespace lockstep::launch {

namespace {

constexpr int AnswerLimitMs = 5000;
constexpr unsigned long RetryMs = 50;

Result<QueueAnswer> answerFrom(const QByteArray& line)
{
    LOCKSTEP_TRY_ASSIGN(auto state, stateOf(line));
    const auto json = nlohmann::ordered_json::parse(line.constData(), line.constData() + line.size());
    const auto id = json.find("id");
    return QueueAnswer{std::move(state), id != json.end() && id->is_number_integer() ? id->get<std::int64_t>() : 0};
}

/// Nothing where no owner listens: it may just begin or end.
Result<std::optional<QByteArray>> askOwner(const QString& address, const QByteArray& request)
{
    QLocalSocket socket;
    socket.connectToServer(address);
    if (!socket.waitForConnected(AnswerLimitMs)) {
        return std::optional<QByteArray>();
    }
    socket.write(request);
    const QDeadlineTimer limit(AnswerLimitMs);
    while (!socket.canReadLine()) {
        if (!socket.waitForReadyRead(static_cast<int>(limit.remainingTime()))) {
            return limit.hasExpired() ? failure(LS_TR("Messages", "queue: its owner does not answer"))
                                      : failure(LS_TR("Messages", "queue: its owner has just ended"));
        }
    }
    return std::optional(socket.readLine());
}

} // namespace

Result<QueueAnswer> askQueue(const QString& storeFolder, const nlohmann::ordered_json& request)
{
    const QDeadlineTimer limit(AnswerLimitMs);
    do {
        LOCKSTEP_TRY_ASSIGN(const auto queue, ExperimentQueue::open(storeFolder));
        if (queue) {
            return answerFrom(lineOf(answerRequest(*queue, lineOf(request).trimmed())));
        }
        LOCKSTEP_TRY_ASSIGN(const QString address, queueSocket(storeFolder));
        LOCKSTEP_TRY_ASSIGN(const auto answer, askOwner(address, lineOf(request)));
        if (answer) {
            return answerFrom(*answer);
        }
        QThread::msleep(RetryMs);
    } while (!limit.hasExpired());
    return failure(LS_TR("Messages", "queue: process %1 holds the queue of %2 and does not listen; end that process"),
        {QueueLock::owner(storeFolder), verbatim(storeFolder.toStdString())});
}

} // namespace lockstep::launch
