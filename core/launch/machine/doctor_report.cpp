#include "launch/machine/doctor_report.h"

#include "base/translate.h"
#include "datasets/registry.h"
#include "experiment/dataset_folder.h"
#include "language/language.h"
#include "language/wording.h"
#include "launch/machine/gpu_situation.h"
#include "launch/machine/machine_facts.h"
#include "launch/machine/sandbox.h"
#include "launch/ranks/rank_program.h"
#include "launch/session.h"
#include "store/run_store.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <nlohmann/json.hpp>

#include <map>

namespace lockstep::launch {

namespace {

using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json;

constexpr int RankLimitMs = 60000;

struct MachineFindings {
    Json facts;
    Text rank{}; ///< why the rank program does not work
    Text cudaRank{};
    Text gpus{}; ///< why there are none
    Text sandbox{};
    std::vector<GpuVerdict::Line> gpuLines{};
    std::vector<Text> advice{}; ///< what to do about what is missing
};

void addTried(MachineFindings& report, const Json& answer)
{
    for (const Json& each : answer.value("tried", Json::array())) {
        if (!each.value("works", false)) {
            report.advice.push_back(Text(LS_TR("Messages", "%1 does not work on %2: %3."),
                {each.value("what", std::string("?")), verbatim(each.value("device", std::string("?"))),
                    verbatim(each.value("error", std::string()))}));
        }
    }
}

/// The rank program for GPUs: the one that runs use, or else where ./run would build it; empty if there is no ./run.
QString cudaRankOf(const RankPrograms& programs)
{
    if (!programs.isChosen && !programs.cuda.isEmpty()) {
        return QDir::cleanPath(QFileInfo(programs.cuda).absoluteFilePath());
    }
    return programs.areBuiltHere
        ? QDir::cleanPath(QCoreApplication::applicationDirPath() + u"/../cuda/bin/lockstep-rank"_s)
        : QString();
}

void addCudaRank(MachineFindings& report, GpuSituation& situation)
{
    const RankPrograms programs = findRankPrograms();
    const QString program = cudaRankOf(programs);
    Json& rank = report.facts["rank_cuda"];
    report.cudaRank = Text(LS_TR("Messages", "not installed: %1"), {programs.cudaAdvice});
    rank = {{"program", program.toStdString()}, {"works", false}, {"message", report.cudaRank.english},
        {"report", nullptr}};
    if (program.isEmpty() || !QFileInfo(program).isExecutable()) {
        // A rank program chosen by the user may have CUDA.
        if (const Json& other = report.facts["rank"]["report"]; other.is_object() && flavourOf(other).cuda > 0) {
            situation.flavour = flavourOf(other);
        }
        situation.flavour.message = programs.cudaAdvice;
        return;
    }
    situation.flavour.isThere = true;
    situation.flavour.isBuiltHere = programs.areBuiltHere;
    const ProgramOutput asked = outputOf(program, {u"--doctor"_s}, RankLimitMs);
    const Json answer = Json::parse(asked.out, nullptr, false);
    if (asked.exitCode != 0 || answer.is_discarded()) {
        report.cudaRank = asked.error;
        rank["message"] = asked.error.english;
        situation.flavour.message = asked.error;
        return;
    }
    rank["works"] = true;
    rank["message"] = "";
    rank["report"] = answer;
    situation.flavour = flavourOf(answer);
    situation.flavour.isBuiltHere = programs.areBuiltHere;
    addTried(report, answer);
}

void addRank(MachineFindings& report)
{
    const QString program = findRankProgram();
    Json& rank = report.facts["rank"];
    rank = {{"program", program.toStdString()}, {"works", false}, {"message", ""}, {"report", nullptr}};
    if (program.isEmpty()) {
        report.rank = LS_TR("Messages", "not found");
        rank["message"] = report.rank.english;
        report.advice.push_back(Text(LS_TR("Messages", "Nothing can be trained: %1."), {noRankProgram()}));
        return;
    }
    const ProgramOutput asked = outputOf(program, {u"--doctor"_s}, RankLimitMs);
    const Json answer = Json::parse(asked.out, nullptr, false);
    if (asked.exitCode != 0 || answer.is_discarded()) {
        report.rank = asked.error;
        rank["message"] = asked.error.english;
        report.advice.push_back(Text(findRankPrograms().areBuiltHere
                ? LS_TR("Messages", "%1 does not work (%2): build it again with ./run --build-only.")
                : LS_TR("Messages", "%1 does not work (%2): install what it needs, or its package again."),
            {verbatim(program.toStdString()), asked.error}));
        return;
    }
    rank["works"] = true;
    rank["report"] = answer;
    const std::string blas = answer.value("blas", std::string());
    if (blas.starts_with("not OpenBLAS")) {
        report.advice.emplace_back(LS_TR("Messages",
            "The BLAS library is not OpenBLAS: apt-get install libopenblas0-pthread makes training up to twice as "
            "fast."));
    }
    for (const Json& each : answer.value("held", Json::array())) {
        report.advice.push_back(Text(LS_TR("Messages",
                                         "%1=%2 in the environment keeps a library below what this processor can do: "
                                         "unset it for faster training."),
            {verbatim(each.value("variable", std::string("?"))), verbatim(each.value("value", std::string("?")))}));
    }
    addTried(report, answer);
}

void addFolders(MachineFindings& report, const QString& storeFolder)
{
    const auto store = store::RunStore::open(storeFolder);
    report.facts["store"] = {
        {"folder", storeFolder.toStdString()}, {"works", store.isOk()}, {"runs", store ? (*store)->list().size() : 0}};
    if (!store) {
        report.advice.push_back(
            Text(LS_TR("Messages", "%1. Choose another folder with --store or LOCKSTEP_STORE."), {store.error()}));
    }
    const QString mnist = QString::fromStdString(experiment::standardFolder(experiment::DataSet::Mnist));
    const bool hasMnist = !QDir(mnist).entryList({u"train-images-idx3-ubyte*"_s}, QDir::Files).isEmpty();
    report.facts["mnist"] = {{"folder", mnist.toStdString()}, {"present", hasMnist}};
    if (!hasMnist) {
        report.advice.push_back(Text(LS_TR("Messages",
                                         "MNIST is not in %1: use Download MNIST in the window, set LOCKSTEP_MNIST, or "
                                         "train on the built-in digits."),
            {verbatim(mnist.toStdString())}));
    }
    experiment::RunSpec cifar10;
    cifar10.settings.set(&experiment::DatasetSettings::name, experiment::DataSet::Cifar10);
    report.facts["cifar10"]
        = {{"folder", experiment::imageFolder(cifar10)}, {"present", datasets::filesOf(cifar10).isOk()}};
}

[[nodiscard]] MachineFindings examine(const QString& storeFolder)
{
    MachineFindings report;
    addRank(report);
    GpuSituation situation = gpuSituation();
    addCudaRank(report, situation);
    const Json rank = report.facts["rank"];
    const Json cudaRank = report.facts["rank_cuda"];
    const GpuVerdict verdict = gpuVerdict(situation);
    report.advice.insert(report.advice.end(), verdict.advice.begin(), verdict.advice.end());
    const MachineFacts machine = machineFacts(situation, verdict);
    report.gpus = machine.gpuMessage;
    report.gpuLines = verdict.lines;
    report.facts = {{"version", 1}, {"system", machine.system.toStdString()},
        {"processor", machine.processor.toStdString()}, {"cores", machine.cores}, {"memory_bytes", machine.memoryBytes},
        {"free_memory_bytes", machine.freeMemoryBytes}, {"interfaces", machine.interfaces}, {"gpus", machine.gpus},
        {"gpu_message", machine.gpuMessage.english}, {"gpu", gpuJson(situation, verdict)}, {"rank", rank},
        {"rank_cuda", cudaRank}};
    addFolders(report, storeFolder);
    report.sandbox = trySandbox().message;
    report.facts["sandbox"] = {{"works", trySandbox().kind == SandboxKind::Works}, {"message", report.sandbox.english}};
    report.facts["advice"] = std::vector<std::string>(report.advice.begin(), report.advice.end());
    return report;
}

[[nodiscard]] std::string gibibytes(const Json& bytes)
{
    return QString::number(static_cast<double>(bytes.get<std::int64_t>()) / (1 << 30), 'f', 1).toStdString() + " GiB";
}

/// Topic and text in the reader's language.
void addLine(MachineReport& report, std::string_view topic, std::string text)
{
    report.lines.push_back({topic.empty() ? std::string() : language::told(topic), std::move(text)});
}

void addDeviceTries(MachineReport& report, const Json& rank, bool isWithCpu)
{
    for (const Json& each : rank.value("tried", Json::array())) {
        const std::string device = each.value("device", std::string("?"));
        if (!isWithCpu && device == "cpu") {
            continue;
        }
        const std::vector<std::string> words{
            language::worded(each.value("what", std::string("?"))), device, each.value("error", std::string())};
        addLine(report, LS_TR("CommandLine", "tried"),
            each.value("works", false) ? language::told(LS_TR("CommandLine", "%1 on %2: works"), words)
                                       : language::told(LS_TR("CommandLine", "%1 on %2: FAILS, %3"), words));
    }
}

void addOperations(MachineReport& report, const Json& rank)
{
    for (const Json& each : rank.value("backends", Json::array())) {
        const Json how = each.value("how", Json::object());
        const auto outcome = !each.value("works", false)  ? TriedOperation::Outcome::Fails
            : how.contains("composed") && how.size() == 1 ? TriedOperation::Outcome::BuiltFromMessages
                                                          : TriedOperation::Outcome::Works;
        report.tried.push_back({each.value("backend", std::string("?")), each.value("device", std::string("?")),
            each.value("collective", std::string("?")), outcome, each.value("error", std::string())});
    }
}

/// One line per backend and device: native, composed and failing collectives.
void addBackendLines(MachineReport& report, std::size_t from)
{
    std::map<std::pair<std::string, std::string>, std::map<TriedOperation::Outcome, std::string>> lists;
    for (std::size_t i = from; i < report.tried.size(); ++i) {
        const TriedOperation& each = report.tried[i];
        std::string& list = lists[{each.backend, each.device}][each.outcome];
        list += (list.empty() ? "" : ", ") + each.operation
            + (each.outcome == TriedOperation::Outcome::Fails ? " (" + each.error + ")" : std::string());
    }
    for (const auto& [place, outcomes] : lists) {
        for (const auto& [outcome, names] : outcomes) {
            const std::vector<std::string> words{place.first, place.second, names};
            addLine(report, LS_TR("CommandLine", "backend"),
                outcome == TriedOperation::Outcome::Works
                    ? language::told(LS_TR("CommandLine", "%1 on %2, works: %3"), words)
                    : outcome == TriedOperation::Outcome::Fails
                    ? language::told(LS_TR("CommandLine", "%1 on %2, FAILS: %3"), words)
                    : language::told(LS_TR("CommandLine", "%1 on %2, built from messages: %3"), words));
        }
    }
}

void addCudaRankLines(MachineReport& report, const Json& rank, const Text& whyNot)
{
    const std::string program = rank["program"].get<std::string>();
    if (!program.empty()) {
        addLine(report, LS_TR("CommandLine", "CUDA rank"), program);
    }
    if (!rank["works"].get<bool>()) {
        addLine(report, program.empty() ? LS_TR("CommandLine", "CUDA rank") : "", language::worded(whyNot));
        return;
    }
    addDeviceTries(report, rank["report"], false);
    const std::size_t from = report.tried.size();
    addOperations(report, rank["report"]);
    addBackendLines(report, from);
}

void addRankLines(MachineReport& report, const Json& rank, const Text& whyNot)
{
    addLine(report, LS_TR("CommandLine", "rank program"), rank["program"].get<std::string>());
    if (!rank["works"].get<bool>()) {
        addLine(report, {}, language::told(LS_TR("CommandLine", "does not work: %1"), {language::worded(whyNot)}));
        return;
    }
    const Json& facts = rank["report"];
    addLine(report, LS_TR("CommandLine", "LibTorch"), facts.value("libtorch", std::string("?")));
    addLine(report, LS_TR("CommandLine", "BLAS"), facts.value("blas", std::string("?")));
    addLine(report, LS_TR("CommandLine", "Gloo"),
        facts.value("gloo", false)
            ? language::told(LS_TR("CommandLine", "there"))
            : language::told(LS_TR("CommandLine", "not linked (one process per run needs none)")));
    addLine(report, LS_TR("CommandLine", "RPC"),
        facts.value("rpc", false)
            ? language::told(LS_TR("CommandLine", "available (pipeline.transport rpc)"))
            : language::told(LS_TR("CommandLine", "not in this LibTorch: pipelines have pipeline.transport p2p only")));
    addLine(report, LS_TR("CommandLine", "listening"),
        facts.value("mpi", false)
            ? language::told(LS_TR("CommandLine",
                "runs on this machine listen on 127.0.0.1 only, except under mpirun: with comm.backend mpi, Open MPI "
                "itself "
                "listens on every interface"))
            : language::told(LS_TR("CommandLine", "runs on this machine listen on 127.0.0.1 only")));
    addDeviceTries(report, facts, true);
    const std::size_t from = report.tried.size();
    addOperations(report, facts);
    addBackendLines(report, from);
}

void addDataLine(MachineReport& report, std::string_view topic, const Json& data)
{
    const std::string folder = data["folder"].get<std::string>();
    addLine(report, topic,
        data["present"].get<bool>() ? folder : language::told(LS_TR("CommandLine", "%1 (not found)"), {folder}));
}

void addLines(MachineReport& report, const MachineFindings& findings)
{
    const Json& facts = findings.facts;
    addLine(report, LS_TR("CommandLine", "system"), facts["system"].get<std::string>());
    addLine(report, LS_TR("CommandLine", "processor"),
        language::told(LS_TR("CommandLine", "%1, %2 cores"),
            {facts["processor"].get<std::string>(), std::to_string(facts["cores"].get<int>())}));
    addLine(report, LS_TR("CommandLine", "memory"),
        language::told(LS_TR("CommandLine", "%1, free %2"),
            {gibibytes(facts["memory_bytes"]), gibibytes(facts["free_memory_bytes"])}));
    addLine(report, LS_TR("CommandLine", "interfaces"), listed(facts["interfaces"].get<std::vector<std::string>>()));
    addLine(report, LS_TR("CommandLine", "GPUs"),
        facts["gpus"].empty() ? language::worded(findings.gpus)
                              : listed(facts["gpus"].get<std::vector<std::string>>()));
    for (const GpuVerdict::Line& line : findings.gpuLines) {
        report.lines.push_back({"  " + language::worded(line.topic), language::worded(line.text)});
    }
    addRankLines(report, facts["rank"], findings.rank);
    addCudaRankLines(report, facts["rank_cuda"], findings.cudaRank);
    addLine(report, LS_TR("CommandLine", "run store"),
        language::told(LS_TR("CommandLine", "%1, %2 runs"),
            {facts["store"]["folder"].get<std::string>(), std::to_string(facts["store"]["runs"].get<std::int64_t>())}));
    addDataLine(report, LS_TR("CommandLine", "MNIST"), facts["mnist"]);
    addDataLine(report, LS_TR("CommandLine", "CIFAR-10"), facts["cifar10"]);
    addLine(report, LS_TR("CommandLine", "sandbox"), language::worded(findings.sandbox));
}

} // namespace

MachineReport examineMachine(const QString& storeFolder)
{
    const MachineFindings findings = examine(storeFolder);
    MachineReport report;
    report.json = findings.facts.dump(2) + "\n";
    addLines(report, findings);
    for (const Text& each : findings.advice) {
        report.advice.push_back(language::worded(each));
    }
    return report;
}

std::string reportText(const MachineReport& report)
{
    constexpr int Width = 14;
    QString text;
    for (const MachineLine& line : report.lines) {
        text += language::inColumn(QString::fromStdString(line.topic), 1 - Width) + u' '
            + QString::fromStdString(line.text) + u'\n';
    }
    text += u'\n'
        + QString::fromStdString(report.advice.empty() ? language::told(LS_TR("CommandLine", "All is well."))
                                                       : language::told(LS_TR("CommandLine", "What to do:")))
        + u'\n';
    for (const std::string& line : report.advice) {
        text += u"- "_s + QString::fromStdString(line) + u'\n';
    }
    return text.toStdString();
}

} // namespace lockstep::launch
