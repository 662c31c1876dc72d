// Checkpoints: a resumed run ends with the same weights, to the last bit, as one that was never disturbed; what is
// torn or foreign is refused by name.
#include "base/checkpoint_names.h"
#include "core/engine/strategy/trained_ranks.h"
#include "engine/run/files/checkpoint.h"
#include "engine/run/files/checkpoint_files.h"
#include "engine/run/files/joined_weights.h"
#include "program/test_class.h"

#include <torch/types.h>

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

using namespace lockstep;
using namespace lockstep::engine;
using namespace lockstep::tests;

namespace {

struct CheckpointedRun : TrainedRun {
    [[nodiscard]] const wire::Goodbye& goodbye() const { return ranks.front().goodbye; }
    [[nodiscard]] QString message() const { return QString::fromStdString(goodbye().message); }
};

CheckpointedRun runWith(int ranks, const QString& settings, const Answer& answer = {})
{
    const auto run
        = runOf(withSettings({{"strategy.name", ranks > 1 ? "data" : "single"}, {"world_size", std::to_string(ranks)},
                                 {"dataset.train_samples", "400"}, {"dataset.test_samples", "20"},
                                 {"train.batch", "32"}, {"train.steps", "40"}, {"rank.bind", "false"}},
            settings));
    return {trainedRun(run, ranks, {.answer = answer})};
}

bool areEqual(const std::vector<torch::Tensor>& a, const std::vector<torch::Tensor>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const torch::Tensor& x, const torch::Tensor& y) {
        return x.defined() && y.defined() && torch::equal(x, y);
    });
}

QString withPath(const QString& settings, const QTemporaryDir& folder)
{
    return settings + " checkpoint.path=" + folder.path();
}

} // namespace

class TestCheckpoints : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void resumingChangesNothing_data();
    void resumingChangesNothing();
    void timeIsCarriedOn();
    void aScheduleOfAnotherLengthIsSaid();
    void onDemandAndAtAStop();
    void theNewestAreKept();
    void whatDoesNotFitIsRefused();
    void theContentOfTheDataMustAgree();
    void aCheckpointOfAnEarlierVersionIsRefused();
    void whatIsTornIsRefusedAndTheOneBeforeOffered();
    void aFullDiskEndsNothing();
    void weightsAreJoined();
    void filesAreSentWhereTheWorkbenchDoesNotSeeThem();
};

void TestCheckpoints::resumingChangesNothing_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<QString>("settings");
    const auto add = [](int ranks, const char* settings) {
        QTest::addRow("%d ranks, %s", ranks, settings) << ranks << QString(settings);
    };
    for (const char* optimizer : {"gd", "sgd", "momentum", "nesterov", "adam", "adamw"}) {
        QTest::addRow("1 rank, %s", optimizer) << 1 << QStringLiteral("optimizer.name=") + optimizer;
    }
    add(1, "net.name=cnn train.steps=12 optimizer.name=adam");
    add(2, "net.name=gpt dataset.name=text net.width=16 net.blocks=1 net.context=16 net.tied=true optimizer.name=adam");
    add(1, "optimizer.schedule=cosine optimizer.name=sgd");
    add(2, "strategy.name=local local.every=7 local.outer_lr=0.7 local.outer_momentum=0.9 optimizer.name=adam");
    add(2, "strategy.name=local local.every=7 local.what=differences");
    add(2, "strategy.name=zero zero.stage=1 zero.offload=disk optimizer.name=adam");
    add(2, "strategy.name=zero zero.stage=3 zero.offload=disk optimizer.name=momentum");
    add(2, "optimizer.name=adam");
    add(3, "optimizer.name=momentum partition.name=unequal aggregation.rule=weighted_mean");
    add(4, "partition.name=by-label aggregation.what=weights aggregation.every=7 aggregation.rule=weighted_mean");
    add(2, "partition.name=random-sampling aggregation.algorithm=ring train.dtype=float64");
    add(2, "aggregation.algorithm=parameter_server optimizer.name=adam");
}

