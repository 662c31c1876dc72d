// GPUs that are cut into slices (MIG), on a driver's library without a driver: which slices there are, which of them
// CUDA_VISIBLE_DEVICES leaves, and that a rank sees its own alone.
#include "engine/ranks/devices/gpu_slices.h"
#include "engine/ranks/devices/run_devices.h"
#include "fakes/nvml_script.h"
#include "program/test_class.h"

#include <QTest>

using namespace lockstep;
using namespace lockstep::engine;
using namespace lockstep::tests;

namespace {

const QByteArray TwoCutAndOneWhole = R"({"gpus": [
    {"name": "H200", "uuid": "GPU-a", "memory": 150e9, "capability": [9, 0], "mig": true, "slices": [
        {"name": "H200 MIG 3g.71gb", "uuid": "MIG-a0", "memory": 71e9},
        {"name": "H200 MIG 1g.18gb", "uuid": "MIG-a1", "memory": 18e9}]},
    {"name": "L4", "uuid": "GPU-b", "memory": 24e9, "capability": [8, 9]},
    {"name": "H200", "uuid": "GPU-c", "memory": 150e9, "capability": [9, 0], "mig": true, "slices": [
        {"name": "H200 MIG 1g.18gb", "uuid": "MIG-c0", "memory": 18e9}]}]})";

std::string uuidsOf(const std::vector<plan::Gpu>& gpus)
{
    std::string text;
    for (const plan::Gpu& each : gpus) {
        text += (text.empty() ? "" : " ") + each.uuid;
    }
    return text;
}

std::string visibleWith(const QByteArray& variable)
{
    qputenv("CUDA_VISIBLE_DEVICES", variable);
    return uuidsOf(slicedGpus());
}

} // namespace

class TestGpuSlices : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { qunsetenv("CUDA_VISIBLE_DEVICES"); }
    void cleanup() { qunsetenv("CUDA_VISIBLE_DEVICES"); }

    void slicesAreListedWithWhatTheyAreOf()
    {
        const NvmlScript nvml(TwoCutAndOneWhole);
        const std::vector<plan::Gpu> gpus = slicedGpus();
        QCOMPARE(uuidsOf(gpus), std::string("MIG-a0 MIG-a1 GPU-b MIG-c0"));
        QCOMPARE(gpus[1].name, std::string("H200 MIG 1g.18gb"));
        QCOMPARE(gpus[1].memoryBytes, std::int64_t{18'000'000'000});
        QVERIFY(gpus[1].capability == (plan::ComputeCapability{9, 0}));
        QCOMPARE(gpus[0].sliceOf, std::string("GPU-a"));
        QCOMPARE(gpus[2].sliceOf, std::string());
        QCOMPARE(gpus[3].sliceOf, std::string("GPU-c"));
    }

    void withoutSlicesCudaIsAsked_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::addRow("no MIG") << QByteArray(R"({"gpus": [{"name": "H200", "uuid": "GPU-a", "mig": false}]})");
        QTest::addRow("a GPU without MIG") << QByteArray(R"({"gpus": [{"name": "L4", "uuid": "GPU-a"}]})");
        QTest::addRow("not cut yet") << QByteArray(R"({"gpus": [{"name": "H200", "uuid": "GPU-a", "mig": true}]})");
        QTest::addRow("no GPU") << QByteArray(R"({"gpus": []})");
        QTest::addRow("the driver fails")
            << QByteArray(R"({"init": 9, "gpus": [{"uuid": "GPU-a", "mig": true, "slices": [{"uuid": "MIG-a0"}]}]})");
    }

    void withoutSlicesCudaIsAsked()
    {
        QFETCH(QByteArray, script);
        const NvmlScript nvml(script);
        QVERIFY(slicedGpus().empty());
    }

    void withoutADriverCudaIsAsked()
    {
        qputenv("LOCKSTEP_NVML", "/nowhere/libnvidia-ml.so.1");
        QVERIFY(slicedGpus().empty());
        qunsetenv("LOCKSTEP_NVML");
    }

    void theVariableChoosesAmongThem()
    {
        const NvmlScript nvml(TwoCutAndOneWhole);
        QCOMPARE(visibleWith("MIG-c0,MIG-a1"), std::string("MIG-c0 MIG-a1"));
        QCOMPARE(visibleWith(" MIG-a1 , GPU-b "), std::string("MIG-a1 GPU-b"));
        QCOMPARE(visibleWith("MIG-c"), std::string("MIG-c0")); // as CUDA does, by the beginning
        QCOMPARE(visibleWith("2,0"), std::string("MIG-c0 MIG-a0 MIG-a1"));
        QCOMPARE(visibleWith("GPU-a"), std::string("MIG-a0 MIG-a1"));
        QCOMPARE(visibleWith("MIG-a1,MIG-x,MIG-c0"), std::string("MIG-a1")); // the first wrong one ends the list
        QCOMPARE(visibleWith(""), std::string());
        QCOMPARE(visibleWith("-1"), std::string());
    }

    /// LibTorch cannot open it here, but the driver would have been asked for this one alone.
    void aRankShowsItsOwnToItself()
    {
        const plan::Placement placement{.gpus = {0, 1}, .visible = {"MIG-a0", "MIG-a1"}};
        const auto opened = openDevice(placement, {.rank = Rank{1}, .worldSize = 2, .localRank = 1, .group = {}});
        QCOMPARE(qgetenv("CUDA_VISIBLE_DEVICES"), QByteArray("MIG-a1"));
        QVERIFY(!opened.isOk());
        QVERIFY2(opened.error().message.starts_with("device: cuda:1 cannot be used: "), opened.error().message.c_str());
    }
};

LOCKSTEP_TEST(TestGpuSlices)
#include "test_gpu_slices.moc"
