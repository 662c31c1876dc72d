// A net that is larger than what a rank may take is refused before it starts, and trains when it is cut in two.
#include "program/programs.h"
#include "program/test_class.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

class TestMemoryLimit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void aNetThatDoesNotFitIsRefusedAndTrainsCutInTwo()
    {
        const Ended refused = adam({"rank.memory_mb=10"});
        QCOMPARE(refused.code, 2);
        QCOMPARE(refused.error.count('\n'), 1);
        QVERIFY2(refused.error.contains("rank.memory_mb: rank 0 needs 12.1 MB (parameters 2.66,")
                && refused.error.contains("10 MB are allowed; split the net into more stages"),
            refused.error.constData());
        const Ended cut = adam({"rank.memory_mb=10", "strategy.name=pipeline", "pipeline.stages=2"});
        QVERIFY2(cut.code == 0, cut.error.constData());
        const QJsonArray ranks = memoryOf(cut);
        QCOMPARE(ranks.size(), 2);
        for (const QJsonValue& rank : ranks) {
            QVERIFY(rank["peak_bytes"].toDouble() <= 10e6);
            QVERIFY(rank["peak_bytes"].toDouble() > rank["parameters_bytes"].toDouble());
        }
    }

    void resultsTellMemoryBesideTheFormula()
    {
        const Ended ended = adam({});
        QVERIFY2(ended.code == 0, ended.error.constData());
        const QJsonArray ranks = memoryOf(ended);
        QCOMPARE(ranks.size(), 1);
        const QJsonValue rank = ranks.first();
        QVERIFY(std::abs(rank["states_bytes_per_parameter"].toDouble() - 16.0) < 0.1);
        QCOMPARE(rank["predicted"]["states_bytes_per_parameter"].toDouble(), 16.0);
        QVERIFY(rank["peak_bytes"].toDouble() >= rank["step_peak_bytes"].toDouble());
        QVERIFY(std::abs(rank["predicted"]["peak_bytes"].toDouble() / rank["peak_bytes"].toDouble() - 1.0) < 0.1);
        QVERIFY(rank["peak_rss_bytes"].toDouble() >= rank["rss_bytes"].toDouble());
        QVERIFY(rank["rss_bytes"].toDouble() > rank["peak_bytes"].toDouble());
    }

private:
    struct Ended {
        int code = -1;
        QByteArray out;
        QByteArray error;
    };

    [[nodiscard]] Ended adam(const QStringList& settings) const
    {
        QStringList words{
            "run", "optimizers", "--set", "repeats=1", "--only", "Adam", "--json", "--store", m_store.path()};
        for (const QString& each : QStringList{"dataset.train_samples=600", "dataset.test_samples=100", "train.steps=6",
                                       "net.name=deep-mlp", "net.depth=9", "net.hidden=256"}
                + settings) {
            words += {"--set", each};
        }
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.remove("LOCKSTEP_RANK");
        process.setProcessEnvironment(environment);
        process.start(lockstep::tests::Lockstep, words);
        if (!process.waitForFinished(120000) || process.exitStatus() != QProcess::NormalExit) {
            return {};
        }
        return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
    }

    [[nodiscard]] static QJsonArray memoryOf(const Ended& ended)
    {
        return QJsonDocument::fromJson(ended.out)["runs"][0]["summary"]["memory_by_rank"].toArray();
    }

    QTemporaryDir m_store;
};

LOCKSTEP_TEST(TestMemoryLimit)
#include "test_memory_limit.moc"