void TestCheckpoints::resumingChangesNothing()
{
    QFETCH(int, ranks);
    QFETCH(QString, settings);
    QTemporaryDir folder;
    const QString kept = withPath(settings, folder) + " checkpoint.every=5 checkpoint.keep=0";
    const CheckpointedRun whole = runWith(ranks, kept);
    QVERIFY2(whole.goodbye().outcome == wire::Outcome::Finished, qPrintable(whole.message()));
    const auto all = checkpointsIn(folder.path().toStdString());
    QVERIFY(all.size() >= 2);
    for (const std::size_t at : {std::size_t{0}, all.size() / 2}) {
        QTemporaryDir other;
        const CheckpointedRun rest
            = runWith(ranks, withPath(settings, other) + " checkpoint.from=" + QString::fromStdString(all[at]));
        QVERIFY2(rest.goodbye().outcome == wire::Outcome::Finished, qPrintable(rest.message()));
        QVERIFY(areEqual(whole.weights, rest.weights));
        const KeptRows rows = rest.ranks.front().kept->rows();
        QCOMPARE(rows.step.front(), readManifest(all[at])->step + 1);
        const KeptRows before = whole.ranks.front().kept->rows();
        QCOMPARE(rows.samples.back(), before.samples.back());
        QCOMPARE(rows.loss.back(), before.loss.back());
    }
}

/// A checkpoint says how long the steps up to it took, its own run's and those of the run that this one resumed.
void TestCheckpoints::timeIsCarriedOn()
{
    QTemporaryDir folder;
    const CheckpointedRun first = runWith(1, withPath("checkpoint.every=20 checkpoint.keep=0", folder));
    QVERIFY2(first.goodbye().outcome == wire::Outcome::Finished, qPrintable(first.message()));
    const std::string from = folder.path().toStdString() + "/step-00000020";
    const auto manifest = readManifest(from);
    QVERIFY(manifest);
    const KeptRows rows = first.ranks.front().kept->rows();
    const std::int64_t beganNs = rows.endNs.front() - rows.wallNs.front();
    QVERIFY(manifest->trainedNs >= rows.endNs[19] - rows.endNs.front());
    QVERIFY(manifest->trainedNs <= rows.endNs[20] - beganNs);
    const auto factsOf
        = [](const CheckpointedRun& run) { return run.ranks.front().kept->all<wire::Prepared>().front(); };
    QCOMPARE(factsOf(first).resumedStep, 0);

    QTemporaryDir other;
    const QString resuming = withPath("checkpoint.every=40 checkpoint.from=" + QString::fromStdString(from), other);
    const CheckpointedRun second = runWith(1, resuming);
    QVERIFY2(second.goodbye().outcome == wire::Outcome::Finished, qPrintable(second.message()));
    QCOMPARE(factsOf(second).resumedStep, 20);
    QCOMPARE(factsOf(second).resumedNs, manifest->trainedNs);
    QCOMPARE(factsOf(second).scheduledSteps, 0);
    const KeptRows rest = second.ranks.front().kept->rows();
    const auto last = readManifest(other.path().toStdString() + "/step-00000040");
    QVERIFY(last);
    QVERIFY(last->trainedNs >= manifest->trainedNs + rest.endNs.back() - rest.endNs.front());

    // A checkpoint of an earlier version does not say it: then the whole time is not known, nor ever will be.
    Manifest old = *manifest;
    old.trainedNs = 2'000'000'000'000'000'000; // nor does one that cannot be true
    QVERIFY(writeManifestFile(from, old));
    QCOMPARE(readManifest(from)->trainedNs, -1);
    old.trainedNs = -1;
    QVERIFY(writeManifestFile(from, old));
    const CheckpointedRun third = runWith(1, resuming);
    QVERIFY2(third.goodbye().outcome == wire::Outcome::Finished, qPrintable(third.message()));
    QCOMPARE(factsOf(third).resumedNs, -1);
    QCOMPARE(readManifest(other.path().toStdString() + "/step-00000040")->trainedNs, -1);
    const auto lines = third.ranks.front().kept->all<wire::LogLine>();
    QVERIFY(std::ranges::any_of(
        lines, [](const wire::LogLine& line) { return line.text.find("seconds are unknown") != std::string::npos; }));
}

