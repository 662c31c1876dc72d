// bench_telemetry [mlp|cnn] [pairs] [steps]: what a step pays for its row and its spans, with a workbench that reads
// them over a socket. Blocks of steps with and without, in turns; the median of the pairs' differences.
#include "base/clock.h"
#include "engine/compat/blas.h"
#include "engine/model/gradient.h"
#include "engine/program/process.h"
#include "engine/ranks/devices/run_devices.h"
#include "engine/run/loop.h"
#include "wire/handshake.h"

#include <torch/types.h>

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace lockstep;
using namespace lockstep::engine;

namespace {

/// Welcomes one rank, then reads and forgets.
class Reader {
public:
    Reader()
        : m_listener(socket(AF_INET, SOCK_STREAM, 0))
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof(address);
        auto* plain = reinterpret_cast<sockaddr*>(&address);
        if (bind(m_listener, plain, length) != 0 || listen(m_listener, 1) != 0
            || getsockname(m_listener, plain, &length) != 0) {
            std::perror("bench_telemetry");
            std::exit(2);
        }
        m_address = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
        m_thread = std::thread([this] { read(); });
    }
    ~Reader()
    {
        m_thread.join();
        close(m_listener);
    }

    const std::string& address() const { return m_address; }

private:
    /// The workbench's part of the handshake; the rank's proof is read with what follows it.
    static void proveTo(int connection)
    {
        std::array<std::byte, wire::OpeningBytes> bytes{};
        if (recv(connection, bytes.data(), bytes.size(), MSG_WAITALL) < 0) {
            return;
        }
        const auto opening = wire::readOpening(bytes);
        const wire::Nonces nonces{opening ? opening->nonce : wire::Nonce{}, {}};
        const auto proof = wire::proofOf(wire::Side::Workbench, wire::Secret{}, nonces);
        const auto challenge
            = wire::toBytes(wire::Challenge{wire::ProtocolVersion, nonces.workbench, proof ? *proof : wire::Proof{}});
        static_cast<void>(send(connection, challenge.data(), challenge.size(), 0));
    }

    void read() const
    {
        const int connection = accept(m_listener, nullptr, nullptr);
        proveTo(connection);
        std::vector<char> buffer(1 << 16);
        const auto welcome = wire::encode(wire::Welcome{.specJson = "{}"});
        bool isWelcomed = false;
        while (recv(connection, buffer.data(), buffer.size(), 0) > 0) {
            if (!isWelcomed) {
                isWelcomed = send(connection, welcome->data(), welcome->size(), 0) > 0;
            }
        }
        close(connection);
    }

    int m_listener;
    std::string m_address;
    std::thread m_thread;
};

experiment::RunSpec runOf(const std::string& net)
{
    const auto run = experiment::parseRunSpec(R"({"version":1,"experiment":"optimizers","base":{"net.name":")" + net
        + R"(","optimizer.lr":0.01,"dataset.train_samples":4000,"dataset.test_samples":100}})");
    if (!run) {
        std::fprintf(stderr, "bench_telemetry: %s\n", run.error().message.c_str());
        std::exit(2);
    }
    return *run;
}

/// Nanoseconds of one block. `recorder` may be nullptr: the same steps, untold.
std::int64_t block(Job& job, Batches& batches, StepClock& clock, std::int64_t& step, int steps, Recorder* recorder)
{
    const std::int64_t begin = monotonicNs();
    for (int i = 0; i < steps; ++i) {
        clock.start();
        clock.begin(Phase::Data);
        const Batch batch = batches.ofRank(++step, 0);
        clock.begin(Phase::Backward);
        job.parameters.clearGradients();
        const torch::Tensor loss = addGradient(job.net, batch, clock);
        clock.begin(Phase::Optimize);
        job.optimizer->step({&job.parameters.gradients(), 1}, 0.01);
        clock.stop();
        const double value = loss.item<double>();
        const StepTimes times = clock.timesOf(clock.take());
        if (recorder == nullptr) {
            continue;
        }
        static_cast<void>(recorder->pollControl());
        for (const StepTimes::Span& span : times.spans) {
            recorder->span(step, span.phase, span.startNs, span.durationNs);
        }
        recorder->step({.step = step,
            .endNs = times.endNs,
            .wallNs = times.endNs - times.startNs,
            .samples = step * 64,
            .batch = 64,
            .loss = value,
            .learningRate = 0.01,
            .phaseNs = times.phaseNs});
    }
    return monotonicNs() - begin;
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

} // namespace

int main(int argc, char** argv)
{
    const std::string net = argc > 1 ? argv[1] : "mlp";
    const int pairs = argc > 2 ? std::atoi(argv[2]) : 20;
    const int steps = argc > 3 ? std::atoi(argv[3]) : 500;
    keepFreedMemory();
    useKernelsOfThisProcessor();
    setThreads(1);
    const auto run = runOf(net);
    auto job = prepare(run, RankContext{});
    if (!job) {
        std::fprintf(stderr, "bench_telemetry: %s\n", job.error().message.c_str());
        return 2;
    }
    Reader reader;
    auto session = connectToWorkbench({reader.address()}, wire::Secret{}, wire::Hello{}, std::chrono::seconds(5));
    if (!session) {
        std::fprintf(stderr, "bench_telemetry: %s\n", session.error().message.c_str());
        return 3;
    }
    std::vector<double> costs;
    std::vector<double> plain;
    {
        Recorder recorder(std::move(session->sink));
        Batches batches((*job)->data.train, *(*job)->partition.sampler);
        StepClock clock;
        std::int64_t step = 0;
        block(**job, batches, clock, step, steps / 5 + 1, &recorder);
        for (int pair = 0; pair < pairs; ++pair) {
            // Which comes first changes, so that drift cancels.
            const bool isOnFirst = pair % 2 == 0;
            const auto first = block(**job, batches, clock, step, steps, isOnFirst ? &recorder : nullptr);
            const auto second = block(**job, batches, clock, step, steps, isOnFirst ? nullptr : &recorder);
            const auto difference = static_cast<double>(isOnFirst ? first - second : second - first);
            costs.push_back(difference / 1e3 / steps);
            plain.push_back(static_cast<double>(isOnFirst ? second : first) / 1e3 / steps);
        }
        recorder.goodbye({});
    }
    const double cost = median(costs);
    const double share = cost / median(plain) * 100.0;
    std::printf("{\"net\":\"%s\",\"pairs\":%d,\"us_per_step\":%.1f,\"telemetry_us_per_step\":%.2f,\"percent\":%.2f}\n",
        net.c_str(), pairs, median(plain), cost, share);
    return cost <= 10.0 || share <= 1.0 ? 0 : 1;
}
