// record_figures FILE: the speed and memory in a record of one rank, as one JSON object.
#include "wire/frame.h"
#include "wire/messages.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using namespace lockstep;

namespace {

constexpr std::size_t WarmUpSteps = 10;

struct Figures {
    std::vector<std::int64_t> wallNs;
    std::vector<std::int64_t> dataNs;
    std::vector<double> losses;
    std::int64_t residentBytes = 0;
    std::int64_t firstLossNs = 0; ///< CLOCK_MONOTONIC, which every process of the machine shares
};

double meanAfterWarmUp(const std::vector<std::int64_t>& values)
{
    if (values.size() <= WarmUpSteps) {
        return 0.0;
    }
    double sum = 0.0;
    for (std::size_t i = WarmUpSteps; i < values.size(); ++i) {
        sum += static_cast<double>(values[i]);
    }
    return sum / static_cast<double>(values.size() - WarmUpSteps);
}

void take(Figures& figures, const wire::Message& message)
{
    if (const auto* rows = std::get_if<wire::StepBatch>(&message)) {
        for (const StepRow& row : rows->rows) {
            figures.firstLossNs = figures.firstLossNs == 0 ? row.endNs : figures.firstLossNs;
            figures.wallNs.push_back(row.wallNs);
            figures.dataNs.push_back(row.nsOf(Phase::Data));
            figures.losses.push_back(row.loss);
        }
    }
    if (const auto* vitals = std::get_if<wire::Vitals>(&message)) {
        figures.residentBytes = std::max(figures.residentBytes, vitals->residentBytes);
    }
}

} // namespace

int main(int argc, char** argv)
{
    std::ifstream file(argc == 2 ? argv[1] : "", std::ios::binary);
    if (!file) {
        std::fprintf(stderr, "record_figures: give the path of a record\n");
        return 2;
    }
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    wire::FrameDecoder decoder;
    decoder.feed(std::as_bytes(std::span(bytes)));
    Figures figures;
    while (true) {
        const auto frame = decoder.next();
        if (!frame || !*frame) {
            break;
        }
        if (const auto message = wire::decode(**frame)) {
            take(figures, *message);
        }
    }
    const nlohmann::json out{{"steps", figures.wallNs.size()}, {"ms_per_step", meanAfterWarmUp(figures.wallNs) / 1e6},
        {"data_us_per_step", meanAfterWarmUp(figures.dataNs) / 1e3},
        {"resident_mb", static_cast<double>(figures.residentBytes) / 1e6},
        {"first_loss_at", static_cast<double>(figures.firstLossNs) / 1e9},
        {"last_loss", figures.losses.empty() ? 0.0 : figures.losses.back()}};
    std::printf("%s\n", out.dump().c_str());
    return 0;
}
