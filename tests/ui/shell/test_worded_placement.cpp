// All that a placement says of GPUs, refusals above all, reads as Chinese in a Chinese window: on made-up machines,
// with every backend that one can ask for.
#include "core/plan/machines.h"
#include "plan/device_transfer.h"
#include "program/test_class.h"
#include "session/language.h"
#include "session/messages.h"
#include "ui/shell/desktop.h"

#include <QRegularExpression>
#include <QTest>

#include <set>

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
    static const QRegularExpression names(QStringLiteral(
        R"(comm\.backend|comm\.nccl_shared_gpu|device\.gpus|train\.batch|lockstep-rank|lockstep doctor|\./run --cuda|)"
        R"(cuda:\d|NCCL_MAX_CTAS|LibTorch|\bn[12]\b|NCCL|CUDA|IPC|MPS|MIG|GPU|CPU|H100|RTX|)"
        R"(A100 MIG 3g\.20gb|\b[GM]B\b|)"
        R"(\b(rank|nccl|shm|gloo|mpi|hierarchical|auto|cpu|device)\b)"));
    text.remove(names);
    return text.contains(QRegularExpression(QStringLiteral("[A-Za-z]"))) ? text : QString();
}

/// Of two hosts, the first of which has two ranks.
void textsOverHosts(const experiment::RunSpec& run, std::set<std::string>& texts)
{
    using plan::RankDevice;
    const std::vector<std::string> hosts{"n1", "n1", "n2"};
    for (const int first : {0, 1}) { // the GPU of rank 0, and of both ranks there
        for (const int second : {first, 2 * first}) {
            for (const std::int64_t nccl : {22809, 23000}) {
                for (const RankDevice& last : {RankDevice{}, {3, 0, 22703}, {3, 0, nccl}, {3, 0, 0}, {3, 1, nccl}}) {
                    const auto agreed = plan::agreeOnTransfer(run, {{first, 0, nccl}, {second, 0, nccl}, last}, hosts);
                    texts.insert(!agreed ? agreed.error().message
                                         : "ring over " + agreed->inBrackets(run, "hierarchical", "n1, n2"));
                    texts.insert(
                        !agreed ? agreed.error().message : "ring over " + agreed->inBrackets(run, "gloo", "n1, n2"));
                }
            }
        }
    }
}

std::set<std::string> allTexts()
{
    std::set<std::string> texts;
    for (const Machine& machine : allMachines()) {
        for (const experiment::RunSpec& run : allRuns()) {
            const auto placed = plan::placeRanks(run, machine);
            if (!placed) {
                texts.insert(placed.error().message);
                continue;
            }
            texts.insert(placed->warnings.begin(), placed->warnings.end());
            if (!placed->backend.empty()) {
                texts.insert("ring over " + placed->inBrackets());
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
        session::installTexts(session::TextLanguage::English);
    }

    void nothingOfAPlacementStaysEnglish()
    {
        const std::set<std::string> texts = allTexts();
        QVERIFY2(texts.size() > 60, qPrintable(QString::number(texts.size())));
        const session::TextsIn language(session::TextLanguage::Chinese);
        QStringList left;
        for (const std::string& text : texts) {
            QString worded = QString::fromStdString(session::worded(text));
            if (const QString english = englishIn(worded.remove(QRegularExpression(QStringLiteral("^ring"))));
                !english.isEmpty()) {
                left += QString::fromStdString(text) + " -> " + worded;
            }
        }
        QVERIFY2(left.isEmpty(), qPrintable(left.join('\n')));
    }

    void aRefusalIsWorded_data()
    {
        QTest::addColumn<QString>("english");
        QTest::addColumn<QString>("chinese");
        QTest::addRow("no such GPU")
            << "device: cuda:3 does not exist: this machine has 2 GPUs (cuda:0, cuda:1); use one of them, auto or cpu"
            << "device：cuda:3 不存在：本机有 2 个 GPU（cuda:0, cuda:1）；"
               "请用其中之一、auto 或 cpu";
        QTest::addRow("shared")
            << "comm.backend: nccl needs a GPU for each rank, and 2 ranks have 2 slices of 1 GPU; use auto or shm, or "
               "no more ranks than GPUs"
            << "comm.backend：nccl 要求每个 rank 有一个 GPU，而 2 个 rank 使用同一个 GPU 的 2 "
               "个切片；请用 auto 或 shm，或让 rank 数不超过 GPU 数";
        QTest::addRow("of a driver")
            << "device: cuda:1 needs a driver for CUDA 13.0, and the one here is for CUDA 11.8; update the driver, or "
               "use device=cpu"
            << "device：cuda:1 需要支持 CUDA 13.0 的驱动，"
               "而本机的驱动只支持 CUDA 11.8；请更新驱动，或用 device=cpu";
    }

    void aRefusalIsWorded()
    {
        QFETCH(QString, english);
        QFETCH(QString, chinese);
        const session::TextsIn language(session::TextLanguage::Chinese);
        QCOMPARE(QString::fromStdString(session::worded(english.toStdString())), chinese);
    }

    /// The log's line, in which the placement is the innermost part.
    void aReasonIsWordedWithinTheLogsLine()
    {
        const session::TextsIn language(session::TextLanguage::Chinese);
        QCOMPARE(QString::fromStdString(session::worded(
                     "digits, 8000 + 2000 images of 28 x 28; mlp with 101770 weights on cuda:0; 625 steps; 4 ranks, "
                     "ring over shm with CUDA IPC (4 ranks share 1 GPU, which NCCL refuses; MPS runs their kernels "
                     "side by side)")),
            QStringLiteral("digits，8000 + 2000 张 28 x 28 图像；mlp，101770 个权重，位于 cuda:0；"
                           "625 步；"
                           "4 个 rank，ring，后端 shm，CUDA IPC（4 个 rank 共用 1 个 GPU，NCCL 不允许；"
                           "MPS 让它们的核函数同时运行）"));
    }
};

LOCKSTEP_TEST(TestWordedPlacement)
#include "test_worded_placement.moc"
