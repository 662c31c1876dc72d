// The command line as a user has it: the program itself, with fake ranks.
#include "cli/arguments.h"
#include "core/cli/ended_command.h"
#include "fakes/nvml_script.h"
#include "program/programs.h"
#include "program/send_signal.h"
#include "program/test_class.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <csignal>

using namespace lockstep;
using tests::EndedCommand;
using tests::NvmlScript;

namespace {

void addBadQueueActions()
{
    QTest::addRow("queue what") << QStringList{"queue", "dance"} << QByteArray("queue: \"dance\" is not an action");
    QTest::addRow("queue no number") << QStringList{"queue", "remove", "x"}
                                     << QByteArray("queue: \"x\" is not the number of an entry");
    QTest::addRow("queue no entry") << QStringList{"queue", "stop", "7"} << QByteArray("queue: there is no entry 7");
    QTest::addRow("queue no place") << QStringList{"queue", "move", "1"} << QByteArray("queue move: takes 2 arguments");
    QTest::addRow("queue no preset") << QStringList{"queue", "add", "optimisers"}
                                     << QByteArray("did you mean \"optimizers\"?");
    QTest::addRow("queue list takes no settings") << QStringList{"queue", "list", "--set",
        "train.steps=1"} << QByteArray("queue list: --set: unknown option; allowed: --json, --store, --help");
    QTest::addRow("queue run --json") << QStringList{"queue", "run", "--json"}
                                      << QByteArray("queue run: --json: unknown option");
}

} // namespace

class TestSessionCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void badInput_data();
    void badInput();
    void help_data();
    void help();
    void runPrintsJson();
    void varyRunsTheGrid();
    void runWritesFiles();
    void whatHasNoEffectIsSaid();
    void exitCodeOfAFailure_data();
    void exitCodeOfAFailure();
    void interruptStopsCleanly();
    void runsListsWhatWasRun();
    void bundlesTravel();
    void parametersAndPresetsAreJson();
    void doctorSaysWhatToDo();
    void doctorTellsOfGpus();
    void resultTellsOfTheMachine();
    void queueIsKept();
    void closestWord();
    void languageGoesWithEveryVerb();

private:
    EndedCommand lockstep(const QStringList& words, const QString& fake = QStringLiteral("steps=20"));
    QTemporaryDir m_store;
};

EndedCommand TestSessionCommands::lockstep(const QStringList& words, const QString& fake)
{
    return tests::endedCommand(m_store.path(), words, fake);
}

