#include "session/commands/arguments.h"
#include "session/commands/gpu_situation.h"
#include "session/commands/machine_facts.h"
#include "session/commands/verbs.h"

#include "experiment/dataset_folder.h"
#include "session/launch/rank_program.h"
#include "session/session.h"
#include "session/store/run_store.h"

#include <fmt/format.h>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <array>

#include <nlohmann/json.hpp>

#include <map>

namespace lockstep::session {

namespace {

using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json;

constexpr std::array DoctorOptions{
    Option{"--json", "", "prints JSON"},
    Option{"--store", "DIR", "the folder that keeps the runs"},
    Option{"--help", "", "this text"},
};
constexpr int RankLimitMs = 60000;

struct Report {
    Json facts;
    std::vector<std::string> advice; ///< what to do about what is missing
};

void addTried(Report& report, const Json& answer)
{
    for (const Json& each : answer.value("tried", Json::array())) {
        if (!each.value("works", false)) {
            report.advice.push_back(each.value("what", std::string("?")) + " does not work on "
                + each.value("device", std::string("?")) + ": " + each.value("error", std::string()) + ".");
        }
    }
}

/// The rank program for GPUs: the one that runs use, or else where it would be built.
void addCudaRank(Report& report, GpuSituation& situation)
{
    const RankPrograms programs = findRankPrograms();
    const QFileInfo program(programs.isChosen || programs.cuda.isEmpty()
            ? QCoreApplication::applicationDirPath() + u"/../cuda/bin/lockstep-rank"_s
            : programs.cuda);
    Json& rank = report.facts["rank_cuda"];
    rank = {{"program", QDir::cleanPath(program.absoluteFilePath()).toStdString()}, {"works", false},
        {"message", "not built: ./run --cuda builds it"}, {"report", nullptr}};
    if (!program.isExecutable()) {
        // A rank program chosen by the user may have CUDA.
        if (const Json& other = report.facts["rank"]["report"]; other.is_object() && flavourOf(other).cuda > 0) {
            situation.flavour = flavourOf(other);
        }
        return;
    }
    situation.flavour.isThere = true;
    const ProgramOutput asked = outputOf(QDir::cleanPath(program.absoluteFilePath()), {u"--doctor"_s}, RankLimitMs);
    const Json answer = Json::parse(asked.out, nullptr, false);
    if (asked.exitCode != 0 || answer.is_discarded()) {
        rank["message"] = asked.error;
        situation.flavour.message = asked.error;
        return;
    }
    rank["works"] = true;
    rank["message"] = "";
    rank["report"] = answer;
    situation.flavour = flavourOf(answer);
    addTried(report, answer);
}

void addRank(Report& report)
{
    const QString program = findRankProgram();
    Json& rank = report.facts["rank"];
    rank = {{"program", program.toStdString()}, {"works", false}, {"message", ""}, {"report", nullptr}};
    if (program.isEmpty()) {
        rank["message"] = "not found";
        report.advice.push_back("There is no lockstep-rank beside this program, in LOCKSTEP_RANK or in PATH, so "
                                "nothing can be trained: build it with ./run --build-only.");
        return;
    }
    const ProgramOutput asked = outputOf(program, {u"--doctor"_s}, RankLimitMs);
    const Json answer = Json::parse(asked.out, nullptr, false);
    if (asked.exitCode != 0 || answer.is_discarded()) {
        rank["message"] = asked.error;
        report.advice.push_back(
            program.toStdString() + " does not work (" + asked.error + "): build it again with ./run --build-only.");
        return;
    }
    rank["works"] = true;
    rank["report"] = answer;
    const std::string blas = answer.value("blas", std::string());
    if (blas.starts_with("unknown")) {
        report.advice.push_back("The BLAS library is not OpenBLAS: apt-get install libopenblas0-pthread makes training "
                                "up to twice as fast.");
    }
    addTried(report, answer);
}

void addFolders(Report& report, const QString& storeFolder)
{
    const auto store = RunStore::open(storeFolder);
    report.facts["store"] = {
        {"folder", storeFolder.toStdString()}, {"works", store.isOk()}, {"runs", store ? (*store)->list().size() : 0}};
    if (!store) {
        report.advice.push_back(store.error().message + ". Choose another folder with --store or LOCKSTEP_STORE.");
    }
    const QString mnist = QString::fromStdString(experiment::mnistFolder());
    const bool hasMnist = !QDir(mnist).entryList({u"train-images-idx3-ubyte*"_s}, QDir::Files).isEmpty();
    report.facts["mnist"] = {{"folder", mnist.toStdString()}, {"present", hasMnist}};
    if (!hasMnist) {
        report.advice.push_back("MNIST is not in " + mnist.toStdString()
            + ": use Download MNIST in the window, set LOCKSTEP_MNIST, or train on the built-in digits.");
    }
    const std::string cifar10 = experiment::cifar10Folder();
    report.facts["cifar10"] = {{"folder", cifar10}, {"present", experiment::checkCifar10(cifar10).isOk()}};
}

[[nodiscard]] Report examine(const QString& storeFolder)
{
    Report report;
    addRank(report);
    GpuSituation situation = gpuSituation();
    addCudaRank(report, situation);
    const Json rank = report.facts["rank"];
    const Json cudaRank = report.facts["rank_cuda"];
    const GpuVerdict verdict = gpuVerdict(situation);
    report.advice.insert(report.advice.end(), verdict.advice.begin(), verdict.advice.end());
    const MachineFacts machine = machineFacts(situation, verdict);
    Json interfaces = Json::array();
    for (const QString& each : machine.interfaces) {
        interfaces.push_back(each.toStdString());
    }
    Json gpus = Json::array();
    for (const QString& each : machine.gpus) {
        gpus.push_back(each.toStdString());
    }
    report.facts = {{"version", 1}, {"system", machine.system.toStdString()},
        {"processor", machine.processor.toStdString()}, {"cores", machine.cores}, {"memory_bytes", machine.memoryBytes},
        {"free_memory_bytes", machine.freeMemoryBytes}, {"interfaces", interfaces}, {"gpus", gpus},
        {"gpu_message", machine.gpuMessage.toStdString()}, {"gpu", gpuJson(situation, verdict)}, {"rank", rank},
        {"rank_cuda", cudaRank}};
    addFolders(report, storeFolder);
    report.facts["advice"] = report.advice;
    return report;
}

[[nodiscard]] std::string gibibytes(const Json& bytes)
{
    return QString::number(static_cast<double>(bytes.get<std::int64_t>()) / (1 << 30), 'f', 1).toStdString() + " GiB";
}

[[nodiscard]] std::string joined(const Json& list)
{
    std::string text;
    for (const Json& each : list) {
        text += (text.empty() ? "" : ", ") + each.get<std::string>();
    }
    return text;
}

/// One line per backend: native, composed and failing collectives.
[[nodiscard]] std::string backendText(const Json& report)
{
    std::map<std::string, std::map<std::string, std::string>> lists;
    for (const Json& each : report.value("backends", Json::array())) {
        const std::string name = each.value("collective", std::string("?"));
        const Json how = each.value("how", Json::object());
        const std::string kind = !each.value("works", false) ? "FAILS"
            : how.contains("composed") && how.size() == 1    ? "built from messages"
                                                             : "works";
        std::string& list
            = lists[each.value("backend", std::string("?")) + " on " + each.value("device", std::string("?"))][kind];
        list += (list.empty() ? "" : ", ") + name
            + (kind == "FAILS" ? " (" + each.value("error", std::string()) + ")" : std::string());
    }
    std::string text;
    for (const auto& [backend, kinds] : lists) {
        for (const auto& [kind, names] : kinds) {
            text += "backend       " + backend + ", " + kind + ": " + names + "\n";
        }
    }
    return text;
}

[[nodiscard]] std::string row(const std::string& topic, const std::string& text)
{
    constexpr std::size_t Width = 14;
    return topic + std::string(topic.size() < Width ? Width - topic.size() : 1, ' ') + text + "\n";
}

/// Without a GPU the line above has said why.
[[nodiscard]] std::string gpuText(const Json& facts)
{
    std::string text;
    for (const Json& line : facts["gpu"]["lines"]) {
        text += row("  " + line["topic"].get<std::string>(), line["text"].get<std::string>());
    }
    return text;
}

[[nodiscard]] std::string cudaRankText(const Json& rank)
{
    std::string text = row("CUDA rank", rank["program"].get<std::string>());
    if (!rank["works"].get<bool>()) {
        return text + row("", rank["message"].get<std::string>());
    }
    for (const Json& each : rank["report"].value("tried", Json::array())) {
        if (each.value("device", std::string()) != "cpu") {
            text += row("tried",
                each.value("what", std::string("?")) + " on " + each.value("device", std::string("?"))
                    + (each.value("works", false) ? ": works" : ": FAILS, " + each.value("error", std::string())));
        }
    }
    return text + backendText(rank["report"]);
}

[[nodiscard]] std::string rankText(const Json& rank)
{
    std::string text = "rank program  " + rank["program"].get<std::string>() + "\n";
    if (!rank["works"].get<bool>()) {
        return text + "              does not work: " + rank["message"].get<std::string>() + "\n";
    }
    const Json& report = rank["report"];
    text += "LibTorch      " + report.value("libtorch", std::string("?")) + "\n";
    text += "BLAS          " + report.value("blas", std::string("?")) + "\n";
    text += std::string("Gloo          ")
        + (report.value("gloo", false) ? "there" : "not linked (one process per run needs none)") + "\n";
    text += std::string("RPC           ")
        + (report.value("rpc", false) ? "available (pipeline.transport rpc)"
                                      : "not in this LibTorch: pipelines have pipeline.transport p2p only")
        + "\n";
    for (const Json& each : report.value("tried", Json::array())) {
        text += "tried         " + each.value("what", std::string("?")) + " on "
            + each.value("device", std::string("?"))
            + (each.value("works", false) ? ": works" : ": FAILS, " + each.value("error", std::string())) + "\n";
    }
    return text + backendText(report);
}

[[nodiscard]] std::string asText(const Report& report)
{
    const Json& facts = report.facts;
    std::string text = "system        " + facts["system"].get<std::string>() + "\n";
    text += fmt::format(
        "processor     {}, {} cores\n", facts["processor"].get<std::string>(), facts["cores"].get<int>());
    text += "memory        " + gibibytes(facts["memory_bytes"]) + ", free " + gibibytes(facts["free_memory_bytes"])
        + "\n";
    text += "interfaces    " + joined(facts["interfaces"]) + "\n";
    text += "GPUs          " + (facts["gpus"].empty() ? facts["gpu_message"].get<std::string>() : joined(facts["gpus"]))
        + "\n";
    text += gpuText(facts);
    text += rankText(facts["rank"]);
    text += cudaRankText(facts["rank_cuda"]);
    text += fmt::format("run store     {}, {} runs\n", facts["store"]["folder"].get<std::string>(),
        facts["store"]["runs"].get<std::int64_t>());
    text += "MNIST         " + facts["mnist"]["folder"].get<std::string>()
        + (facts["mnist"]["present"].get<bool>() ? "" : " (not there)") + "\n";
    text += "CIFAR-10      " + facts["cifar10"]["folder"].get<std::string>()
        + (facts["cifar10"]["present"].get<bool>() ? "" : " (not there)") + "\n";
    text += report.advice.empty() ? "\nAll is well.\n" : "\nWhat to do:\n";
    for (const std::string& line : report.advice) {
        text += "- " + line + "\n";
    }
    return text;
}

} // namespace

int doctorCommand(const QStringList& words, const CommandContext&)
{
    const auto arguments = Arguments::parse(words, DoctorOptions);
    if (!arguments) {
        return refuse(during("doctor", arguments.error()));
    }
    if (arguments->has(u"--help"_s)) {
        return printOrFail(
            "lockstep doctor [--json]: what this machine has, tried rather than assumed\n\n" + helpOf(DoctorOptions));
    }
    const Report report
        = examine(arguments->has(u"--store"_s) ? arguments->value(u"--store"_s) : RunStore::defaultFolder());
    return printOrFail(arguments->has(u"--json"_s) ? report.facts.dump(2) + "\n" : asText(report));
}

} // namespace lockstep::session
