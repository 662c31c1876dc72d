// All that a placement says of GPUs, refusals above all, reads as Chinese in a Chinese window: on made-up machines,
// with every backend that one can ask for.
#include "core/plan/machines.h"
#include "language/language.h"
#include "language/wording.h"
#include "plan/device_transfer.h"
#include "program/test_class.h"
#include "ui/shell/desktop.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <map>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

std::vector<Machine> allMachines()
{
    std::vector<Machine> machines{cpuBuild()};
    Machine unequal = machineOf({gpu("H100", 80 * GB), gpu("RTX", 2 * GB, {5, 2})});
    unequal.architectures = plan::readArchitectures("sm_75 sm_90");
    Machine noIpc = machineWith(1);
    noIpc.gpus[0].hasIpc = false;
    Machine apart = machineWith(2);
    apart.peers.clear();
    for (const Machine& each : {machineWith(0), machineWith(1), machineWith(2), machineWith(8), unequal, noIpc, apart,
             withSlices({"a"}), withSlices({"a", "a"}), withSlices({"a", "b"})}) {
        for (const int nccl : {0, 22809, 23007}) {
            for (const bool mps : {false, true}) {
                Machine machine = each;
                machine.nccl = nccl;
                machine.runsMps = mps;
                machines.push_back(machine);
            }
        }
    }
    return machines;
}

std::vector<experiment::RunSpec> allRuns()
{
    std::vector<experiment::RunSpec> runs{runOf({})};
    const std::vector<experiment::Override> large{
        {"net.name", "deep-mlp"}, {"net.depth", "9"}, {"net.hidden", "2048"}, {"optimizer.name", "adam"}};
    for (const int ranks : {1, 2, 9}) {
        runs.push_back(data(ranks, large));
        for (const char* backend : {"auto", "nccl", "shm", "gloo", "mpi", "hierarchical"}) {
            for (const char* shares : {"false", "true"}) {
                for (const experiment::Override& place : {experiment::Override{"device", "auto"}, {"device", "cpu"},
                         {"device", "cuda:1"}, {"device", "cuda:7"}, {"device.gpus", "0,1"}, {"device.gpus", "0,9"}}) {
                    runs.push_back(data(ranks, {{"comm.backend", backend}, {"comm.nccl_shared_gpu", shares}, place}));
                }
            }
        }
    }
    return runs;
}

/// What is left in Latin letters besides names that are the same in every language.
QString englishIn(QString text)
{
    static const QRegularExpression names(
        QStringLiteral(R"(comm\.backend|comm\.nccl_shared_gpu|device\.gpus|train\.batch|lockstep-rank|lockstep doctor|)"
                       R"(cuda:\d|NCCL_MAX_CTAS|LibTorch|\bn[12]\b|NCCL|CUDA|IPC|MPS|MIG|GPU|CPU|H100|RTX|)"
                       R"(A100 MIG 3g\.20gb|\b[GM]B\b|)"
                       R"(\b(rank|nccl|shm|gloo|mpi|hierarchical|auto|cpu|device)\b)"));
    text.remove(names);
    return text.contains(QRegularExpression(QStringLiteral("[A-Za-z]"))) ? text : QString();
}

Text overRing(const Text& placement)
{
    return {"%1 over %2", {verbatim("ring"), placement}};
}

/// By their English.
using Texts = std::map<std::string, Text>;

void add(Texts& texts, const Text& text)
{
    texts.emplace(text.english, text);
}

/// Of two hosts, the first of which has two ranks.
void textsOverHosts(const experiment::RunSpec& run, Texts& texts)
{
    using plan::RankDevice;
    const std::vector<std::string> hosts{"n1", "n1", "n2"};
    for (const int first : {0, 1}) { // the GPU of rank 0, and of both ranks there
        for (const int second : {first, 2 * first}) {
            for (const std::int64_t nccl : {22809, 23000}) {
                for (const RankDevice& last : {RankDevice{}, {3, 0, 22703}, {3, 0, nccl}, {3, 0, 0}, {3, 1, nccl}}) {
                    const auto agreed = plan::agreeOnTransfer(run, {{first, 0, nccl}, {second, 0, nccl}, last}, hosts);
                    for (const char* backend : {"hierarchical", "gloo"}) {
                        add(texts,
                            agreed ? overRing(agreed->inBrackets(run, backend, "n1, n2")) : Text(agreed.error()));
                    }
                }
            }
        }
    }
}

