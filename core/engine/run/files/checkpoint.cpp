#include "engine/run/files/checkpoint.h"

#include "base/checkpoint_names.h"
#include "base/draft_folder.h"
#include "engine/data/data_identity.h"
#include "engine/run/files/checkpoint_files.h"
#include "engine/run/files/rank_files.h"
#include "engine/telemetry/file_queue.h"
#include "experiment/parameter.h"

#include <fmt/format.h>

#include <torch/types.h>
#include <torch/utils.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <span>

namespace lockstep::engine {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::string folderFor(const experiment::RunSpec& run, const RankContext& context)
{
    const std::string& asked = run.settings->checkpoint.path;
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value == nullptr ? "" : value);
    };
    const std::string folder = asked.empty() ? variable("LOCKSTEP_CHECKPOINTS") : asked;
    // The variants of an experiment share its settings, but not their checkpoints. A workbench that starts the ranks
    // has named LOCKSTEP_CHECKPOINTS after the run.
    const std::string id = !context.run.empty() ? context.run
        : asked.empty()                         ? std::string()
                                                : variable("LOCKSTEP_RUN");
    return folder.empty() || id.empty() ? folder : folder + "/" + id;
}

/// Dimension, its size in the whole, then first and count of each slice.
torch::Tensor numbersOf(const TensorPiece& piece)
{
    std::vector<std::int64_t> values{piece.dimension, piece.whole};
    for (const plan::Slice& slice : piece.slices) {
        values.insert(values.end(), {slice.first, slice.count});
    }
    return torch::tensor(values, torch::kLong);
}

torch::Tensor numbers(std::initializer_list<std::int64_t> values)
{
    return torch::tensor(std::vector<std::int64_t>(values), torch::kLong);
}

/// `pattern`: of the folder, and of `more`.
Error notFitting(const std::string& folder, std::string_view pattern, std::vector<Text> more)
{
    more.insert(more.begin(), verbatim(folder));
    return refusal(nameOf(&experiment::CheckpointSettings::from), pattern, std::move(more));
}

/// `error`, and which checkpoint to take instead.
Error unreadable(const std::string& folder, const Error& error, Rank rank)
{
    const std::string before = wholeOneBefore(folder, rank.number);
    return before.empty() ? refusal(nameOf(&experiment::CheckpointSettings::from),
               LS_TR("Messages", "%1; there is no complete one before it"), {error})
                          : refusal(nameOf(&experiment::CheckpointSettings::from),
                              LS_TR("Messages", "%1; the one before it is complete: %2"), {error, verbatim(before)});
}

/// The settings as in a spec's JSON, also from a version with other experiments.
Json settingsIn(const std::string& specJson)
{
    const Json spec = Json::parse(specJson, nullptr, false);
    return spec.is_object() ? spec.value("base", Json::object()) : Json::object();
}

std::string textOf(const Json& value)
{
    return value.is_string() ? value.get<std::string>() : value.dump();
}

Result<void> checkRun(const std::string& folder, const Manifest& manifest, const experiment::RunSpec& run, int ranks)
{
    if (manifest.files.size() != static_cast<std::size_t>(ranks)) {
        return notFitting(folder,
            LS_TR("Messages", "%1 is of %2 ranks, this run has %3; a run must resume with the same number of ranks"),
            {manifest.files.size(), ranks});
    }
    const Json then = settingsIn(manifest.specJson);
    const Json now = settingsIn(experiment::toJson(run));
    for (const experiment::Parameter& row : experiment::parameters()) {
        const std::string name(row.name);
        if (row.mustAgree && then.contains(name) && now.contains(name) && then[name] != now[name]) {
            return notFitting(folder, LS_TR("Messages", "%1 was made with %2 %3, this run has %4"),
                {verbatim(name), verbatim(textOf(then[name])), verbatim(textOf(now[name]))});
        }
    }
    return {};
}

