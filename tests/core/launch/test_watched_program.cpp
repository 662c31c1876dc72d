// What is known of a program before it runs, what its watcher says, and what is kept of its output.
#include "experiment/spec.h"
#include "launch/own/own_program.h"
#include "launch/own/watched_program.h"
#include "launch/own/watched_text.h"
#include "launch/rank_environment.h"
#include "launch/ranks/output_file.h"
#include "program/test_class.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace lockstep;

namespace {

experiment::RunSpec programRun(const QString& command, int ranks = 0)
{
    experiment::RunSpec run
        = *experiment::parseRunSpec(R"({"version":1,"experiment":"own","base":{"rank.program":"python3 x.py"}})");
    run.settings.set(&experiment::RankSettings::program, command.toStdString());
    run.settings.set(&experiment::RankSettings::worldSize, std::int64_t{ranks});
    return run;
}

} // namespace

class TestWatchedProgram : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup()
    {
        qunsetenv("MASTER_PORT");
        qunsetenv("PYTHONPATH");
    }

    void aScriptWithAPortOfItsOwnRunsAlone_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QString>("command");
        QTest::addColumn<bool>("isAlone");
        QTest::addRow("none") << QByteArray("dist.init_process_group('gloo')") << "python3 %1" << false;
        QTest::addRow("environ") << QByteArray("os.environ['MASTER_PORT'] = '12355'") << "python3 %1" << true;
        QTest::addRow("reads it") << QByteArray("port = os.environ['MASTER_PORT']") << "python3 %1" << false;
        QTest::addRow("tcp") << QByteArray("init_method=\"tcp://127.0.0.1:23456\"") << "python3 %1" << true;
        QTest::addRow("any port") << QByteArray("init_method=\"tcp://127.0.0.1:0\"") << "python3 %1" << false;
        QTest::addRow("shell") << QByteArray("#!/bin/sh\nMASTER_PORT=29501 python3 train.py\n") << "%1" << true;
        QTest::addRow("torchrun") << QByteArray() << "torchrun --nproc_per_node=2 %1" << true;
        QTest::addRow("torchrun, free") << QByteArray() << "torchrun --standalone %1" << false;
        QTest::addRow("module") << QByteArray() << "python3 -m torch.distributed.run %1" << true;
        QTest::addRow("endpoint") << QByteArray() << "torchrun --rdzv-endpoint=localhost:0 %1" << false;
        QTest::addRow("accelerate") << QByteArray() << "accelerate launch --main_process_port 29511 %1" << true;
        QTest::addRow("rpc") << QByteArray("rpc.init_rpc('master', rank=0, world_size=2)") << "python3 %1" << true;
    }
    void aScriptWithAPortOfItsOwnRunsAlone()
    {
        QFETCH(QByteArray, script);
        QFETCH(QString, command);
        QFETCH(bool, isAlone);
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("train.py")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(script) == script.size());
        file.close();
        QCOMPARE(launch::whyAlone(programRun(command.arg(file.fileName()))).has_value(), isAlone);
    }

    void whatCannotBeWatchedIsKnown()
    {
        QVERIFY(!launch::whyNotWatched(programRun(QStringLiteral("python3 -u x.py -I"))));
        QVERIFY(!launch::whyNotWatched(programRun(QStringLiteral("python3 -W error x.py"))));
        for (const char* command : {"python3 -I x.py", "python3 -uE x.py", "python3.11 -S -m x"}) {
            QVERIFY2(launch::whyNotWatched(programRun(QString::fromUtf8(command))), command);
        }
        experiment::RunSpec off = programRun(QStringLiteral("python3 x.py"));
        off.settings["rank.watch"] = std::string("off");
        QVERIFY(launch::whyNotWatched(off));
    }

    void theEnvironmentSaysWhoMakesTheRanks()
    {
        qputenv("MASTER_PORT", "1");
        qputenv("PYTHONPATH", "/mine");
        launch::Rendezvous where;
        where.run = RunId{"20261123-070000-aaaa"};
        where.isMadeByScript = true;
        const auto script
            = launch::ownEnvironment(where, programRun(QStringLiteral("python3 x.py")), 0, QStringLiteral("/ours"), -1);
        QCOMPARE(script.value("LOCKSTEP_WORLD"), QStringLiteral("script"));
        QCOMPARE(script.value("LOCKSTEP_WATCH"), QStringLiteral("auto"));
        QCOMPARE(script.value("PYTHONPATH"), QStringLiteral("/ours/watch:/ours:/mine"));
        for (const char* name :
            {"RANK", "LOCAL_RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "LOCAL_WORLD_SIZE"}) {
            QVERIFY2(!script.contains(QString::fromUtf8(name)), name);
        }
        where.isMadeByScript = false;
        where.worldSize = 2;
        where.masterPort = 29500;
        const auto given = launch::ownEnvironment(
            where, programRun(QStringLiteral("python3 x.py"), 2), 1, QStringLiteral("/ours"), -1);
        QCOMPARE(given.value("LOCKSTEP_WORLD"), QStringLiteral("given"));
        QCOMPARE(given.value("RANK"), QStringLiteral("1"));
        QCOMPARE(given.value("WORLD_SIZE"), QStringLiteral("2"));
        QCOMPARE(given.value("MASTER_PORT"), QStringLiteral("29500"));
    }

    void whatWasFoundIsASentence()
    {
        const auto text = [](const char* json) {
            const auto found = launch::watchedText(std::string("watch: ") + json);
            return found ? QString::fromStdString(found->english) : QString();
        };
        const char* all = R"x({"file": "train.py", "loss": {"what": "loss.backward()", "line": 41},
            "step": {"what": "Adam.step", "line": 42}, "missing": ["evaluation"], "more": [1]})x";
        QCOMPARE(text(all),
            QStringLiteral(
                "train.py: Loss: loss.backward(), line 41. Step: Adam.step, line 42. Not seen: evaluation."));
        QCOMPARE(text(R"({"step": {"what": "Adam.step", "line": 42}})"),
            QStringLiteral("Loss: not seen. Step: Adam.step, line 42."));
        QCOMPARE(text("{}"), QStringLiteral("Loss and step: not seen."));
        QVERIFY(!launch::watchedText("watch: the birds"));
        QVERIFY(!launch::watchedText("watch: {broken"));
        QVERIFY(!launch::watchedText("{}"));
    }

    void aLineIsWhatATerminalShows_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("shown");
        QTest::addRow("plain") << QByteArray("step 3\tloss 0.5") << QByteArray("step 3\tloss 0.5");
        QTest::addRow("a bar") << QByteArray("\r 1%\r 50%\r100%") << QByteArray("100%");
        QTest::addRow("at the end") << QByteArray("50%\r100%\r") << QByteArray("100%");
        QTest::addRow("colour") << QByteArray("\x1b[1;31mred\x1b[0m") << QByteArray("red");
        QTest::addRow("title") << QByteArray("\x1b]0;title\x07text") << QByteArray("text");
        QTest::addRow("erased") << QByteArray("text\r\x1b[K") << QByteArray("text");
        QTest::addRow("bell") << QByteArray("a\x07"
                                            "b\x7f")
                              << QByteArray("ab");
        QTest::addRow("nothing") << QByteArray("\x1b[2K\r") << QByteArray();
        QTest::addRow("long") << QByteArray(3000, 'x') << QByteArray(2000, 'x');
    }
    void aLineIsWhatATerminalShows()
    {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, shown);
        QCOMPARE(QByteArray::fromStdString(launch::plainLine(line, 2000)), shown);
    }

    void aFileKeepsTheFirstAndTheNewest()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("run.output/rank0.txt"));
        launch::OutputFile output(path);
        constexpr int Lines = 120'000;
        for (int i = 0; i < Lines; ++i) {
            output.add(QByteArray::number(i).rightJustified(99, '.').toStdString());
        }
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.size() <= launch::OutputFile::Most && file.size() >= launch::OutputFile::First);
        const QList<QByteArray> lines = file.readAll().split('\n');
        QVERIFY(lines.first().endsWith(".0") && lines[lines.size() - 2].endsWith(QByteArray::number(Lines - 1)));
        // What is there and what is left out are all of it.
        const auto isNote = [](const QByteArray& line) { return line.startsWith('['); };
        QCOMPARE(std::count_if(lines.begin(), lines.end(), isNote), 1);
        const QByteArray note = *std::find_if(lines.begin(), lines.end(), isNote);
        QCOMPARE((lines.size() - 2) * 100 + note.mid(1).split(' ').first().toLongLong(), Lines * 100LL);
    }
};

LOCKSTEP_TEST(TestWatchedProgram)
#include "test_watched_program.moc"
