// Tests of the GPU's side without a GPU: the kernels compile for every generation, by nvcc and by NVRTC, and a machine
// without one reports what it lacks.
#include "engine/comm/types.h"
#include "engine/cuda/cuda_device.h"
#include "engine/cuda/kernel_image.h"
#include "program/test_class.h"

#include <QTest>

#include <algorithm>
#include <string>

using namespace lockstep;
using namespace lockstep::comm;

namespace {

bool contains(const std::vector<std::byte>& image, const std::string& text)
{
    const auto* wanted = reinterpret_cast<const std::byte*>(text.data());
    return std::search(image.begin(), image.end(), wanted, wanted + text.size()) != image.end();
}

} // namespace

class TestCudaDevice : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void kernelsCompileAtTheStart_data();
    void kernelsCompileAtTheStart();
    void kernelsAreBuiltIn();
    void anUnknownGpuIsRefused();
    void withoutAGpu();
};

void TestCudaDevice::kernelsCompileAtTheStart_data()
{
    QTest::addColumn<int>("capability");
    QTest::addColumn<int>("type");
    for (const int capability : {75, 80, 100, 120}) {
        QTest::addRow("sm_%d, float32", capability) << capability << static_cast<int>(DataType::Float32);
    }
    for (const DataType type : DataTypes) {
        QTest::addRow("sm_90, %s", std::string(nameOf(type)).c_str()) << 90 << static_cast<int>(type);
    }
}

void TestCudaDevice::kernelsCompileAtTheStart()
{
    QFETCH(int, capability);
    QFETCH(int, type);
    const auto image = cuda::compileKernels(capability / 10, capability % 10, static_cast<DataType>(type));
    QVERIFY2(image, image ? "" : image.error().message.c_str());
    QVERIFY(contains(*image, "\177ELF"));
    for (const DataType each : DataTypes) {
        for (const Reduction reduction : Reductions) {
            const std::string name = "lockstep_" + std::string(nameOf(reduction)) + "_" + std::string(nameOf(each));
            const bool isWanted = static_cast<int>(each) == type && isDefined(reduction, each);
            QVERIFY2(contains(*image, name + '\0') == isWanted, name.c_str());
        }
    }
    QVERIFY(contains(*image, "lockstep_wait_for_flags") && contains(*image, "lockstep_set_flag"));
}

void TestCudaDevice::kernelsAreBuiltIn()
{
    const auto image = cuda::builtInKernels();
    if (image.empty()) {
        QSKIP("built without nvcc");
    }
    QVERIFY(image.size() > 100'000);
    // The magic of a fat binary, little-endian.
    const std::string magic{"\x50\xed\x55\xba"};
    QVERIFY(std::equal(magic.begin(), magic.end(), reinterpret_cast<const char*>(image.data())));
}

void TestCudaDevice::anUnknownGpuIsRefused()
{
    const auto image = cuda::compileKernels(1, 3, DataType::Float32);
    QVERIFY(!image);
    QVERIFY2(image.error().message.starts_with("the kernels do not compile for compute capability 1.3: "),
        image.error().message.c_str());
}

void TestCudaDevice::withoutAGpu()
{
    const auto gpu = cuda::openGpu(0);
    if (gpu) {
        QCOMPARE((*gpu)->name(), std::string("cuda:0"));
        const auto beyond = cuda::openGpu(1000);
        QVERIFY(
            !beyond && beyond.error().message.starts_with("device: cuda:1000 does not exist; the GPUs are cuda:0 to "));
        return;
    }
    const std::string& why = gpu.error().message;
    QVERIFY2(why.starts_with("device: cuda:0 ") && why.ends_with("use device=cpu"), why.c_str());
    QVERIFY2(why.find("driver") != std::string::npos && why.find('\n') == std::string::npos, why.c_str());
    QVERIFY(!cuda::runsUnderMps(0));
}

LOCKSTEP_TEST(TestCudaDevice)
#include "test_cuda_device.moc"