/// The content of the data must agree, not its path.
Result<void> checkData(const std::string& folder, const Manifest& manifest, const experiment::RunSpec& run)
{
    if (manifest.data.empty()) {
        return {};
    }
    LOCKSTEP_TRY_ASSIGN(const auto data, dataIdentity(run));
    const std::string& path = run.settings->dataset.path;
    return data == manifest.data
        ? Result<void>()
        : notFitting(folder, LS_TR("Messages", "%1 was made with other data, %2; %3 is %4"),
            {verbatim(manifest.data), verbatim(path.empty() ? std::string(nameOf(run.settings->dataset.name)) : path),
                verbatim(data)});
}

Result<void> copyInto(const torch::Tensor& to, const Tensors& from, const std::string& name, const std::string& folder)
{
    const auto found = from.find(name);
    if (found == from.end() || found->second.sizes() != to.sizes() || found->second.scalar_type() != to.scalar_type()) {
        return notFitting(folder,
            found == from.end() ? LS_TR("Messages", "%1 has no %2")
                                : LS_TR("Messages", "%1 has a different %2 than this run"),
            {verbatim(name)});
    }
    const torch::NoGradGuard noGrad;
    to.copy_(found->second);
    return {};
}

} // namespace

Checkpoints::Checkpoints(
    const experiment::RunSpec& run, const RankContext& context, Job& job, Strategy& strategy, Recorder& recorder)
    : m_run(run)
    , m_context(context)
    , m_job(job)
    , m_strategy(strategy)
    , m_recorder(recorder)
    , m_folder(folderFor(run, context))
    , m_every(run.settings->checkpoint.every)
    , m_keep(run.settings->checkpoint.keep)
{ }

bool Checkpoints::isDue(std::int64_t step) const
{
    return canSave() && m_every > 0 && step % m_every == 0;
}

/// An error on one rank is an error on all.
Result<void> Checkpoints::agree(const Result<void>& own) const
{
    std::array<double, 1> failures{own ? 0.0 : 1.0};
    LOCKSTEP_TRY(m_strategy.allReduceSum(failures));
    return own && failures[0] > 0.0 ? Result<void>(failure(LS_TR("Messages", "another rank could not write its part")))
                                    : own;
}

bool Checkpoints::hasOnlyShards() const
{
    // In a grid each copy of the net is whole, whichever rank keeps the optimizer's state.
    return m_job.shards && plan::zeroStage(m_run) != plan::ZeroStage::None;
}

const std::vector<NamedTensor>& Checkpoints::ownWeights() const
{
    return hasOnlyShards() ? m_job.shards->named : m_job.net.parameters();
}

Result<FileSum> Checkpoints::write(const std::string& folder, const Position& position) const
{
    std::error_code ignored;
    fs::create_directories(folder, ignored);
    Tensors tensors;
    for (const NamedTensor& parameter : ownWeights()) {
        tensors[std::string(WeightsPrefix) + parameter.name] = parameter.tensor;
        if (parameter.piece) {
            tensors[std::string(PiecesPrefix) + parameter.name] = numbersOf(*parameter.piece);
        }
    }
    for (std::size_t i = 0; hasOnlyShards() && i < m_job.net.parameters().size(); ++i) {
        const NamedTensor& parameter = m_job.net.parameters()[i];
        tensors[std::string(ShapesPrefix) + parameter.name] = torch::tensor(parameter.tensor.sizes(), torch::kLong);
    }
    const std::vector<torch::Tensor> state = m_job.optimizer->state();
    for (std::size_t i = 0; i < state.size(); ++i) {
        tensors["optimizer/" + std::to_string(i)] = state[i];
    }
    tensors["position"] = numbers({position.step, position.samples, m_job.optimizer->stepsTaken()});
    tensors.merge(m_strategy.state());
    if (m_job.scaler) {
        tensors["scaler"] = m_job.scaler->state();
    }
    return writeTensors(folder + "/" + checkpointFileName(m_context.rank.number), tensors);
}