Texts allTexts()
{
    Texts texts;
    for (const Machine& machine : allMachines()) {
        for (const experiment::RunSpec& run : allRuns()) {
            const auto placed = plan::placeRanks(run, machine);
            if (!placed) {
                add(texts, placed.error());
                continue;
            }
            std::ranges::for_each(placed->warnings, [&](const Text& each) { add(texts, each); });
            if (!placed->backend.empty()) {
                add(texts, overRing(placed->inBrackets()));
            }
        }
    }
    for (const experiment::RunSpec& run : allRuns()) {
        textsOverHosts(run, texts);
    }
    return texts;
}

} // namespace

class TestWordedPlacement : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        ui::loadResources();
        language::installTexts(language::TextLanguage::English);
    }

    void nothingOfAPlacementStaysEnglish()
    {
        const Texts texts = allTexts();
        QVERIFY2(texts.size() > 60, qPrintable(QString::number(texts.size())));
        const language::TextsIn language(language::TextLanguage::Chinese);
        QStringList left;
        for (const auto& [english, text] : texts) {
            QString worded = QString::fromStdString(language::worded(text));
            if (const QString rest = englishIn(worded.remove(QRegularExpression(QStringLiteral("^ring"))));
                !rest.isEmpty()) {
                left += QString::fromStdString(english) + " -> " + worded;
            }
        }
        QVERIFY2(left.isEmpty(), qPrintable(left.join('\n')));
    }

    void aRefusalIsWorded()
    {
        const language::TextsIn language(language::TextLanguage::Chinese);
        const auto worded = [](const experiment::RunSpec& run, const Machine& machine) {
            return QString::fromStdString(language::errorLine(plan::placeRanks(run, machine).error()));
        };
        QCOMPARE(worded(data(2, {{"device", "cuda:3"}}), machineWith(2)),
            QStringLiteral("device：cuda:3 不存在：本机有 2 个 GPU（cuda:0, cuda:1）；请用其中之一、auto 或 cpu"));
        Machine sliced = withSlices({"a", "a"});
        sliced.nccl = 22809;
        QCOMPARE(worded(data(2, {{"comm.backend", "nccl"}}), sliced),
            QStringLiteral("comm.backend：nccl 要求每个 rank 有一个 GPU，而 2 个 rank 使用 1 个 GPU 的 2 个切片；"
                           "请用 auto 或 shm，或让 rank 数不超过 GPU 数"));
    }

    /// The log's line, in which the placement is the innermost part.
    void aReasonIsWordedWithinTheLogsLine()
    {
        Machine machine = machineWith(1);
        machine.nccl = 22809;
        machine.runsMps = true;
        const Text data4 = overRing(plan::placeRanks(data(4), machine)->inBrackets());
        const Text loaded("%1, %2 + %3 images of %4",
            {verbatim("digits"), verbatim("8,000"), verbatim("2,000"), verbatim("28 x 28")});
        const Text line("%1; %2 with %3 weights on %4; %5 steps; %6 ranks, %7",
            {loaded, verbatim("mlp"), 101770, verbatim("cuda:0"), 625, 4, data4});
        const language::TextsIn language(language::TextLanguage::Chinese);
        QCOMPARE(QString::fromStdString(language::worded(line)),
            QStringLiteral("digits，8,000 + 2,000 张 28 x 28 图像；mlp，101770 个权重，位于 cuda:0；625 步；"
                           "4 个 rank，ring，后端 shm，CUDA IPC（4 个 rank 共用 1 个 GPU，NCCL 不允许；"
                           "MPS 让它们的核函数同时运行）"));
    }
};

LOCKSTEP_TEST(TestWordedPlacement)
#include "test_worded_placement.moc"