void TestSessionCommands::badInput_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QByteArray>("says");
    QTest::addRow("unknown verb") << QStringList{"rum"} << QByteArray("did you mean \"run\"?");
    QTest::addRow("a format") << QStringList{"perfetto", "x"}
                              << QByteArray("perfetto: a format, not a verb: lockstep export RUN --format perfetto");
    QTest::addRow("unknown preset") << QStringList{"run", "optimisers"} << QByteArray("did you mean \"optimizers\"?");
    QTest::addRow("no preset") << QStringList{"run"} << QByteArray("run: needs one preset or spec file");
    QTest::addRow("preset and command") << QStringList{"run", "optimizers", "--", "true"}
                                        << QByteArray("run: needs one preset or spec file");
    QTest::addRow("ranks") << QStringList{"run", "-n", "x", "--", "true"} << QByteArray("world_size: ");
    QTest::addRow("no ranks") << QStringList{"run", "own", "-n"} << QByteArray("-n: needs a value");
    QTest::addRow("unknown option") << QStringList{"run", "optimizers", "--frob"}
                                    << QByteArray("--frob: unknown option");
    QTest::addRow("no value") << QStringList{"run", "optimizers", "--set"} << QByteArray("--set: needs a value");
    QTest::addRow("not key=value") << QStringList{"run", "optimizers", "--set", "x"} << QByteArray("is not KEY=VALUE");
    QTest::addRow("unknown parameter") << QStringList{"run", "optimizers", "--set", "optimizer.rl=1"}
                                       << QByteArray("optimizer.rl");
    QTest::addRow("out of range") << QStringList{"run", "optimizers", "--only", "SGD", "--set", "optimizer.lr=-1"}
                                  << QByteArray("optimizer.lr: -1 is outside (0, 10]");
    QTest::addRow("unknown variant") << QStringList{"run", "optimizers", "--only", "XYZ"} << QByteArray("XYZ");
    QTest::addRow("vary without values") << QStringList{"run", "optimizers", "--vary", "train.batch"}
                                         << QByteArray("--vary: \"train.batch\" is not KEY=VALUE,VALUE");
    QTest::addRow("vary what is set") << QStringList{"run", "optimizers", "--set", "train.batch=8", "--vary",
        "train.batch=16,32"} << QByteArray("train.batch: is both set and varied");
    QTest::addRow("vary what variants set") << QStringList{"run", "optimizers", "--vary", "optimizer.lr=0.1,0.2"}
                                            << QByteArray("optimizer.lr: cannot be varied, because variants set it");
    QTest::addRow("not a spec") << QStringList{"run", QStringLiteral(LOCKSTEP_SOURCE_DIR "/CMakeLists.txt")}
                                << QByteArray("CMakeLists.txt: ");
    QTest::addRow("a folder") << QStringList{"run", QStringLiteral(LOCKSTEP_SOURCE_DIR)}
                              << QByteArray("it is a folder");
    QTest::addRow("output not writable") << QStringList{"run", "optimizers", "--out", "/proc/x"}
                                         << QByteArray("--out: /proc/x");
    QTest::addRow("store is a file") << QStringList{"runs", "--store",
        QStringLiteral(LOCKSTEP_SOURCE_DIR "/CMakeLists.txt")}
                                     << QByteArray("CMakeLists.txt");
    QTest::addRow("import nothing") << QStringList{
        "import"} << QByteArray("import: needs files of runs, bundles, or curves (event files, CSV, folders of them)");
    QTest::addRow("import no run") << QStringList{"import", QStringLiteral(LOCKSTEP_SOURCE_DIR "/CMakeLists.txt")}
                                   << QByteArray("CMakeLists.txt");
    QTest::addRow("filter of an unknown column")
        << QStringList{"runs", "--filter", "acuracy > 0.9"} << QByteArray("did you mean accuracy?");
    QTest::addRow("unknown baseline") << QStringList{"runs", "--baseline", "nobody"}
                                      << QByteArray("none of the runs has the id or the name nobody");
    QTest::addRow("bundle nothing") << QStringList{"bundle", "--out", "x"}
                                    << QByteArray("bundle: needs the ids of runs");
    QTest::addRow("bundle nowhere") << QStringList{"bundle", "2026"} << QByteArray("bundle: needs --out FILE");
    QTest::addRow("bundle no run") << QStringList{"bundle", "1999", "--out", "/tmp/x.lockstep"}
                                   << QByteArray("run 1999: no such run in ");
    addBadQueueActions();
    QTest::addRow("one word too many") << QStringList{"runs", "x"} << QByteArray("is an unexpected argument");
}

void TestSessionCommands::badInput()
{
    QFETCH(QStringList, words);
    QFETCH(QByteArray, says);
    const EndedCommand ended = lockstep(words);
    QCOMPARE(ended.code, 2);
    QVERIFY2(ended.error.contains(says), ended.error.constData());
    QCOMPARE(ended.error.count('\n'), 1);
    QCOMPARE(ended.out, QByteArray());
}

void TestSessionCommands::help_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QByteArray>("says");
    QTest::addRow("program") << QStringList{"--help"} << QByteArray("lockstep run");
    QTest::addRow("run") << QStringList{"run", "--help"} << QByteArray("optimizer.lr=");
    QTest::addRow("runs") << QStringList{"runs", "--help"} << QByteArray("--store DIR");
    QTest::addRow("queue") << QStringList{"queue", "add", "--help"} << QByteArray("Options of run:\n");
    QTest::addRow("doctor") << QStringList{"doctor", "--help"} << QByteArray("--json");
    QTest::addRow("version") << QStringList{"--version"} << QByteArray("lockstep ");
}

void TestSessionCommands::help()
{
    QFETCH(QStringList, words);
    QFETCH(QByteArray, says);
    const EndedCommand ended = lockstep(words);
    QCOMPARE(ended.code, 0);
    QVERIFY2(ended.out.contains(says), ended.out.constData());
    QCOMPARE(ended.error, QByteArray());
}

