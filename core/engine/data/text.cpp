#include "engine/data/text.h"

#include "base/text.h"
#include "datasets/registry.h"
#include "engine/data/built_in_text.h"
#include "experiment/text_windows.h"

#include <fmt/format.h>

#include <ATen/ATen.h>

#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace lockstep::engine {

namespace {

namespace fs = std::filesystem;

/// Every byte becomes two numbers of 8 bytes: a text of this length takes 1 GiB.
constexpr std::uintmax_t MaxTextBytes = 64U << 20U;

Result<std::vector<std::uint8_t>> readTextFile(const std::string& path)
{
    const auto refused = [&](std::string_view pattern, std::vector<Text> more = {}) {
        more.insert(more.begin(), verbatim(path));
        return refusal(nameOf(&experiment::DatasetSettings::path), pattern, std::move(more));
    };
    std::error_code failed;
    const fs::file_status status = fs::status(path, failed);
    if (!fs::exists(status)) {
        return refused(LS_TR("Messages", "%1 does not exist; a text is one file"));
    }
    if (!fs::is_regular_file(status)) {
        return refused(LS_TR("Messages", "%1 is not a file; a text is one file"));
    }
    const std::uintmax_t bytes = fs::file_size(path, failed);
    if (failed || bytes > MaxTextBytes) {
        return failed ? refused(LS_TR("Messages", "%1 cannot be read: %2"), {verbatim(failed.message())})
                      : refused(LS_TR("Messages", "%1 has %2 bytes; a text may have %3"), {bytes, MaxTextBytes});
    }
    std::vector<std::uint8_t> text(bytes);
    std::ifstream file(path, std::ios::binary);
    if (!file.read(reinterpret_cast<char*>(text.data()), static_cast<std::streamsize>(bytes))) {
        return refused(LS_TR("Messages", "%1 cannot be read: %2"), {systemError()});
    }
    return text;
}

LabelledInputs windowsOf(
    std::span<const std::uint8_t> text, std::int64_t first, std::int64_t count, std::int64_t context)
{
    LabelledInputs part{at::empty({count, context}, at::kLong), at::empty({count, context}, at::kLong)};
    auto* input = part.inputs.data_ptr<std::int64_t>();
    auto* next = part.labels.data_ptr<std::int64_t>();
    for (std::int64_t window = 0; window < count; ++window) {
        const std::uint8_t* bytes = text.data() + (first + window) * (context + 1);
        for (std::int64_t i = 0; i < context; ++i) {
            *input++ = bytes[i];
            *next++ = bytes[i + 1];
        }
    }
    return part;
}

} // namespace

Result<Dataset> readText(const experiment::RunSpec& run)
{
    const std::string& path = run.settings->dataset.path;
    std::vector<std::uint8_t> kept;
    std::span<const std::uint8_t> text = builtInText();
    if (!path.empty()) {
        LOCKSTEP_TRY_ASSIGN(kept, readTextFile(path));
        text = kept;
    }
    const std::int64_t context = run.settings->net.context;
    const experiment::TextWindows there = experiment::textWindows(static_cast<std::int64_t>(text.size()), context);
    if (there.test == 0) {
        const bool isBuiltIn = path.empty();
        return refusal(
            isBuiltIn ? nameOf(&experiment::NetSettings::context) : nameOf(&experiment::DatasetSettings::path),
            LS_TR("Messages", "%1 has %2 bytes; a window for training and one for testing take %3"),
            {isBuiltIn ? Text(LS_TR("Messages", "the built-in text")) : verbatim(path), text.size(),
                2 * (context + 1)});
    }
    LOCKSTEP_TRY_ASSIGN(const auto train,
        datasets::samplesToKeep(
            &experiment::DatasetSettings::trainSamples, run.settings->dataset.trainSamples, there.train));
    LOCKSTEP_TRY_ASSIGN(const auto test,
        datasets::samplesToKeep(
            &experiment::DatasetSettings::testSamples, run.settings->dataset.testSamples, there.test));
    Dataset dataset;
    dataset.train = windowsOf(text, 0, train, context);
    dataset.test = windowsOf(text, there.train, test, context);
    dataset.classes = 256;
    dataset.description = {LS_TR("Messages", "%1, %2 + %3 windows of %4 bytes"),
        {verbatim(path.empty() ? std::string("Shakespeare") : fs::path(path).filename().string()),
            verbatim(groupedDigits(train)), verbatim(groupedDigits(test)), verbatim(groupedDigits(context + 1))}};
    return dataset;
}

} // namespace lockstep::engine
