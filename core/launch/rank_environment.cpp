#include "launch/rank_environment.h"

#include <QHostAddress>
#include <QRandomGenerator>
#include <QTcpServer>

#include <algorithm>
#include <cstring>

namespace lockstep::launch {

wire::Secret makeSecret()
{
    std::array<quint32, sizeof(wire::Secret) / sizeof(quint32)> words{};
    QRandomGenerator::system()->fillRange(words.data(), static_cast<qsizetype>(words.size()));
    wire::Secret secret{};
    std::memcpy(secret.data(), words.data(), secret.size());
    return secret;
}

std::uint16_t freePort()
{
    QTcpServer probe;
    return probe.listen(QHostAddress::LocalHost, 0) ? probe.serverPort() : std::uint16_t{0};
}

void insertJob(QProcessEnvironment& environment, const Rendezvous& where, const experiment::RunSpec& run)
{
    using namespace Qt::StringLiterals;
    const auto number = [](auto value) { return QString::number(value); };
    environment.insert(u"WORLD_SIZE"_s, number(where.worldSize));
    if (where.masterPort != 0) {
        environment.insert(u"MASTER_ADDR"_s, where.masterAddress);
        environment.insert(u"MASTER_PORT"_s, number(where.masterPort));
    } else { // what this program was started with would be taken for the run's
        environment.remove(u"MASTER_ADDR"_s);
        environment.remove(u"MASTER_PORT"_s);
    }
    environment.insert(u"LOCKSTEP_TELEMETRY"_s, u"127.0.0.1:%1"_s.arg(where.telemetryPort));
    environment.insert(u"LOCKSTEP_SECRET"_s, QString::fromStdString(wire::toHex(where.secret)));
    environment.insert(u"LOCKSTEP_RUN"_s, QString::fromStdString(where.run.text));
    if (!where.checkpoints.isEmpty()) {
        environment.insert(u"LOCKSTEP_CHECKPOINTS"_s, where.checkpoints);
    }
    if (!where.mpsPipes.isEmpty()) {
        environment.insert(u"CUDA_MPS_PIPE_DIRECTORY"_s, where.mpsPipes);
    }
    if (run.settings.contains(nameOf(&experiment::RankSettings::threads))) {
        const QString count = number(std::max<std::int64_t>(1, run.settings->rank.threads));
        environment.insert(u"OMP_NUM_THREADS"_s, count);
        environment.insert(u"OPENBLAS_NUM_THREADS"_s, count);
    }
}

QProcessEnvironment jobEnvironment(const Rendezvous& where, const experiment::RunSpec& run)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    insertJob(environment, where, run);
    return environment;
}

QProcessEnvironment rankEnvironment(const Rendezvous& where, const experiment::RunSpec& run, std::int32_t rank)
{
    QProcessEnvironment environment = jobEnvironment(where, run);
    environment.insert(QStringLiteral("RANK"), QString::number(rank));
    environment.insert(QStringLiteral("LOCAL_RANK"), QString::number(rank));
    return environment;
}

} // namespace lockstep::launch
