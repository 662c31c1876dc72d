// Too few open files for the ranks of a run: one line that names the limit, and exit code 3.
#include "program/programs.h"
#include "program/test_class.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace lockstep::tests;

class TestLimits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tooFewOpenFiles_data()
    {
        QTest::addColumn<int>("files");
        QTest::addRow("64") << 64;
        QTest::addRow("128") << 128;
    }

    void tooFewOpenFiles()
    {
        QFETCH(int, files);
        const QTemporaryDir store;
        QProcess workbench;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LOCKSTEP_RANK", QStringLiteral(LOCKSTEP_BINARY_DIR "/tests/bin/fake_rank"));
        environment.insert("LOCKSTEP_FAKE", "steps=20");
        workbench.setProcessEnvironment(environment);
        workbench.start("bash",
            {"-c", QStringLiteral("ulimit -n %1; exec \"$@\"").arg(files), "bash", Lockstep, "run", "aggregation",
                "--only", "ring", "--set", "repeats=1", "--set", "world_size=24", "--set", "train.steps=20", "--store",
                store.path()});
        QVERIFY(workbench.waitForFinished(120'000));
        const QByteArray said = workbench.readAllStandardError();
        QCOMPARE(workbench.exitStatus(), QProcess::NormalExit);
        QVERIFY2(workbench.exitCode() == 3, said.constData());
        QVERIFY2(said.contains("ulimit -n") && said.contains("open files"), said.constData());
    }
};

LOCKSTEP_TEST(TestLimits)
#include "test_limits.moc"