void TestSessionCommands::runPrintsJson()
{
    const EndedCommand ended = lockstep({"run", "optimizers", "--set", "repeats=2", "--only", "SGD,Adam", "--json"});
    QCOMPARE(ended.code, 0);
    const QJsonObject result = QJsonDocument::fromJson(ended.out).object();
    QCOMPARE(result["version"].toInt(), 1);
    const QJsonArray runs = result["runs"].toArray();
    QCOMPARE(runs.size(), 4);
    const std::array<std::pair<const char*, int>, 4> order{{{"SGD", 0}, {"SGD", 1}, {"Adam", 0}, {"Adam", 1}}};
    for (qsizetype i = 0; i < runs.size(); ++i) {
        const QJsonObject run = runs[i].toObject();
        QCOMPARE(run["name"].toString(), QString::fromUtf8(order[static_cast<std::size_t>(i)].first));
        QCOMPARE(run["repeat"].toInt(), order[static_cast<std::size_t>(i)].second);
        QCOMPARE(run["status"].toString(), QStringLiteral("finished"));
        QVERIFY(!run["spec"].toObject().isEmpty());
        QVERIFY(run["findings"].isArray());
        for (const char* name : {"final_loss", "test_accuracy", "ms_per_step", "samples_per_s", "comm_ms_per_step",
                 "wait_ms_per_step", "comm_fraction", "comms_with_wait", "bytes_per_step", "seconds_to_first_loss"}) {
            QVERIFY2(run["summary"].toObject()[QLatin1String(name)].isDouble(), name);
        }
        QVERIFY(run["summary"].toObject()["bytes_modelled"].isBool());
        const QJsonObject loss = run["series"].toObject()["loss"].toObject();
        for (const char* axis : {"step", "epoch", "seconds", "value"}) {
            QCOMPARE(loss[QLatin1String(axis)].toArray().size(), 20);
        }
        QCOMPARE(run["series"].toObject()["accuracy"].toObject()["value"].toArray().size(), 1);
        // The fake's loss is a function of rank and step alone.
        QCOMPARE(loss["value"].toArray().last().toDouble(), 0.1 + 2.2 * std::exp(-0.2));
    }
}

void TestSessionCommands::varyRunsTheGrid()
{
    const EndedCommand ended = lockstep({"run", "optimizers", "--set", "repeats=1", "--only", "SGD", "--vary",
        "optimizer.lr=0.1,0.2", "--vary", "train.batch=32,64", "--json"});
    QVERIFY2(ended.code == 0, ended.error.constData());
    QStringList names;
    for (const QJsonValue& run : QJsonDocument::fromJson(ended.out).object()["runs"].toArray()) {
        names += run.toObject()["name"].toString();
        const QJsonObject settings = run.toObject()["spec"].toObject()["base"].toObject();
        QCOMPARE(QStringLiteral("SGD lr=%1 batch=%2")
                     .arg(settings["optimizer.lr"].toDouble())
                     .arg(settings["train.batch"].toInt()),
            names.last());
    }
    QCOMPARE(names,
        (QStringList{"SGD lr=0.1 batch=32", "SGD lr=0.1 batch=64", "SGD lr=0.2 batch=32", "SGD lr=0.2 batch=64"}));
}

void TestSessionCommands::runWritesFiles()
{
    const QTemporaryDir out;
    const EndedCommand ended
        = lockstep({"run", "optimizers", "--set", "repeats=1", "--only", "SGD", "--out", out.filePath("new/folder")});
    QVERIFY2(ended.code == 0, ended.error.constData());
    QVERIFY(ended.out.contains("finished"));
    QFile json(out.filePath("new/folder/result.json"));
    QVERIFY(json.open(QIODevice::ReadOnly));
    QCOMPARE(QJsonDocument::fromJson(json.readAll()).object()["runs"].toArray().size(), 1);
    QFile csv(out.filePath("new/folder/series.csv"));
    QVERIFY(csv.open(QIODevice::ReadOnly));
    QCOMPARE(csv.readAll().count("SGD"), 21); // 20 losses, 1 accuracy
}

