// Gradient buckets on a device, in the host's memory: two streams that run in the most adverse order that their events
// allow. A collective sees what was there at the last event that it waits for, and its result is there only once the
// training stream has waited for it.
#include "core/engine/model/net_of.h"
#include "core/engine/run/late_marks.h"
#include "core/engine/run_of.h"
#include "engine/model/gradient.h"
#include "engine/strategy/data/gradient_buckets.h"
#include "program/test_class.h"

#include <torch/types.h>

#include <QtTest>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::comm {

struct DeviceEvent {
    std::vector<std::byte> seen; ///< of the array, at its record
};

} // namespace lockstep::comm

using namespace lockstep;
using namespace lockstep::engine;
using namespace lockstep::tests;

namespace {

Error notHere()
{
    return Error{"the test has no such thing"};
}

/// Null is the training stream, on which the host waits for everything as CPU tensors need it; any other is the side's.
class AdverseDevice final : public comm::Device {
public:
    explicit AdverseDevice(std::span<std::byte> array)
        : m_array(array)
    { }

    void order(void* before, void*) override
    {
        if (before == nullptr) {
            m_tasks.emplace_back([this, now = contents()] { m_view = now; });
            return;
        }
        for (const auto& task : std::exchange(m_tasks, {})) {
            task();
        }
    }
    void recordOn(void*, comm::DeviceEvent* event) override { event->seen = contents(); }
    void wait(comm::DeviceEvent* event) override
    {
        m_tasks.emplace_back([this, seen = event->seen] { m_view = seen; });
    }
    void reduce(comm::Reduction, comm::DataType, std::span<void* const> to, std::span<const void* const> inputs,
        std::int64_t count) override
    {
        m_tasks.emplace_back([this, result = static_cast<float*>(to[0]), other = static_cast<const float*>(inputs[1]),
                                 at = static_cast<const std::byte*>(inputs[0]) - m_array.data(), count] {
            std::vector<float> own(static_cast<std::size_t>(count));
            std::memcpy(own.data(), m_view.data() + at, own.size() * sizeof(float));
            for (std::size_t i = 0; i < own.size(); ++i) {
                result[i] = own[i] + other[i];
            }
        });
    }

    Result<comm::DeviceEvent*> createEvent(comm::EventScope) override { return new comm::DeviceEvent; }
    void destroyEvent(comm::DeviceEvent* event) override { delete event; }

    // What buckets do not use.
    std::string name() const override { return "adverse:0"; }
    std::size_t memoryBytes() const override { return 0; }
    Result<std::byte*> allocateShared(std::size_t) override { return notHere(); }
    void freeShared(std::byte*) override { }
    Result<comm::DeviceHandle> exportMemory(std::byte*) override { return notHere(); }
    Result<std::byte*> openMemory(const comm::DeviceHandle&) override { return notHere(); }
    void closeMemory(std::byte*) override { }
    Result<std::byte*> allocate(std::size_t) override { return notHere(); }
    void free(std::byte*) override { }
    Result<std::byte*> allocateHost(std::size_t) override { return notHere(); }
    void freeHost(std::byte*) override { }
    Result<comm::DeviceHandle> exportEvent(comm::DeviceEvent*) override { return notHere(); }
    Result<comm::DeviceEvent*> openEvent(const comm::DeviceHandle&) override { return notHere(); }
    bool hasHappened(comm::DeviceEvent*) override { return true; }
    void copy(void*, const void*, std::size_t) override { }
    void zero(void*, std::size_t) override { }
    void setFlag(std::uint32_t*, std::uint32_t) override { }
    void waitForFlags(const FlagWait&) override { }
    bool isIdle() override { return m_tasks.empty(); }
    Result<void> state() const override { return {}; }
    void abort() override { }
    bool isAborted() const override { return false; }

private:
    [[nodiscard]] std::vector<std::byte> contents() const { return {m_array.begin(), m_array.end()}; }

    std::span<std::byte> m_array;
    std::vector<std::byte> m_view; ///< what the side's stream sees
    std::vector<std::function<void()>> m_tasks; ///< of the side's stream
};

/// Two ranks, of which the other always gives the same.
class WithAnother final : public comm::Communicator {
public:
    WithAnother(std::shared_ptr<comm::Device> device, torch::Tensor own, torch::Tensor other)
        : Communicator(0, 2)
        , m_device(std::move(device))
        , m_own(std::move(own))
        , m_other(std::move(other))
    { }
    ~WithAnother() override { finishStarted(); }

    [[nodiscard]] std::string_view backend() const override { return "test"; }
    [[nodiscard]] Result<std::unique_ptr<Communicator>> split(int, int) override { return notHere(); }
    [[nodiscard]] std::shared_ptr<comm::Device> queueingDevice() const override { return m_device; }

protected:
    [[nodiscard]] Result<void> execute(const comm::Operation& op, comm::OperationTimes&) override
    {
        const auto first = static_cast<const float*>(op.in.data) - m_own.data_ptr<float>();
        const std::array<const void*, 2> inputs{op.in.data, m_other.data_ptr<float>() + first};
        m_device->reduce(op.reduction, op.in.type, {&op.out.data, 1}, inputs, op.in.count);
        return {};
    }

private:
    std::shared_ptr<comm::Device> m_device;
    torch::Tensor m_own, m_other;
};

} // namespace

class TestGradientBuckets : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachWaitsForItsGradientsAndTheOptimizerForAll()
    {
        const auto run = runOf({{"net.name", "deep-mlp"}});
        Net net = netOf(run);
        FlatParameters parameters(net);
        torch::Tensor& gradients = parameters.gradients();
        gradients.fill_(-1.0F); // what a collective that comes too early would take
        const torch::Tensor other = torch::arange(gradients.numel(), torch::kFloat);
        const auto device = std::make_shared<AdverseDevice>(
            std::span(static_cast<std::byte*>(gradients.data_ptr()), gradients.nbytes()));
        comm::WatchedCommunicator group(std::make_unique<WithAnother>(device, gradients, other));
        const auto parts = bucketsOf(parameters.ranges(), sizeof(float), 4'000, 20'000);
        QVERIFY(parts.size() >= 3);
        int stream = 0;
        auto side = comm::SideStream::open(group.queueingDevice(), &stream, parts.size());
        QVERIFY(side);
        GradientBuckets buckets(parameters, parts, group, GradientBuckets::Start::WhenFilled,
            {std::move(*side), std::make_unique<LateMarks>(0)});
        torch::manual_seed(1);
        for (int step = 0; step < 3; ++step) {
            const Batch batch{
                torch::rand({8, 784}, torch::kFloat), torch::randint(10, {8}, torch::TensorOptions(torch::kLong))};
            StepClock clock;
            clock.start();
            parameters.clearGradients();
            buckets.arm();
            static_cast<void>(addGradient(net, batch, clock, 1.0));
            const torch::Tensor own = gradients.clone(); // no collective has run
            const auto done = buckets.finish(clock);
            QVERIFY2(done, done ? "" : done.error().message.c_str());
            QVERIFY(device->isIdle());
            QCOMPARE(device->stream(), nullptr);
            QCOMPARE(clock.take().beside.size(), 2 * parts.size());
            for (const BufferRange& range : parameters.ranges()) {
                const auto of = [&range](const torch::Tensor& all) { return all.narrow(0, range.first, range.count); };
                QVERIFY(of(own).abs().max().item<float>() < 100.0F);
                QVERIFY(torch::equal(of(gradients), of(own) + of(other)));
            }
        }
    }
};

LOCKSTEP_TEST(TestGradientBuckets)
#include "test_gradient_buckets.moc"
