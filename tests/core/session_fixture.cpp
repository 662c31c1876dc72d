#include "core/session_fixture.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <algorithm>

#include <unistd.h>

namespace lockstep::tests {

using analysis::RunStatus;

experiment::RunSpec fakeSpec()
{
    const std::vector<std::string> only{"SGD"};
    auto spec = experiment::customise(*experiment::preset("optimizers"), {}, only);
    return experiment::expand(*spec)->front();
}

launch::SessionOptions withRanks(std::int32_t ranks)
{
    launch::SessionOptions options;
    options.ranks = ranks;
    return options;
}

QString fakeRankProgram()
{
    return QStringLiteral(LOCKSTEP_BINARY_DIR "/tests/bin/fake_rank");
}

std::vector<int> childProcesses()
{
    std::vector<int> children;
    for (const QString& name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        QFile file(QStringLiteral("/proc/") + name + QStringLiteral("/stat"));
        if (!name[0].isDigit() || !file.open(QIODevice::ReadOnly)) {
            continue;
        }
        const QByteArray text = file.readAll();
        const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
        if (fields.size() > 1 && fields[1].toInt() == getpid() && fields[0] != "Z") {
            children.push_back(name.toInt());
        }
    }
    return children;
}

SessionFixture::SessionFixture(launch::SessionOptions options)
{
    options.storeFolder = m_folder.path();
    if (options.rankProgram.isEmpty()) {
        options.rankProgram = fakeRankProgram();
    }
    m_session = std::make_unique<launch::Session>(options);
    connect(m_session.get(), &launch::Session::statusChanged, this,
        [this](const RunId& id, RunStatus status, const QString&) { m_statuses.emplace_back(id, status); });
    connect(m_session.get(), &launch::Session::runEnded, this, [this](const RunId& id) { m_ended.push_back(id); });
}

SessionFixture::~SessionFixture() = default;

RunId SessionFixture::start(const QByteArray& fake)
{
    qputenv("LOCKSTEP_FAKE", fake);
    return m_session->start({fakeSpec()}).front();
}

bool SessionFixture::waitForEnd(const RunId& id, int limitMs)
{
    return QTest::qWaitFor([&] { return std::find(m_ended.begin(), m_ended.end(), id) != m_ended.end(); }, limitMs);
}

bool SessionFixture::waitForStatus(const RunId& id, RunStatus status, int limitMs)
{
    return QTest::qWaitFor(
        [&] { return std::find(m_statuses.begin(), m_statuses.end(), std::pair(id, status)) != m_statuses.end(); },
        limitMs);
}

QStringList SessionFixture::statuses(const RunId& id) const
{
    QStringList names;
    for (const auto& [run, status] : m_statuses) {
        if (run == id) {
            const std::string_view name = analysis::nameOf(status);
            names += QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
        }
    }
    return names;
}

store::Delta SessionFixture::stored(const RunId& id) const
{
    store::Delta all;
    const auto store = store::RunStore::open(m_folder.path());
    if (store) {
        const auto replayed = (*store)->replay(id, [&all](const store::Delta& delta) {
            all.append(delta);
            return true;
        });
        if (!replayed) {
            qWarning("%s", replayed.error().message.c_str());
        }
    }
    return all;
}

std::vector<std::int64_t> stepsOf(const store::Delta& delta, std::int32_t rank)
{
    std::vector<std::int64_t> steps;
    for (const auto& [from, batch] : delta.steps) {
        if (from == rank) {
            for (const StepRow& row : batch.rows) {
                steps.push_back(row.step);
            }
        }
    }
    return steps;
}

QStringList logLines(const store::Delta& delta)
{
    QStringList lines;
    for (const auto& [rank, line] : delta.logs) {
        lines += QString::fromStdString(line.text);
    }
    return lines;
}

} // namespace lockstep::tests