void TestSessionCommands::whatHasNoEffectIsSaid()
{
    QTemporaryDir folder;
    const auto specFile = [&](const QByteArray& base) {
        QFile file(folder.filePath("spec.json"));
        const bool isOpen = file.open(QIODevice::WriteOnly);
        file.write(R"({"version":1,"experiment":"optimizers","base":{"train.steps":5)" + base
            + R"(},"variants":[{"name":"a","optimizer.name":"sgd"},{"name":"b","optimizer.name":"momentum"}]})");
        return isOpen ? file.fileName() : QString();
    };
    // A base that some variants have acts on these; the others are named.
    const EndedCommand some = lockstep({"run", specFile(R"(,"optimizer.momentum":0.5)"), "--json"});
    QCOMPARE(some.code, 0);
    QVERIFY2(some.error.contains("lockstep: optimizer.momentum: has no effect in a: it applies where "),
        some.error.constData());
    const EndedCommand alone = lockstep({"run", specFile(R"(,"optimizer.momentum":0.5)"), "--only", "a"});
    QCOMPARE(alone.code, 0);
    const EndedCommand none = lockstep({"run", specFile(R"(,"tensor.size":4)")});
    QCOMPARE(none.code, 2);
    QVERIFY2(
        none.error.startsWith("lockstep: tensor.size: has no effect in this experiment: "), none.error.constData());
    QCOMPARE(lockstep({"run", specFile(R"(,"tensor.size":2)"), "--only", "a"}).code, 0); // the default
}

void TestSessionCommands::exitCodeOfAFailure_data()
{
    QTest::addColumn<QString>("fake");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("says");
    QTest::addRow("killed") << "kill=10" << 3 << QByteArray("rank 0 was killed by signal 9 (Killed)");
    QTest::addRow("NaN") << "nan=3" << 3 << QByteArray("rank 0: loss became NaN at step 3");
    QTest::addRow("refused") << "refuse" << 2 << QByteArray("lockstep: train.batch: this fake refuses every run\n");
}

void TestSessionCommands::exitCodeOfAFailure()
{
    QFETCH(QString, fake);
    QFETCH(int, code);
    QFETCH(QByteArray, says);
    const EndedCommand ended = lockstep({"run", "optimizers", "--set", "repeats=1", "--only", "SGD", "--json"}, fake);
    QCOMPARE(ended.code, code);
    QVERIFY2(ended.error.contains(says), ended.error.constData());
    const QJsonArray runs = QJsonDocument::fromJson(ended.out).object()["runs"].toArray();
    QCOMPARE(runs.size(), 1);
    QCOMPARE(runs[0].toObject()["status"].toString(), QStringLiteral("failed"));
    if (fake == QLatin1String("nan=3")) {
        const QJsonArray losses = runs[0].toObject()["series"].toObject()["loss"].toObject()["value"].toArray();
        QCOMPARE(losses.size(), 3);
        QVERIFY(losses[2].isNull());
    }
}

void TestSessionCommands::interruptStopsCleanly()
{
    QProcess process;
    process.setProcessEnvironment(tests::commandEnvironment(m_store.path(), QStringLiteral("steps=100000")));
    process.start(lockstep::tests::Lockstep, {"run", "optimizers", "--set", "repeats=1", "--json"});
    QByteArray error;
    QTRY_VERIFY((process.waitForReadyRead(50), error += process.readAllStandardError(), error.contains("running")));
    QVERIFY(lockstep::tests::sendSignal(process.processId(), SIGINT));
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 3);
    const QJsonArray runs = QJsonDocument::fromJson(process.readAllStandardOutput()).object()["runs"].toArray();
    QCOMPARE(runs.size(), 3);
    for (const QJsonValue& run : runs) {
        QCOMPARE(run.toObject()["status"].toString(), QStringLiteral("stopped"));
    }
}

