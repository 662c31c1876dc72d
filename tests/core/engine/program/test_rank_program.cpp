// `lockstep-rank` as a process: exit codes, messages, records, and its description of itself.
#include "core/engine/comm/mpirun.h"
#include "program/programs.h"
#include "program/test_class.h"
#include "wire/frame.h"
#include "wire/messages.h"

#include <QDir>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <array>
#include <csignal>
#include <span>
#include <sys/stat.h>

using namespace lockstep;
using lockstep::tests::canRunMpirun;
using namespace Qt::StringLiterals;

namespace {

struct EndedProgram {
    int exitCode = -1;
    QString out;
    QString error;
};

EndedProgram runProgram(const QStringList& arguments, const QMap<QString, QString>& environment = {})
{
    QProcess process;
    QProcessEnvironment whole = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"RANK", "WORLD_SIZE", "LOCAL_RANK", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
             "LOCKSTEP_TELEMETRY", "LOCKSTEP_SECRET"}) {
        whole.remove(name);
    }
    for (auto it = environment.begin(); it != environment.end(); ++it) {
        whole.insert(it.key(), it.value());
    }
    process.setProcessEnvironment(whole);
    process.start(lockstep::tests::RankProgram, arguments);
    if (!process.waitForFinished(120'000) || process.exitStatus() != QProcess::NormalExit) {
        return {-1, {}, QStringLiteral("did not end by itself")};
    }
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
        QString::fromUtf8(process.readAllStandardError())};
}

std::vector<wire::Message> messagesIn(const QString& path)
{
    QFile file(path);
    std::vector<wire::Message> messages;
    if (!file.open(QIODevice::ReadOnly)) {
        return messages;
    }
    const QByteArray bytes = file.readAll();
    wire::FrameDecoder decoder;
    decoder.feed(std::as_bytes(std::span(bytes.data(), static_cast<std::size_t>(bytes.size()))));
    while (true) {
        const auto frame = decoder.next();
        if (!frame || !*frame) {
            return messages;
        }
        auto message = wire::decode(**frame);
        if (message) {
            messages.push_back(std::move(*message));
        }
    }
}

template <typename T>
std::vector<T> only(const std::vector<wire::Message>& messages)
{
    std::vector<T> found;
    for (const wire::Message& message : messages) {
        if (const auto* one = std::get_if<T>(&message)) {
            found.push_back(*one);
        }
    }
    return found;
}

} // namespace