const std::string& Checkpoints::identityOfData()
{
    if (!m_data) {
        // A run is saved even if its data can no longer be read.
        const auto data = dataIdentity(m_run);
        m_data = data ? *data : std::string();
    }
    return *m_data;
}

AllReduceSum Checkpoints::sums() const
{
    return [this](std::span<double> numbers) { return m_strategy.allReduceSum(numbers); };
}

/// Each folder's keeper writes the manifest and, once all have, gives the folder its name.
Result<void> Checkpoints::complete(const std::string& part, const std::string& name, Manifest& manifest)
{
    if (areOnSeveralHosts()) {
        LOCKSTEP_TRY(findKeepers(part, manifest.files, m_context, sums()));
    }
    const bool isKeeper
        = manifest.files.at(static_cast<std::size_t>(m_context.rank.number)).keeper == m_context.rank.number;
    Result<void> done;
    if (isKeeper) {
        manifest.data = identityOfData();
        done = writeManifestFile(part, manifest);
        if (const int code = done ? syncToDisk(part) : 0; code != 0) {
            done = failure(LS_TR("Messages", "%1: cannot be written: %2"), {verbatim(part), systemError(code)});
        }
    }
    LOCKSTEP_TRY(agree(done));
    if (isKeeper) {
        std::error_code failed;
        fs::remove_all(name, failed); // an earlier attempt at the same step
        fs::rename(part, name, failed);
        static_cast<void>(syncToDisk(m_folder));
        done = failed ? Result<void>(
                   failure(LS_TR("Messages", "%1: cannot be named: %2"), {verbatim(name), verbatim(failed.message())}))
                      : Result<void>();
    }
    const Result<void> agreed = agree(done);
    std::error_code ignored;
    if (isKeeper && agreed) {
        dropOldest();
    } else if (isKeeper) {
        fs::remove_all(name, ignored);
    }
    return agreed;
}

Result<Checkpoints::Saved> Checkpoints::save(const Position& position)
{
    const std::string name = checkpointFolder(m_folder, position.step);
    const std::string part = name + ".part";
    Manifest manifest{position.step, experiment::toJson(m_run), {}, {}, position.trainedNs};
    auto files = describeFiles(write(part, position), m_context, sums());
    Result<void> done = files ? Result<void>() : Result<void>(files.error());
    if (files) {
        manifest.files = std::move(*files);
        done = complete(part, name, manifest);
    }
    if (!done) {
        std::error_code ignored;
        fs::remove_all(part, ignored); // every rank does: each may have another folder
        return done.error();
    }
    return Saved{position.step, name, manifest.isApart()};
}

Result<void> Checkpoints::send(const Saved& saved, LastCheckpoint last) const
{
    if (m_context.checkpointMark.empty()) {
        return {};
    }
    if (last == LastCheckpoint::No) {
        std::array<double, 1> sending{m_recorder.files().isEmpty() ? 0.0 : 1.0};
        LOCKSTEP_TRY(m_strategy.allReduceSum(sending));
        if (sending[0] > 0.0) {
            // One rank reports for all.
            return m_context.rank.number == 0
                ? Result<void>(failure(LS_TR("Messages", "an earlier one is still being sent")))
                : Result<void>();
        }
    }
    std::error_code ignored;
    if (fs::exists(m_folder + "/" + m_context.checkpointMark, ignored)) {
        return {};
    }
    const std::string own = checkpointFileName(m_context.rank.number);
    if (m_context.rank.number == 0) {
        LOCKSTEP_TRY(
            m_recorder.checkpointFile(saved.step, CheckpointManifest, saved.folder + "/" + CheckpointManifest));
    }
    return m_recorder.checkpointFile(saved.step, own, saved.folder + "/" + own);
}

/// What the workbench may have as its newest stays: a run resumes from that one.
void Checkpoints::dropOldest() const
{
    const auto all = checkpointsIn(m_folder);
    const auto sent = m_recorder.files().steps();
    std::error_code ignored;
    for (std::size_t i = 0; m_keep > 0 && i + static_cast<std::size_t>(m_keep) < all.size(); ++i) {
        const bool isSent
            = std::ranges::any_of(sent, [&](std::int64_t step) { return checkpointFolder(m_folder, step) == all[i]; });
        if (!isSent) {
            fs::remove_all(all[i], ignored);
        }
    }
}