void TestSessionCommands::runsListsWhatWasRun()
{
    const EndedCommand ran = lockstep({"run", "optimizers", "--set", "repeats=1", "--only", "SGD", "--json"});
    QCOMPARE(ran.code, 0);
    const QString id = QJsonDocument::fromJson(ran.out).object()["runs"].toArray()[0].toObject()["id"].toString();
    const EndedCommand listed = lockstep({"runs", "--json"});
    const QJsonArray runs = QJsonDocument::fromJson(listed.out).object()["runs"].toArray();
    QVERIFY(!runs.isEmpty());
    QCOMPARE(runs[0].toObject()["id"].toString(), id);
    QVERIFY(lockstep({"runs"}).out.contains(id.toUtf8()));
    QVERIFY(lockstep({"runs", "--filter", "optimizer = sgd and status = finished"}).out.contains(id.toUtf8()));
    QVERIFY(!lockstep({"runs", "--filter", "optimizer = adam"}).out.contains(id.toUtf8()));
    const EndedCommand csv = lockstep({"runs", "--csv", "--columns", "id,net,loss", "--filter", "id = " + id});
    QCOMPARE(csv.out.split('\n').size(), 3);
    QVERIFY2(csv.out.startsWith("id,net.name,loss\n" + id.toUtf8() + ",mlp,"), csv.out.constData());
    QVERIFY(lockstep({"runs", "--latex", "--group-by", "net"}).out.contains("\\begin{tabular}"));
    const QJsonObject grouped
        = QJsonDocument::fromJson(lockstep({"runs", "--group-by", "variant", "--filter", "id = " + id, "--json"}).out)
              .object();
    QCOMPARE(grouped["groups"].toArray()[0].toObject()["n"].toInt(), 1);

    const QTemporaryDir other;
    const QString file = m_store.filePath(id + QStringLiteral(".run"));
    const EndedCommand imported = lockstep({"import", file, "--store", other.path()});
    QVERIFY2(imported.code == 0, imported.error.constData());
    const QByteArray table = lockstep({"runs", "--store", other.path()}).out;
    QVERIFY2(table.contains("SGD") && table.contains((id + ".run").toUtf8()), table.constData());
    QVERIFY(!lockstep({"runs"}).out.contains(".run")); // the column is only there where a run was imported
}

void TestSessionCommands::bundlesTravel()
{
    QCOMPARE(lockstep({"run", "optimizers", "--set", "repeats=1", "--only", "SGD,Adam"}).code, 0);
    const EndedCommand listed = lockstep({"runs", "--json"});
    const QJsonArray runs = QJsonDocument::fromJson(listed.out).object()["runs"].toArray();
    const QString first = runs[0].toObject()["id"].toString();
    const QString second = runs[1].toObject()["id"].toString();
    const QTemporaryDir folder;
    const QString file = folder.filePath("both.lockstep");

    const EndedCommand shown = lockstep({"bundle", first, second, "--dry-run"});
    QVERIFY2(shown.code == 0, shown.error.constData());
    QVERIFY2(shown.out.contains("spec.json") && shown.out.contains("names left out"), shown.out.constData());
    QVERIFY(!QFile::exists(file));
    const EndedCommand newest = lockstep({"bundle", "last", "--dry-run"});
    QVERIFY2(newest.out.contains(first.toUtf8()) && newest.out.contains(second.toUtf8()), newest.error.constData());
    const EndedCommand written = lockstep({"bundle", first, second, "--out", file});
    QVERIFY2(written.code == 0, written.error.constData());
    QVERIFY2(written.error.contains(first.toUtf8()), written.error.constData()); // shown before it is written
    QCOMPARE(written.out, file.toUtf8() + '\n');

    const QString store = folder.filePath("store");
    const QString spec = folder.filePath("spec.json");
    const EndedCommand imported = lockstep({"import", file, "--store", store, "--json", "--spec", spec});
    QVERIFY2(imported.code == 0, imported.error.constData());
    QCOMPARE(QJsonDocument::fromJson(imported.out).object()["runs"].toArray().size(), 2);
    for (const QJsonValue& run :
        QJsonDocument::fromJson(lockstep({"runs", "--json", "--store", store}).out).object()["runs"].toArray()) {
        QCOMPARE(run.toObject()["imported_from"].toString(), QStringLiteral("both.lockstep"));
        QCOMPARE(run.toObject()["status"].toString(), QStringLiteral("finished"));
    }
    QVERIFY(runs[0].toObject()["imported_from"].isNull());
    const EndedCommand again = lockstep({"import", file, "--store", store});
    QCOMPARE(again.code, 2);
    QVERIFY2(again.error.contains("every run of it is in this store already"), again.error.constData());
    const EndedCommand rerun = lockstep({"run", spec, "--store", store});
    QVERIFY2(rerun.code == 0, rerun.error.constData());
}