/// A cosine reaches 0 at the run's end: with more steps the rates up to the checkpoint would have been others.
void TestCheckpoints::aScheduleOfAnotherLengthIsSaid()
{
    const auto scheduledSteps = [](const QString& schedule, const QString& steps) {
        QTemporaryDir folder;
        const CheckpointedRun first = runWith(1, withPath(schedule + " checkpoint.every=20", folder));
        const CheckpointedRun second
            = runWith(1, schedule + steps + " checkpoint.from=" + folder.path() + "/step-00000020");
        const auto lines = second.ranks.front().kept->all<wire::LogLine>();
        const bool isLogged = std::ranges::any_of(lines, [](const wire::LogLine& line) {
            return line.text
                == "the learning-rate schedule of the first 20 steps was made for 40 steps; it is recomputed for 60, "
                   "so that the rates differ from those of one run of 60 steps";
        });
        const std::int64_t said = second.ranks.front().kept->all<wire::Prepared>().front().scheduledSteps;
        return second.goodbye().outcome == wire::Outcome::Finished && isLogged == (said > 0) ? said : -1;
    };
    QCOMPARE(scheduledSteps("optimizer.schedule=cosine", " train.steps=60"), 40);
    QCOMPARE(scheduledSteps("optimizer.schedule=cosine", ""), 0);
    QCOMPARE(scheduledSteps("optimizer.schedule=constant", " train.steps=60"), 0);
    QCOMPARE(scheduledSteps("optimizer.schedule=step", " train.steps=60"), 0);
    // Another rate is the user's doing, and not the length's.
    QCOMPARE(scheduledSteps("optimizer.schedule=constant", " optimizer.lr=0.05"), 0);
}

void TestCheckpoints::onDemandAndAtAStop()
{
    QTemporaryDir folder;
    // Asked for one, and then to stop.
    const auto ask = [asked = 0](const wire::Message& message) mutable -> std::vector<wire::Control> {
        if (!std::holds_alternative<wire::Prepared>(message) || asked++ > 0) {
            return {};
        }
        return {{wire::Command::Checkpoint, -1, 0.0}};
    };
    const CheckpointedRun asked = runWith(2, withPath("train.steps=3000", folder), ask);
    QVERIFY2(asked.goodbye().outcome == wire::Outcome::Finished, qPrintable(asked.message()));
    const auto all = checkpointsIn(folder.path().toStdString());
    QCOMPARE(all.size(), std::size_t{1});
    QVERIFY(readWhole(all[0], *readManifest(all[0])));
    const auto applied = asked.ranks.front().kept->all<wire::Applied>();
    QCOMPARE(applied.size(), std::size_t{1});
    QCOMPARE(applied[0].step, readManifest(all[0])->step + 1);

    QTemporaryDir stopped;
    const auto stop = [asked = 0](const wire::Message& message) mutable -> std::vector<wire::Control> {
        if (!std::holds_alternative<wire::StepBatch>(message) || asked++ > 0) {
            return {};
        }
        return {{wire::Command::Stop, -1, 0.0}};
    };
    const CheckpointedRun first = runWith(2, withPath("train.steps=20000", stopped), stop);
    QCOMPARE(first.goodbye().outcome, wire::Outcome::Stopped);
    const auto left = checkpointsIn(stopped.path().toStdString());
    QCOMPARE(left.size(), std::size_t{1});
    QCOMPARE(readManifest(left[0])->step, first.goodbye().step);
}

void TestCheckpoints::theNewestAreKept()
{
    QTemporaryDir folder;
    QVERIFY(runWith(2, withPath("checkpoint.every=5 checkpoint.keep=2", folder)).goodbye().outcome
        == wire::Outcome::Finished);
    const auto all = checkpointsIn(folder.path().toStdString());
    QCOMPARE(all.size(), std::size_t{2});
    QCOMPARE(readManifest(all[0])->step, std::int64_t{35});
    QCOMPARE(readManifest(all[1])->step, std::int64_t{40});
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).size(), 2);
}

void TestCheckpoints::whatDoesNotFitIsRefused()
{
    QTemporaryDir folder;
    QVERIFY(runWith(2, withPath("checkpoint.every=20", folder)).goodbye().outcome == wire::Outcome::Finished);
    const QString from = folder.path() + "/step-00000020";
    const auto messageWith = [&](int ranks, const QString& settings) {
        const CheckpointedRun ended = runWith(ranks, settings + " checkpoint.from=" + from);
        return ended.goodbye().outcome == wire::Outcome::Refused ? ended.message() : QString("not refused");
    };
    const QString head = "checkpoint.from: " + from + " ";
    QCOMPARE(messageWith(2, "train.batch=16"), head + "was made with train.batch 32, this run has 16");
    QCOMPARE(messageWith(2, "net.name=cnn"), head + "was made with net.name mlp, this run has cnn");
    QCOMPARE(messageWith(2, "optimizer.name=adam"), head + "was made with optimizer.name sgd, this run has adam");
    QCOMPARE(
        messageWith(3, ""), head + "is of 2 ranks, this run has 3; a run must resume with the same number of ranks");
    QCOMPARE(messageWith(2, "train.steps=20"),
        head + "is of step 20, where this run of 20 steps has ended; give it more epochs or steps");
    // What may change: lengths and rates.
    QCOMPARE(messageWith(2, "train.steps=50 optimizer.lr=0.05"), QString("not refused"));
}