class TestRankProgram : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }

    void badInputIsOneLineAndExit2_data()
    {
        QTest::addColumn<QString>("base");
        QTest::addColumn<QStringList>("more");
        QTest::addColumn<QString>("begin");
        QTest::addRow("unknown parameter") << R"("optimizer.lrr":1)" << QStringList() << "lockstep-rank: optimizer.lrr";
        QTest::addRow("out of range") << R"("optimizer.lr":-1)" << QStringList()
                                      << "lockstep-rank: optimizer.lr: -1 is outside (0, 10]";
        QTest::addRow("no data") << R"("dataset.name":"mnist","dataset.path":"/nowhere")" << QStringList()
                                 << "lockstep-rank: dataset.path: ";
        QTest::addRow("batch above data")
            << R"("dataset.train_samples":10,"train.batch":11)" << QStringList() << "lockstep-rank: train.batch: 11 ";
        QTest::addRow("too many ranks") << R"("train.steps":1)" << QStringList{"--local", "2"}
                                        << "lockstep-rank: world_size: 2 ";
        QTest::addRow("no ranks") << R"("train.steps":1)" << QStringList{"--local", "0"}
                                  << "lockstep-rank: --local: `0` ";
        QTest::addRow("no descriptor") << R"("train.steps":1)" << QStringList{"--ready", "x"}
                                       << "lockstep-rank: --ready: `x` is not an integer from 1 to ";
        QTest::addRow("unknown argument")
            << R"("train.steps":1)" << QStringList{"--speed"} << "lockstep-rank: unknown argument `--speed`";
        QTest::addRow("record nowhere") << R"("train.steps":1)" << QStringList{"--record", "/nowhere/at/all"}
                                        << "lockstep-rank: ";
    }

    void badInputIsOneLineAndExit2()
    {
        QFETCH(QString, base);
        QFETCH(QStringList, more);
        QFETCH(QString, begin);
        const EndedProgram ended = runProgram(QStringList{"--spec", spec(base)} + more);
        QCOMPARE(ended.exitCode, 2);
        QVERIFY2(ended.error.startsWith(begin), qPrintable(ended.error));
        QCOMPARE(ended.error.count('\n'), 1);
        QCOMPARE(ended.out, QString());
    }

    /// Else a rank that writes to a dead rank's socket dies as well, and cannot name it.
    void aBrokenPipeEndsNoRank()
    {
        const QString fifo = m_folder.filePath("spec.fifo");
        QCOMPARE(mkfifo(qPrintable(fifo), 0600), 0);
        QProcess rank;
        rank.start(lockstep::tests::RankProgram, {"--spec", fifo}); // waits for its spec
        QVERIFY(rank.waitForStarted());
        const auto ignored = [&rank] {
            QFile status(u"/proc/%1/status"_s.arg(rank.processId()));
            const QByteArray text = status.open(QIODevice::ReadOnly) ? status.readAll() : QByteArray();
            return text.mid(text.indexOf("SigIgn:") + 8, 16).toULongLong(nullptr, 16);
        };
        QTRY_VERIFY((ignored() & (1ULL << (SIGPIPE - 1))) != 0);
        rank.kill();
        QVERIFY(rank.waitForFinished());
    }

    void withoutARunThereIsNothingToDo()
    {
        const EndedProgram ended = runProgram({});
        QCOMPARE(ended.exitCode, 2);
        QVERIFY(ended.error.contains("--spec FILE"));
        QCOMPARE(runProgram({"--spec", "/nowhere.json"}).exitCode, 2);
        QCOMPARE(runProgram({"--record", "x"}).exitCode, 2);
        const EndedProgram rank
            = runProgram({"--spec", spec(R"("train.steps":1)")}, {{"RANK", "3"}, {"WORLD_SIZE", "2"}});
        QCOMPARE(rank.exitCode, 2);
        QVERIFY2(rank.error.startsWith("lockstep-rank: RANK: `3` "), qPrintable(rank.error));
    }

    void aRecordHoldsTheWholeRun()
    {
        const QString record = m_folder.filePath("run.lockstep");
        const EndedProgram ended
            = runProgram({"--spec", spec(R"("dataset.train_samples":640,"dataset.test_samples":50,"train.epochs":1)"),
                "--record", record, "--local", "1"});
        QVERIFY2(ended.exitCode == 0, qPrintable(ended.error));
        const auto messages = messagesIn(record);
        QCOMPARE(only<wire::Welcome>(messages).size(), std::size_t{1});
        QCOMPARE(only<wire::Hello>(messages).size(), std::size_t{1});
        QCOMPARE(only<wire::Prepared>(messages).size(), std::size_t{1});
        std::size_t rows = 0;
        for (const auto& batch : only<wire::StepBatch>(messages)) {
            rows += batch.size();
        }
        QCOMPARE(rows, std::size_t{10});
        QCOMPARE(only<wire::Evaluation>(messages).size(), std::size_t{1});
        QCOMPARE(only<wire::Goodbye>(messages).size(), std::size_t{1});
        QCOMPARE(only<wire::Goodbye>(messages).front().outcome, wire::Outcome::Finished);
        QVERIFY(ended.error.contains("test accuracy"));
    }

    void theNumberOfRanksIsThatOfTheProcesses_data()
    {
        QTest::addColumn<QString>("base");
        QTest::addColumn<bool>("isLocal");
        for (const bool isLocal : {true, false}) {
            const char* how = isLocal ? "--local" : "WORLD_SIZE";
            QTest::addRow("0, %s", how) << R"("strategy.name":"data","world_size":0)" << isLocal;
            QTest::addRow("none, %s", how) << R"("strategy.name":"zero")" << isLocal;
            QTest::addRow("equal, %s", how) << R"("strategy.name":"data","world_size":3)" << isLocal;
            QTest::addRow("of the strategy, %s", how)
                << R"("strategy.name":"pipeline","pipeline.stages":3,"net.name":"deep-mlp")" << isLocal;
            // Only three ranks have a rank 2, and three proportions.
            QTest::addRow("what others follow from, %s", how)
                << R"("strategy.name":"data","straggler.ranks":[2],"partition.name":"unequal",)"
                   R"("partition.shares":[1,1,2])"
                << isLocal;
        }
    }

    /// Where the spec leaves it open, `--local` or WORLD_SIZE decides; the record says how many there were.
    void theNumberOfRanksIsThatOfTheProcesses()
    {
        QFETCH(QString, base);
        QFETCH(bool, isLocal);
        const QStringList words{"--spec",
            spec(base + R"(,"dataset.train_samples":192,"dataset.test_samples":30,"train.epochs":1,"rank.bind":false)"),
            "--record"};
        const QString record = m_folder.filePath("many");
        if (isLocal) {
            const EndedProgram ended = runProgram(words + QStringList{record, "--local", "3"});
            QVERIFY2(ended.exitCode == 0, qPrintable(ended.error));
        } else {
            startRanks(words, record);
        }
        if (QTest::currentTestFailed()) {
            return;
        }
        for (int rank = 0; rank < 3; ++rank) {
            const auto messages = messagesIn(record + QStringLiteral(".rank%1").arg(rank));
            const auto hellos = only<wire::Hello>(messages);
            QCOMPARE(hellos.size(), std::size_t{1});
            QCOMPARE(hellos.front().rank, rank);
            QCOMPARE(hellos.front().worldSize, 3);
            const auto settings
                = QJsonDocument::fromJson(QByteArray::fromStdString(only<wire::Welcome>(messages).front().specJson))
                      .object()["base"]
                      .toObject();
            // What the strategy's own parameters say needs no world_size.
            QCOMPARE(settings["world_size"].toInt(), base.contains("pipeline") ? 0 : 3);
            QCOMPARE(only<wire::Goodbye>(messages).front().outcome, wire::Outcome::Finished);
        }
    }

    void otherNumbersOfRanksAreOneLine_data()
    {
        QTest::addColumn<QString>("base");
        QTest::addColumn<int>("local");
        QTest::addColumn<QString>("variable");
        QTest::addColumn<QString>("line");
        const auto add = [](const char* name, const char* base, int local, const char* variable, const char* line) {
            QTest::newRow(name) << QString(base) << local << QString(variable) << QString(line);
        };
        const char* two = R"("strategy.name":"data","world_size":2)";
        const char* pipeline = R"("strategy.name":"pipeline")";
        add("local", two, 3, "",
            "world_size: the spec says 2, but --local is 3; start as many, or set world_size to 0");
        add("torchrun", two, 0, "WORLD_SIZE",
            "world_size: the spec says 2, but WORLD_SIZE is 3; start as many, or set world_size to 0");
        add("mpirun", two, 0, "OMPI_COMM_WORLD_SIZE",
            "world_size: the spec says 2, but OMPI_COMM_WORLD_SIZE is 3; start as many, or set world_size to 0");
        add("local, strategy", pipeline, 3, "",
            "world_size: 3 does not fit strategy.name pipeline, which needs one rank for each of its 2 stages "
            "(pipeline.stages) (--local is 3)");
        add("torchrun, strategy", pipeline, 0, "WORLD_SIZE",
            "world_size: 3 does not fit strategy.name pipeline, which needs one rank for each of its 2 stages "
            "(pipeline.stages) (WORLD_SIZE is 3)");
        add("alone", R"("strategy.name":"data")", 0, "",
            "world_size: the run needs 2 ranks, and this process is alone; start it with --local 2, or 2 of them with "
            "torchrun or mpirun");
        add("both", R"("strategy.name":"data")", 3, "WORLD_SIZE",
            "--local: WORLD_SIZE is 3, so this process already is one of 3 ranks; leave out --local, or unset "
            "WORLD_SIZE if it does not count ranks");
        add("flags", two, 0, "--world-size",
            "world_size: the spec says 2, but --world-size is 3; start as many, or set world_size to 0");
        add("srun", two, 0, "SLURM_NTASKS",
            "world_size: the spec says 2, but SLURM_NTASKS is 3; start as many, or set world_size to 0");
    }

    void otherNumbersOfRanksAreOneLine()
    {
        QFETCH(QString, base);
        QFETCH(int, local);
        QFETCH(QString, variable);
        QFETCH(QString, line);
        QStringList words{"--spec", spec(base)};
        if (local > 0) {
            words << "--local" << QString::number(local);
        }
        QMap<QString, QString> environment;
        if (variable.startsWith("--")) {
            words << variable << "3"
                  << "--rank"
                  << "0";
        } else if (!variable.isEmpty()) {
            environment = {{"SLURM_STEP_ID", "0"}, {rankOf(variable), "0"}, {variable, "3"}};
        }
        const EndedProgram ended = runProgram(words, environment);
        QCOMPARE(ended.exitCode, 2);
        QCOMPARE(ended.error, "lockstep-rank: " + line + '\n');
    }

    void aSweepByItselfIsATable()
    {
        const EndedProgram ended = runProgram({"--spec",
            spec(R"("strategy.name":"collectives","collective.name":"all_reduce","sweep.min_bytes":1024,)"
                 R"("sweep.max_bytes":4096,"sweep.calls":5)"),
            "--local", "2"});
        QVERIFY2(ended.exitCode == 0, qPrintable(ended.error));
        QStringList rows = ended.out.trimmed().split(u'\n');
        const QStringList heading = rows.takeFirst().simplified().split(u' ');
        QCOMPARE(heading.join(u' '), QStringLiteral("bytes collective in_place calls p50_us p99_us GB/s wrong"));
        QCOMPARE(rows.size(), 4); // only rank 0 reports: two sizes, in place or not
        QSet<QString> seen;
        for (const QString& row : rows) {
            const QStringList cells = row.simplified().split(u' ');
            QCOMPARE(cells.size(), heading.size());
            seen.insert(cells[0] + u' ' + cells[2]);
            QCOMPARE(cells[1], QStringLiteral("all_reduce"));
            QVERIFY(cells[3].toInt() >= 1 && cells[4].toDouble() > 0.0 && cells[5].toDouble() >= cells[4].toDouble());
            const double rate = cells[0].toDouble() / cells[4].toDouble() / 1e3;
            QVERIFY2(qAbs(cells[6].toDouble() - rate) <= 0.02 * rate + 0.001, qPrintable(row));
            QCOMPARE(cells[7], QStringLiteral("0"));
        }
        QCOMPARE(seen, (QSet<QString>{"1024 yes", "1024 no", "4096 yes", "4096 no"}));
    }

    /// In the settings ' stands for ".
    void sweepsHaveRootsGroupsAndAsynchronousCalls_data()
    {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<QString>("buffers");
        for (const QString& each : {u"broadcast"_s, u"reduce"_s, u"gather"_s, u"scatter"_s}) {
            const QString collective = u",'collective.name':'%1'"_s.arg(each);
            QTest::addRow("%s", qPrintable(each)) << collective + u",'sweep.root':1,'sweep.groups':2"_s << u"yes no"_s;
            QTest::addRow("%s, asynchronous", qPrintable(each))
                << collective + u",'sweep.root':3,'sweep.async':true"_s << u"yes no"_s;
        }
        QTest::addRow("all_reduce") << u",'sweep.groups':2,'sweep.async':true"_s << u"yes no"_s;
        QTest::addRow("send_recv")
            << u",'sweep.async':true,'collective.name':'send_recv','sweep.buffers':'out_of_place'"_s << u"no"_s;
        QTest::addRow("as in training") << u",'sweep.buffers':'training','sweep.groups':2"_s << u"shared"_s;
        QTest::addRow("as in training, asynchronous")
            << u",'sweep.buffers':'training','sweep.async':true"_s << u"shared"_s;
        QTest::addRow("a ring as in training")
            << u",'sweep.buffers':'training','aggregation.algorithm':'ring'"_s << u"yes"_s;
    }
    /// Every result is checked; a root or a group that is not what was asked for gives wrong elements.
    void sweepsHaveRootsGroupsAndAsynchronousCalls()
    {
        QFETCH(QString, settings);
        QFETCH(QString, buffers);
        QString base = u"'strategy.name':'collectives','world_size':4,'sweep.min_bytes':256,'sweep.max_bytes':65536,"_s;
        base += u"'sweep.factor':256,'sweep.calls':20"_s + settings;
        base.replace(QChar(39), QChar(34));
        const EndedProgram ended = runProgram({"--spec", spec(base), "--local", "4"});
        QVERIFY2(ended.exitCode == 0, qPrintable(ended.error));
        QStringList rows = ended.out.trimmed().split(u'\n').mid(1);
        const QStringList kinds = buffers.split(u' ');
        QCOMPARE(rows.size(), 2 * kinds.size());
        for (const QString& row : rows) {
            const QStringList cells = row.simplified().split(u' ');
            QVERIFY2(kinds.contains(cells[2]), qPrintable(row));
            QCOMPARE(cells[3], QStringLiteral("20"));
            QVERIFY2(cells[4].toDouble() > 0.0, qPrintable(row));
            QCOMPARE(cells[7], QStringLiteral("0"));
        }
        const bool isGrouped = settings.contains("groups");
        QCOMPARE(ended.error.contains("in 2 groups of 2 ranks"), isGrouped);
        QCOMPARE(ended.error.contains("asynchronous"), settings.contains("async"));
        QCOMPARE(ended.error.contains("root "), settings.contains("root"));
    }

    void aLossThatIsNoNumberIsExit3()
    {
        const EndedProgram ended = runProgram({"--spec",
            spec(R"("optimizer.lr":10,"optimizer.weight_decay":1,"dataset.train_samples":640,"train.epochs":200)")});
        QCOMPARE(ended.exitCode, 3);
        QVERIFY2(ended.error.contains("lockstep-rank: rank 0: loss became "), qPrintable(ended.error));
    }

    void whatWouldNotFitIntoItsMemoryIsExit2()
    {
        const EndedProgram ended
            = runProgram({"--spec", spec(R"("rank.memory_mb":3,"dataset.train_samples":640,"train.epochs":1)")});
        QCOMPARE(ended.exitCode, 2);
        QVERIFY2(ended.error.contains("lockstep-rank: rank.memory_mb: rank 0 needs ")
                && ended.error.contains("3 MB are allowed"),
            qPrintable(ended.error));
    }

    void aWorkbenchThatIsNotThereIsExit3()
    {
        const QString address = "127.0.0.1:1"; // no process listens on port 1
        QElapsedTimer timer;
        timer.start();
        const EndedProgram ended = runProgram(
            {}, {{"LOCKSTEP_TELEMETRY", address}, {"LOCKSTEP_SECRET", QString(64, 'a')}, {"LOCKSTEP_RUN", "x"}});
        QCOMPARE(ended.exitCode, 3);
        QVERIFY(ended.error.contains(address));
        QVERIFY(timer.elapsed() < 30'000);
        QCOMPARE(runProgram({}, {{"LOCKSTEP_TELEMETRY", address}, {"LOCKSTEP_SECRET", "short"}}).exitCode, 2);
    }

    void tellsWhatItCanDo()
    {
        const EndedProgram choices = runProgram({"--choices"});
        QCOMPARE(choices.exitCode, 0);
        const QJsonObject names = QJsonDocument::fromJson(choices.out.toUtf8()).object()["choices"].toObject();
        QCOMPARE(names["optimizer.name"].toArray().size(), 6);
        QVERIFY(names["net.name"].toArray().contains("cnn"));
        QVERIFY(names["strategy.name"].toArray().contains("single"));

        const EndedProgram doctor = runProgram({"--doctor"}, {{"CUDA_VISIBLE_DEVICES", ""}}); // of a GPU it tells more
        QCOMPARE(doctor.exitCode, 0);
        const QJsonObject report = QJsonDocument::fromJson(doctor.out.toUtf8()).object();
        QVERIFY(!report["libtorch"].toString().isEmpty());
        QVERIFY(report["tried"].toArray().size() >= 3);
        for (const QJsonValue& entry : report["tried"].toArray()) {
            QVERIFY2(entry.toObject()["works"].toBool(), qPrintable(doctor.out));
        }
        // Reports nothing for a LibTorch without CUDA; for one with it, what it was built with.
        const QJsonObject cuda = report["cuda"].toObject();
        for (const char* key :
            {"built", "available", "devices", "version", "cudnn", "architectures", "nccl", "error"}) {
            QVERIFY2(cuda.contains(QLatin1String(key)), key);
        }
        QCOMPARE(cuda["version"].toInt() > 0, cuda["built"].toBool());
        // Everything reported for a backend was tried, with every type and reduction.
        const QJsonArray backends = report["backends"].toArray();
        QCOMPARE(backends.size(), (report["mpi"].toBool() ? 3 : 2) * 10);
        const bool hasMpirun = canRunMpirun();
        for (const QJsonValue& entry : backends) {
            if (!hasMpirun && entry.toObject()["backend"] == QStringLiteral("mpi")) {
                QCOMPARE(entry.toObject()["works"].toBool(), false);
                continue;
            }
            QVERIFY2(entry.toObject()["works"].toBool(), qPrintable(doctor.out));
        }
        QVERIFY(runProgram({"--help"}).out.contains("--record FILE"));
        QVERIFY(runProgram({"--version"}).out.startsWith("lockstep-rank "));
    }

private:
    /// The variable of the same launcher that says which rank a process is.
    static QString rankOf(QString sizeVariable)
    {
        return sizeVariable == "SLURM_NTASKS" ? "SLURM_PROCID"
            : sizeVariable == "WORLD_SIZE"    ? "RANK"
                                              : sizeVariable.replace("SIZE", "RANK");
    }

    /// Three ranks, as torchrun starts them.
    static void startRanks(const QStringList& words, const QString& record)
    {
        std::array<QProcess, 3> ranks;
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert("RANK", QString::number(rank));
            environment.insert("LOCAL_RANK", QString::number(rank));
            environment.insert("WORLD_SIZE", "3");
            environment.insert(
                "TORCHELASTIC_RUN_ID", QStringLiteral("test-%1").arg(QCoreApplication::applicationPid()));
            ranks.at(rank).setProcessEnvironment(environment);
            ranks.at(rank).start(lockstep::tests::RankProgram, words + QStringList(record));
        }
        for (QProcess& rank : ranks) {
            QVERIFY(rank.waitForFinished(120'000));
            QVERIFY2(rank.exitCode() == 0, rank.readAllStandardError().constData());
        }
    }

    QString spec(const QString& base)
    {
        const QString path = m_folder.filePath("spec.json");
        QFile file(path);
        if (file.open(QIODevice::WriteOnly)) {
            file.write(QString(R"({"version":1,"experiment":"optimizers","base":{%1}})").arg(base).toUtf8());
        }
        return path;
    }

    QTemporaryDir m_folder;
};

LOCKSTEP_TEST(TestRankProgram)
#include "test_rank_program.moc"