void TestSessionCommands::parametersAndPresetsAreJson()
{
    const QJsonObject parameters = QJsonDocument::fromJson(lockstep({"parameters", "--json"}).out).object();
    QVERIFY(!parameters.isEmpty());
    const QJsonArray presets
        = QJsonDocument::fromJson(lockstep({"presets", "--json"}).out).object()["presets"].toArray();
    QCOMPARE(presets[0].toObject()["name"].toString(), QStringLiteral("optimizers"));
    QCOMPARE(presets[0].toObject()["spec"].toObject()["variants"].toArray().size(), 3);
    QVERIFY(lockstep({"parameters"}).out.contains("optimizer.lr = "));
}

void TestSessionCommands::doctorSaysWhatToDo()
{
    QProcess process;
    QProcessEnvironment values = tests::commandEnvironment(m_store.path(), {});
    values.insert("LOCKSTEP_RANK", "/nowhere/lockstep-rank");
    process.setProcessEnvironment(values);
    process.start(lockstep::tests::Lockstep, {"doctor", "--json"});
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitCode(), 0);
    const QJsonObject facts = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
    QVERIFY(facts["cores"].toInt() > 0);
    QVERIFY(facts["memory_bytes"].toDouble() > 0);
    QCOMPARE(facts["rank"].toObject()["works"].toBool(), false);
    QVERIFY(facts["advice"].toArray()[0].toString().contains(QStringLiteral("/nowhere/lockstep-rank does not work")));
}

void TestSessionCommands::doctorTellsOfGpus()
{
    const NvmlScript script(R"({"driver": "535.183.01", "cuda": 12020, "gpus": [
        {"name": "NVIDIA H200", "uuid": "GPU-a", "memory": 150754820096, "capability": [9, 0], "mig": false}]})");
    const EndedCommand json = lockstep({"doctor", "--json"});
    QCOMPARE(json.code, 0);
    const QJsonObject facts = QJsonDocument::fromJson(json.out).object();
    QCOMPARE(facts["gpus"].toArray().at(0).toString(), QStringLiteral("NVIDIA H200, 143771 MiB, driver 535.183.01"));
    QVERIFY(facts["gpu_message"].toString().isEmpty());
    const QJsonObject gpu = facts["gpu"].toObject();
    QCOMPARE(gpu["driver"].toString(), QStringLiteral("535.183.01"));
    QCOMPARE(gpu["devices"].toArray().at(0).toObject()["compute_capability"].toString(), QStringLiteral("9.0"));
    QVERIFY(gpu["state"].toString() != QStringLiteral("ready")); // for CUDA 13 too old, and without it no rank program
    QVERIFY(facts["rank_cuda"].toObject()["program"].toString().endsWith(QStringLiteral("/cuda/bin/lockstep-rank")));
    QVERIFY(!facts["advice"].toArray().isEmpty());
    const EndedCommand text = lockstep({"doctor"});
    QVERIFY2(text.out.contains("  GPU 0       NVIDIA H200, 140.4 GiB, compute capability 9.0"), text.out.constData());
    QVERIFY(text.out.contains("  driver      535.183.01, runs programs up to CUDA 12.2"));
}

