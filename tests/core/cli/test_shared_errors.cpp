// What holds for every run of an experiment is said once, before any run starts where it can be known then.
#include "program/programs.h"
#include "program/test_class.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace lockstep;

class TestSharedErrors : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_store = std::make_unique<QTemporaryDir>();
        m_environment = QProcessEnvironment::systemEnvironment();
        m_environment.insert("LC_ALL", "C.UTF-8");
        m_environment.insert("LOCKSTEP_STORE", m_store->path());
        m_environment.insert("LOCKSTEP_RANK", QStringLiteral(LOCKSTEP_BINARY_DIR "/tests/bin/fake_rank"));
    }

    void aProgramThatIsNotThere_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addRow("no file") << "/nowhere/lockstep-rank";
        QTest::addRow("not a program") << QStringLiteral(LOCKSTEP_SOURCE_DIR "/CMakeLists.txt");
        QTest::addRow("not in PATH") << "no-such-lockstep-rank";
    }

    void aProgramThatIsNotThere()
    {
        QFETCH(QString, program);
        m_environment.insert("LOCKSTEP_RANK", program);
        run({"run", "optimizers", "--set", "repeats=3"});
        QCOMPARE(m_code, 2);
        QCOMPARE(m_error,
            "lockstep: LOCKSTEP_RANK: " + program.toUtf8()
                + " is not a program that can be started: it is neither in PATH nor an executable file\n");
        QVERIFY(m_out.isEmpty());
        QCOMPARE(storedRuns(), 0);
    }

    void aDamagedFileIsSeenBefore()
    {
        QFile file(m_store->filePath("train.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("label,a,b\n1,2,3\n") > 0);
        file.close();
        run({"run", "optimizers", "--set", "repeats=3", "--set", "dataset.name=csv", "--set",
            "dataset.path=" + file.fileName()});
        QCOMPARE(m_code, 2);
        QVERIFY2(m_error.startsWith("lockstep: dataset.path: "), m_error.constData());
        QCOMPARE(m_error.count('\n'), 1);
        QCOMPARE(storedRuns(), 0);
    }

    void aStoreThatCannotBeUsed()
    {
        run({"run", "optimizers", "--set", "repeats=3", "--store", "/proc/lockstep"});
        QCOMPARE(m_code, 2);
        QVERIFY2(m_error.startsWith("lockstep: run store: the folder /proc/lockstep "), m_error.constData());
        QCOMPARE(m_error.count('\n'), 1);
    }

    /// Only a rank reads all of a file: the first run shows it.
    void whatTheFirstRunShows()
    {
        m_environment.insert("LOCKSTEP_FAKE", "refuse_data");
        const QStringList words{"run", "optimizers", "--set", "repeats=3"};
        run(words);
        QCOMPARE(m_code, 2);
        QVERIFY2(m_error.endsWith("lockstep: dataset.path: this fake finds no data; 8 runs were not started\n"),
            m_error.constData());
        QCOMPARE(m_error.count("this fake finds no data"), 1);
        QVERIFY2(!m_error.contains("[2/9]"), m_error.constData());
        QCOMPARE(m_out.count("failed"), 1);
        QVERIFY2(!m_out.contains("stopped"), m_out.constData());
        QCOMPARE(storedRuns(), 1);
        run(words + QStringList{"--json"});
        const QJsonArray runs = QJsonDocument::fromJson(m_out).object()["runs"].toArray();
        QCOMPARE(runs.size(), 9);
        QCOMPARE(runs[0].toObject()["status"].toString(), QStringLiteral("failed"));
        QCOMPARE(runs[8].toObject()["status"].toString(), QStringLiteral("stopped"));
    }

    void eachRunThatFailsItselfIsNamed()
    {
        m_environment.insert("LOCKSTEP_FAKE", "nan=3");
        run({"run", "optimizers", "--set", "repeats=1"});
        QCOMPARE(m_code, 3);
        for (const char* name : {"GD", "SGD", "Adam"}) {
            QVERIFY2(m_error.contains("lockstep: " + QByteArray(name) + " failed: rank 0: loss became NaN at step 3\n"),
                m_error.constData());
        }
        QCOMPARE(storedRuns(), 3);
    }

    void theQueueSaysItOnceToo()
    {
        m_environment.insert("LOCKSTEP_FAKE", "refuse_data");
        run({"queue", "add", "optimizers", "--set", "repeats=3"});
        QCOMPARE(m_code, 0);
        run({"queue", "run"});
        QCOMPARE(m_code, 3);
        QCOMPARE(m_error.count("lockstep: dataset.path: this fake finds no data; 8 runs were not started\n"), 1);
        QCOMPARE(m_error.count("this fake finds no data"), 1);
    }

private:
    void run(const QStringList& words)
    {
        QProcess process;
        process.setProcessEnvironment(m_environment);
        process.start(lockstep::tests::Lockstep, words);
        const bool hasEnded = process.waitForFinished(60'000) && process.exitStatus() == QProcess::NormalExit;
        m_code = hasEnded ? process.exitCode() : -1;
        m_out = process.readAllStandardOutput();
        m_error = process.readAllStandardError();
    }

    [[nodiscard]] int storedRuns() const
    {
        return static_cast<int>(QDir(m_store->path()).entryList({QStringLiteral("*.run")}).size());
    }

    std::unique_ptr<QTemporaryDir> m_store;
    QProcessEnvironment m_environment;
    int m_code = -1;
    QByteArray m_out;
    QByteArray m_error;
};

LOCKSTEP_TEST(TestSharedErrors)
#include "test_shared_errors.moc"
