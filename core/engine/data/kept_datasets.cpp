#include "engine/data/kept_datasets.h"

#include "datasets/registry.h"
#include "engine/memory/memory_account.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

namespace lockstep::engine {

namespace {

constexpr std::int64_t ShareOfMemory = 10;

struct KeptDataset {
    std::string key;
    Dataset data;
};

struct KeptDatasets {
    std::list<KeptDataset> sets; ///< the one used last comes first
    std::set<std::string> tooLarge; ///< their keys
};

KeptDatasets& keptDatasets()
{
    static KeptDatasets kept;
    return kept;
}

std::array<const at::Tensor*, 4> tensorsOf(const Dataset& data)
{
    return {&data.train.inputs, &data.train.labels, &data.test.inputs, &data.test.labels};
}

std::int64_t bytesOf(const Dataset& data)
{
    std::int64_t bytes = 0;
    for (const at::Tensor* tensor : tensorsOf(data)) {
        bytes += static_cast<std::int64_t>(tensor->nbytes());
    }
    return bytes;
}

std::int64_t mostBytes()
{
    return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE) / ShareOfMemory;
}

/// All that the data set depends on.
std::string keyOf(const experiment::RunSpec& run)
{
    std::string key;
    for (const auto& [name, value] : run.settings) {
        if (name.starts_with("dataset.") || name == nameOf(&experiment::NetSettings::context)) {
            key += fmt::format("{}={}\n", name, experiment::toText(value));
        }
    }
    const auto files = datasets::filesOf(run);
    key += files ? datasets::stampOf(*files) : std::string();
    return key;
}

/// Moves it to the front.
const Dataset* find(const std::string& key)
{
    auto& sets = keptDatasets().sets;
    const auto found
        = std::find_if(sets.begin(), sets.end(), [&key](const KeptDataset& each) { return each.key == key; });
    if (found == sets.end()) {
        return nullptr;
    }
    sets.splice(sets.begin(), sets, found);
    return &found->data;
}

void makeRoomFor(std::int64_t bytes)
{
    auto& sets = keptDatasets().sets;
    std::int64_t kept = bytes;
    for (auto each = sets.begin(); each != sets.end();) {
        kept += bytesOf(each->data);
        each = kept > mostBytes() ? sets.erase(each) : std::next(each);
    }
}

} // namespace

void keepDataset(const experiment::RunSpec& run)
{
    const std::string key = keyOf(run);
    if (find(key) != nullptr || keptDatasets().tooLarge.contains(key)) {
        return;
    }
    auto data = loadDataset(run);
    if (!data) {
        return; // the rank reports it
    }
    if (bytesOf(*data) > mostBytes()) {
        keptDatasets().tooLarge.insert(key);
        return;
    }
    makeRoomFor(bytesOf(*data));
    keptDatasets().sets.push_front({key, std::move(*data)});
}

std::optional<Dataset> keptDataset(const experiment::RunSpec& run)
{
    if (keptDatasets().sets.empty()) {
        return std::nullopt;
    }
    const Dataset* kept = find(keyOf(run));
    if (kept == nullptr) {
        return std::nullopt;
    }
    Dataset data = *kept;
    auto booked = std::make_shared<std::vector<ForeignMemory>>();
    for (const at::Tensor* tensor : tensorsOf(data)) {
        booked->emplace_back(MemoryKind::Data, static_cast<std::int64_t>(tensor->nbytes()));
    }
    data.booked = std::move(booked);
    return data;
}

} // namespace lockstep::engine