void TestSessionCommands::resultTellsOfTheMachine()
{
    const NvmlScript script(R"({"gpus": [{"name": "NVIDIA H200", "memory": 1e9, "use": 80, "power": 350.5,
        "reasons": 4}]})");
    const EndedCommand ended = lockstep(
        {"run", "optimizers", "--set", "repeats=1", "--only", "SGD", "--json"}, QStringLiteral("steps=300,rate=200"));
    QCOMPARE(ended.code, 0);
    const QJsonArray machines
        = QJsonDocument::fromJson(ended.out).object()["runs"].toArray().at(0).toObject()["machines"].toArray();
    QCOMPARE(machines.size(), 1);
    const QJsonObject machine = machines[0].toObject();
    QVERIFY(machine["samples"].toInt() >= 2 && machine["cores"].toInt() > 0 && !machine["host"].toString().isEmpty());
    QVERIFY(machine["mean_busy_cores"].toDouble() > 0.0);
    const QJsonObject gpu = machine["gpus"].toArray().at(0).toObject();
    QCOMPARE(gpu["mean_power_w"].toDouble(), 350.5);
    QCOMPARE(gpu["mean_use_percent"].toDouble(), 80.0);
    QCOMPARE(gpu["clocks_held_by"].toObject()["power"].toDouble(), 1.0);
    QVERIFY(gpu["peak_temperature_c"].isNull()); // it was not reported
    const QJsonObject rank = machine["ranks"].toArray().at(0).toObject();
    QVERIFY(rank["peak_rss_bytes"].toDouble() > 0.0);
}

void TestSessionCommands::languageGoesWithEveryVerb()
{
    const EndedCommand wrong = lockstep({"presets", "--lang", "fr"});
    QCOMPARE(wrong.code, 2);
    QCOMPARE(wrong.error, QByteArray("lockstep: --lang: \"fr\" is not a supported language; allowed: en, zh\n"));
    const EndedCommand before = lockstep({"--lang", "zh", "frob"});
    QCOMPARE(before.code, 2);
    QVERIFY2(before.error.contains("未知命令"), before.error.constData());
    const EndedCommand refused = lockstep({"run", "optimizers", "--set", "train.batch=9000", "--lang", "zh"});
    QCOMPARE(refused.code, 2);
    QVERIFY2(refused.error.contains("训练样本"), refused.error.constData());
    const EndedCommand finished = lockstep({"run", "optimizers", "--lang=zh", "--json"});
    QCOMPARE(finished.code, 0);
    const QJsonArray runs = QJsonDocument::fromJson(finished.out).object()["runs"].toArray();
    const QString sentence = runs[0].toObject()["findings"].toArray()[0].toObject()["text"].toString();
    QVERIFY2(sentence.contains(QRegularExpression(QStringLiteral("\\p{Han}"))), qPrintable(sentence));
}

void TestSessionCommands::queueIsKept()
{
    const auto queued = [this](const QStringList& words) {
        const EndedCommand ended = lockstep(QStringList{"queue"} + words + QStringList{"--json"});
        return ended.code == 0 ? QJsonDocument::fromJson(ended.out).object() : QJsonObject();
    };
    const QStringList what{"optimizers", "--only", "SGD", "--set", "repeats=2"};
    QCOMPARE(queued(QStringList{"add"} + what)["added"].toInt(), 1);
    QCOMPARE(queued(QStringList{"add"} + what)["added"].toInt(), 2);
    QCOMPARE(queued({"next", "2"})["entries"].toArray()[0].toObject()["id"].toInt(), 2);
    const QJsonObject list = queued({"list"});
    const QJsonObject first = list["entries"].toArray()[0].toObject();
    QCOMPARE(first["state"].toString(), QStringLiteral("waiting"));
    QCOMPARE(first["runs"].toArray().size(), 2);
    QVERIFY(list["seconds"].toDouble() > 0.0);
    QCOMPARE(lockstep({"queue", "run"}).code, 0);
    QCOMPARE(queued({"list"})["entries"].toArray().size(), 0);
    QCOMPARE(queued(QStringList{"add"} + what)["added"].toInt(), 3);
    QCOMPARE(lockstep({"queue", "run"}, QStringLiteral("steps=20,kill=5")).code, 3); // a run failed
    QCOMPARE(queued({"list"})["entries"].toArray().size(), 0);
}

void TestSessionCommands::closestWord()
{
    const QStringList verbs{"run", "runs", "doctor"};
    QCOMPARE(cli::closest("docter", verbs), QStringLiteral("doctor"));
    QCOMPARE(cli::closest("rns", verbs), QStringLiteral("runs"));
    QCOMPARE(cli::closest("something", verbs), QString());
}

LOCKSTEP_TEST(TestSessionCommands)
#include "test_session_commands.moc"
