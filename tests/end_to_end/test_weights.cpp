// `lockstep weights`: Python reads the weights of a run in both formats, and they are those of its checkpoint.
#include "program/programs.h"
#include "program/test_class.h"

#include <QDir>
#include <QDirIterator>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace lockstep::tests;

namespace {

constexpr int LongestVerbMs = 120'000;

struct EndedVerb {
    int code = -1;
    QByteArray out;
    QByteArray error;
};

[[nodiscard]] EndedVerb endedVerb(const QString& program, const QStringList& words)
{
    QProcess process;
    process.start(program, words);
    if (!process.waitForFinished(LongestVerbMs) || process.exitStatus() != QProcess::NormalExit) {
        process.kill();
        process.waitForFinished(2000);
    }
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

[[nodiscard]] QJsonObject readByPython(const QString& file)
{
    const QString script = QStringLiteral(LOCKSTEP_SOURCE_DIR "/tests/end_to_end/scripts/read_weights.py");
    const EndedVerb read = endedVerb(u"/usr/bin/python3"_s, {script, file});
    if (read.code != 0) {
        qWarning("%s", read.error.constData());
    }
    return QJsonDocument::fromJson(read.out).object();
}

} // namespace

class TestWeights : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void safetensorsAreThoseOfTheCheckpoint();
    void torchReadsTheSame();
    void anUnknownFormatIsRefused();

private:
    [[nodiscard]] EndedVerb weights(const QString& format, const QString& file) const
    {
        return endedVerb(
            Lockstep, {u"weights"_s, u"last"_s, u"--format"_s, format, u"--out"_s, file, u"--store"_s, store()});
    }
    [[nodiscard]] QString store() const { return m_folder.filePath(u"store"_s); }

    QTemporaryDir m_folder;
    QJsonObject m_safetensors;
};

void TestWeights::initTestCase()
{
    const EndedVerb run = endedVerb(Lockstep,
        {u"run"_s, u"own"_s, u"--json"_s, u"--store"_s, store(), u"--set"_s, u"optimizer.name=adam"_s, u"--set"_s,
            u"train.dtype=float64"_s, u"--set"_s, u"train.steps=4"_s, u"--set"_s, u"checkpoint.every=4"_s, u"--set"_s,
            u"dataset.train_samples=200"_s, u"--set"_s, u"dataset.test_samples=20"_s});
    QVERIFY2(run.code == 0, run.error.constData());
}

void TestWeights::safetensorsAreThoseOfTheCheckpoint()
{
    const QString file = m_folder.filePath(u"weights.safetensors"_s);
    const EndedVerb written = weights(u"safetensors"_s, file);
    QVERIFY2(written.code == 0, written.error.constData());
    m_safetensors = readByPython(file);
    QCOMPARE(m_safetensors.keys(), (QStringList{u"1.bias"_s, u"1.weight"_s, u"3.bias"_s, u"3.weight"_s}));
    QCOMPARE(m_safetensors[u"1.weight"_s][0].toString(), u"F64"_s);
    QCOMPARE(m_safetensors[u"1.weight"_s][1].toArray(), (QJsonArray{128, 784}));

    QDirIterator checkpoints(store(), {u"rank-0.safetensors"_s}, QDir::Files, QDirIterator::Subdirectories);
    QVERIFY(checkpoints.hasNext());
    const QJsonObject all = readByPython(checkpoints.next());
    QCOMPARE(all[u"position"_s][0].toString(), u"I64"_s);
    for (const QString& name : m_safetensors.keys()) {
        QCOMPARE(all[u"weights/"_s + name], m_safetensors[name]);
    }
}

void TestWeights::torchReadsTheSame()
{
    if (endedVerb(u"/usr/bin/python3"_s, {u"-c"_s, u"import torch"_s}).code != 0) {
        QSKIP("needs python3-torch");
    }
    const QString file = m_folder.filePath(u"weights.pt"_s);
    const EndedVerb written = weights(u"torch"_s, file);
    QVERIFY2(written.code == 0, written.error.constData());
    QVERIFY(!m_safetensors.isEmpty());
    QCOMPARE(readByPython(file), m_safetensors);
}

void TestWeights::anUnknownFormatIsRefused()
{
    const EndedVerb refused = weights(u"onnx"_s, m_folder.filePath(u"weights.onnx"_s));
    QCOMPARE(refused.code, 2);
    QVERIFY2(refused.error.endsWith("--format: \"onnx\" is unknown; allowed: torch, safetensors\n"),
        refused.error.constData());
}

LOCKSTEP_TEST(TestWeights)
#include "test_weights.moc"