void TestCheckpoints::theContentOfTheDataMustAgree()
{
    QTemporaryDir folder;
    const auto textFile = [&](const char* name, const QByteArray& content) {
        QFile file(folder.filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(content) == content.size() ? file.fileName() : QString();
    };
    const QByteArray content = QByteArray("All the world's a stage. ").repeated(400);
    const QString first = textFile("first.txt", content);
    const QString same = textFile("same.txt", content);
    const QString settings
        = "net.name=gpt dataset.name=text net.width=8 net.heads=1 net.blocks=1 net.context=8 train.steps=4 ";
    const CheckpointedRun whole = runWith(2, withPath(settings + "checkpoint.every=2 dataset.path=" + first, folder));
    QVERIFY2(whole.goodbye().outcome == wire::Outcome::Finished, qPrintable(whole.message()));
    const QString from = folder.path() + "/step-00000002";
    const auto resumed = [&](const QString& path) {
        return runWith(2, settings + "checkpoint.from=" + from + " dataset.path=" + path);
    };
    const CheckpointedRun moved = resumed(same);
    QVERIFY2(moved.goodbye().outcome == wire::Outcome::Finished, qPrintable(moved.message()));
    QVERIFY(areEqual(whole.weights, moved.weights));

    const auto hashOf = [](const QByteArray& bytes) {
        return QString("sha256:" + QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex());
    };
    const QByteArray other = QByteArray(content).replace(0, 3, "One");
    QCOMPARE(textFile("first.txt", other), first);
    const CheckpointedRun changed = resumed(first);
    QCOMPARE(changed.goodbye().outcome, wire::Outcome::Refused);
    QCOMPARE(changed.message(),
        QStringLiteral("checkpoint.from: %1 was made with other data, %2; %3 is %4")
            .arg(from, hashOf(content), first, hashOf(other)));
}

/// Written by commit 2411294, whose files were those of torch.save.
void TestCheckpoints::aCheckpointOfAnEarlierVersionIsRefused()
{
    const QString folder = LOCKSTEP_SOURCE_DIR "/tests/data/checkpoint-2411294/step-00000020";
    const CheckpointedRun ended = runWith(
        1, "net.hidden=3 optimizer.name=momentum optimizer.lr=0.05 train.dtype=float64 checkpoint.from=" + folder);
    QCOMPARE(ended.goodbye().outcome, wire::Outcome::Refused);
    QVERIFY2(ended.message().startsWith("checkpoint.from: " + folder
                 + " was written by an earlier version of Lockstep (its manifest is of version 1, this program reads "
                   "2); use that version (commit e609644f or before)"),
        qPrintable(ended.message()));
}

void TestCheckpoints::whatIsTornIsRefusedAndTheOneBeforeOffered()
{
    QTemporaryDir folder;
    QVERIFY(runWith(2, withPath("checkpoint.every=10", folder)).goodbye().outcome == wire::Outcome::Finished);
    const QString newest = folder.path() + "/step-00000030";
    const auto messageOf = [&](const QString& from) { return runWith(2, "checkpoint.from=" + from).message(); };
    QFile part(newest + "/rank-1.safetensors");
    const qint64 size = part.size();
    QVERIFY(part.resize(size - 100));
    QCOMPARE(messageOf(newest),
        QStringLiteral(
            "checkpoint.from: %1 is torn: rank-1.safetensors has %2 of %3 bytes; the one before it is complete: %4")
            .arg(newest)
            .arg(size - 100)
            .arg(size)
            .arg(folder.path() + "/step-00000020"));
    QVERIFY(messageOf(folder.path() + "/step-00000029") // that is gone
                .endsWith("; the one before it is complete: " + folder.path() + "/step-00000020"));
    QFile before(folder.path() + "/step-00000020/rank-0.safetensors");
    QVERIFY(before.open(QIODevice::ReadWrite) && before.seek(2000) && before.putChar('\x55') && before.flush());
    before.close();
    QVERIFY(
        messageOf(folder.path() + "/step-00000020")
            .endsWith("is damaged: rank-0.safetensors is not what was written; there is no complete one before it"));
    QVERIFY(QFile::remove(newest + "/manifest.json"));
    QVERIFY(messageOf(newest).contains("is not a checkpoint: it has no manifest.json"));
    QFile manifest(newest + "/manifest.json");
    QVERIFY(manifest.open(QIODevice::WriteOnly) && manifest.write("{\"version\":2,\"step\":\"x\"}") > 0);
    manifest.close();
    QVERIFY(messageOf(newest).contains("is not the manifest of a checkpoint"));
}

void TestCheckpoints::aFullDiskEndsNothing()
{
    const CheckpointedRun ended = runWith(2, "checkpoint.every=10 checkpoint.path=/dev/null/nowhere");
    QVERIFY2(ended.goodbye().outcome == wire::Outcome::Finished, qPrintable(ended.message()));
    int warnings = 0;
    for (const wire::LogLine& line : ended.ranks.front().kept->all<wire::LogLine>()) {
        warnings
            += line.level == wire::LogLevel::Warning && line.text.find("could not be written") != std::string::npos;
    }
    QCOMPARE(warnings, 4);
}

void TestCheckpoints::weightsAreJoined()
{
    QTemporaryDir folder;
    const CheckpointedRun ended = runWith(2,
        withPath(
            "checkpoint.every=40 partition.name=by-label aggregation.what=weights aggregation.every=1000", folder));
    QVERIFY(ended.goodbye().outcome == wire::Outcome::Finished);
    QVERIFY(!torch::equal(ended.weights[0], ended.weights[1]));
    const std::string file = folder.filePath("joined.safetensors").toStdString();
    QVERIFY(joinWeights(folder.path().toStdString() + "/step-00000040", file, WeightsFormat::Safetensors));
    const auto read = readTensorFile(file);
    QVERIFY(read && read->tensors);
    QCOMPARE(read->tensors->size(), std::size_t{4});
    const auto first = readTensors(folder.path().toStdString() + "/step-00000040",
        readManifest(folder.path().toStdString() + "/step-00000040")->files[0]);
    const auto second = readTensors(folder.path().toStdString() + "/step-00000040",
        readManifest(folder.path().toStdString() + "/step-00000040")->files[1]);
    for (const auto& [name, tensor] : *read->tensors) {
        QVERIFY(torch::allclose(tensor, (first->at("weights/" + name) + second->at("weights/" + name)) / 2));
    }
    QVERIFY(!joinWeights(folder.path().toStdString(), file, WeightsFormat::Safetensors));
}

void TestCheckpoints::filesAreSentWhereTheWorkbenchDoesNotSeeThem()
{
    QTemporaryDir folder;
    const auto run = runOf(withSettings(
        {{"strategy.name", "data"}, {"world_size", "2"}, {"dataset.train_samples", "400"},
            {"dataset.test_samples", "20"}, {"train.batch", "32"}, {"train.steps", "20"}, {"rank.bind", "false"}},
        withPath("net.hidden=400 checkpoint.every=20", folder)));
    std::vector<TrainedRank> ranks = trainedRanks(run, 2, {.checkpointMark = ".workbench-1"});
    const auto all = checkpointsIn(folder.path().toStdString());
    QCOMPARE(all.size(), std::size_t{1});
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        QCOMPARE(ranks[rank].goodbye.outcome, wire::Outcome::Finished);
        std::map<std::string, QByteArray> files;
        for (const wire::CheckpointPart& part : ranks[rank].kept->all<wire::CheckpointPart>()) {
            QCOMPARE(part.step, 20);
            QCOMPARE(part.offset, files[part.name].size());
            files[part.name].append(reinterpret_cast<const char*>(part.bytes.data()), std::ssize(part.bytes));
            QVERIFY(files[part.name].size() <= part.total);
        }
        const std::string own = checkpointFileName(static_cast<int>(rank));
        QCOMPARE(files.size(), std::size_t{rank == 0 ? 2u : 1u}); // rank 0 sends the manifest, too
        QVERIFY(files[own].size() > static_cast<qsizetype>(wire::CheckpointPieceBytes)); // in several pieces
        for (const auto& [name, bytes] : files) {
            QFile written(QString::fromStdString(all[0] + "/" + name));
            QVERIFY(written.open(QIODevice::ReadOnly));
            QVERIFY(written.readAll() == bytes);
        }
    }
    QFile mark(folder.filePath(".workbench-1"));
    QVERIFY(mark.open(QIODevice::WriteOnly));
    ranks = trainedRanks(run, 2, {.checkpointMark = ".workbench-1"});
    QVERIFY(ranks[0].kept->all<wire::CheckpointPart>().empty());
}

LOCKSTEP_TEST(TestCheckpoints)
#include "test_checkpoints.moc"