Result<Manifest> Checkpoints::fittingManifest(const std::string& folder) const
{
    const auto manifest = readManifest(folder);
    if (!manifest) {
        return unreadable(folder, manifest.error(), m_context.rank);
    }
    LOCKSTEP_TRY(checkRun(folder, *manifest, m_run, m_context.worldSize));
    LOCKSTEP_TRY(checkData(folder, *manifest, m_run));
    if (manifest->step >= m_job.plan.totalSteps) {
        return notFitting(folder,
            LS_TR("Messages", "%1 is of step %2, where this run of %3 steps has ended; give it more epochs or steps"),
            {manifest->step, m_job.plan.totalSteps});
    }
    const std::string own = checkpointFileName(m_context.rank.number);
    std::error_code ignored;
    if (manifest->isApart() && !fs::exists(folder + "/" + own, ignored)) {
        return notFitting(folder,
            LS_TR("Messages",
                "%1 has no %2 on this host: the ranks of each host keep their own files; start rank %3 on the host "
                "that has it, or copy the file"),
            {verbatim(own), m_context.rank.number});
    }
    return manifest;
}

/// The weights, and what optimizer, strategy and scaler keep between steps.
Result<void> Checkpoints::copyState(const Tensors& from, const std::string& folder)
{
    for (const NamedTensor& parameter : ownWeights()) {
        LOCKSTEP_TRY(copyInto(parameter.tensor, from, std::string(WeightsPrefix) + parameter.name, folder));
    }
    const std::vector<torch::Tensor> state = m_job.optimizer->state();
    for (std::size_t i = 0; i < state.size(); ++i) {
        LOCKSTEP_TRY(copyInto(state[i], from, "optimizer/" + std::to_string(i), folder));
    }
    m_job.optimizer->setState(state);
    Strategy::State strategyState = m_strategy.state();
    for (auto& [name, tensor] : strategyState) {
        LOCKSTEP_TRY(copyInto(tensor, from, name, folder));
    }
    m_strategy.setState(strategyState);
    // A run in another precision saved no scaler; the loss scale then starts at its initial value.
    if (m_job.scaler && from.contains("scaler")) {
        torch::Tensor scaler = m_job.scaler->state();
        LOCKSTEP_TRY(copyInto(scaler, from, "scaler", folder));
        m_job.scaler->setState(scaler);
    }
    return {};
}

Result<Position> Checkpoints::restore()
{
    const std::string& folder = m_run.settings->checkpoint.from;
    auto own = fittingManifest(folder);
    // Every rank checks all files, so that all report the same; its own where they are apart.
    auto tensors = own ? readWhole(folder, *own, m_context.rank.number) : Result<Tensors>(own.error());
    if (own && !tensors) {
        own = unreadable(folder, tensors.error(), m_context.rank);
    }
    if (areOnSeveralHosts()) {
        own = agreedOn(std::move(own), m_context, sums());
    }
    LOCKSTEP_TRY_ASSIGN(const Manifest manifest, std::move(own));
    LOCKSTEP_TRY(copyState(*tensors, folder));
    const torch::Tensor position = numbers({0, 0, 0});
    LOCKSTEP_TRY(copyInto(position, *tensors, "position", folder));
    const auto* values = position.data_ptr<std::int64_t>();
    if (values[0] != manifest.step || values[1] < 0 || values[2] < 0) {
        return unreadable(folder,
            failure(LS_TR("Messages", "%1 is damaged: its files are of another step than its manifest"),
                {verbatim(folder)}),
            m_context.rank);
    }
    m_job.optimizer->setStepsTaken(values[2]);
    return Position{values[0], values[1], !manifest.data.empty(), manifest.trainedNs};
}

} // namespace lockstep::engine
