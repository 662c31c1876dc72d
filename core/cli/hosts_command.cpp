// `lockstep hosts`.
#include "base/translate.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "language/language.h"
#include "language/wording.h"
#include "launch/machine/host_file.h"
#include "launch/machine/host_links.h"
#include "launch/session.h"
#include "launch/ssh/host_link.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <QEventLoop>

#include <algorithm>
#include <array>
#include <memory>

namespace lockstep::cli {

namespace {

using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json;

constexpr std::array HostsOptions{
    Option{
        "--hosts", "FILE", LS_TR("CommandLine", "the hosts, one per line: NAME slots=N program=/PATH address=ADDRESS")},
    Option{"--check", "", LS_TR("CommandLine", "exit code 3 if ranks cannot be started on one of them")},
    Option{"--measure", "",
        LS_TR("CommandLine", "also measures latency and bandwidth between each pair of hosts: a few seconds per pair")},
    JsonOption,
    HelpOption,
};

/// What one host has answered.
struct Answer {
    rendezvous::Host host;
    launch::HostFacts facts{};
    launch::HostClock clock{};
    Text why{}; ///< ranks cannot be started there; empty: they can
};

/// Asks all of them at once; in their order.
[[nodiscard]] std::vector<Answer> askHosts(const std::vector<rendezvous::Host>& hosts)
{
    const QString own = launch::findRankProgram();
    const QString program = own.isEmpty() ? u"lockstep-rank"_s : own;
    std::vector<Answer> answers;
    std::vector<std::unique_ptr<launch::HostLink>> links;
    QEventLoop loop;
    std::size_t ended = 0;
    for (const rendezvous::Host& host : hosts) {
        answers.push_back({.host = host, .why = LS_TR("Messages", "no answer")});
        links.push_back(std::make_unique<launch::HostLink>(host, nullptr));
    }
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        launch::HostLink* link = links[i].get();
        QObject::connect(link, &launch::HostLink::ready, &loop, [link, &answer = answers[i]] {
            answer.facts = link->facts();
            answer.clock = link->clock();
            answer.why = launch::whyNotOnHost(answer.host.name, answer.facts, answer.clock, 0).value_or(Text());
            link->close();
        });
        QObject::connect(link, &launch::HostLink::ended, &loop, [&, i](const Text& why) {
            if (answers[i].clock.count() == 0) {
                answers[i].why = {LS_TR("Messages", "%1: %2"), {verbatim(answers[i].host.name), why}};
            }
            if (++ended == hosts.size()) {
                loop.quit();
            }
        });
        link->start(program);
    }
    loop.exec();
    return answers;
}

[[nodiscard]] double inMilliseconds(std::int64_t ns)
{
    return static_cast<double>(ns) * 1e-6;
}

/// What the window words; only beside an error.
void addData(Json& entry, const Text& why)
{
    if (!why.empty()) {
        entry["error_data"] = packed(why);
    }
}

[[nodiscard]] Json jsonOfAnswer(const Answer& answer)
{
    Json entry{{"name", answer.host.name}, {"slots", answer.host.slots}, {"ok", answer.why.empty()},
        {"error", answer.why.english}};
    addData(entry, answer.why);
    if (answer.clock.count() > 0) {
        entry.update(Json{{"hostname", answer.facts.host}, {"address", answer.facts.address},
            {"cores", answer.facts.cores}, {"memory_bytes", answer.facts.memoryBytes},
            {"free_bytes", answer.facts.freeBytes}, {"gpus", answer.facts.gpus}, {"version", answer.facts.version},
            {"libtorch", answer.facts.libtorch}, {"clock_ahead_ms", inMilliseconds(answer.clock.aheadNs())},
            {"clock_error_ms", inMilliseconds(answer.clock.errorNs())},
            {"round_trip_ms", inMilliseconds(answer.clock.medianTripNs())}});
    }
    return entry;
}

/// A line for each; what cannot be used says why.
[[nodiscard]] std::string textOfAnswers(const std::vector<Answer>& answers)
{
    const auto gigabytes = [](std::int64_t bytes) { return static_cast<double>(bytes) * 1e-9; };
    std::string text;
    for (const Answer& answer : answers) {
        if (answer.clock.count() > 0) {
            const launch::HostFacts& facts = answer.facts;
            text += language::told(
                        LS_TR("CommandLine",
                            "%1 (%2): %3 slots, %4 cores, %5 GB of memory (%6 free), GPUs: %7, lockstep-rank %8"),
                        {answer.host.name, facts.host, std::to_string(answer.host.slots), std::to_string(facts.cores),
                            fmt::format("{:.1f}", gigabytes(facts.memoryBytes)),
                            fmt::format("{:.1f}", gigabytes(facts.freeBytes)),
                            facts.gpus.empty() ? language::told(LS_TR("CommandLine", "none"))
                                               : fmt::format("{}", fmt::join(facts.gpus, ", ")),
                            facts.version})
                + "\n    "
                + language::told(LS_TR("CommandLine", "a round trip takes %1 ms; its clock is %2 ± %3 ms ahead"),
                    {fmt::format("{:.3f}", inMilliseconds(answer.clock.medianTripNs())),
                        fmt::format("{:+.3f}", inMilliseconds(answer.clock.aheadNs())),
                        fmt::format("{:.3f}", inMilliseconds(answer.clock.errorNs()))})
                + "\n";
        }
        if (!answer.why.empty()) {
            text += language::worded(answer.why) + "\n";
        }
    }
    return text;
}

/// Latency below the diagonal, bandwidth above it; what has none says why in a line.
[[nodiscard]] std::string textOfLinks(
    const std::vector<rendezvous::Host>& hosts, const std::vector<launch::HostPair>& pairs)
{
    std::size_t width = 9;
    for (const rendezvous::Host& host : hosts) {
        width = std::max(width, host.name.size() + 2);
    }
    std::vector<std::vector<std::string>> cells(hosts.size(), std::vector<std::string>(hosts.size(), "-"));
    std::string lines;
    for (const launch::HostPair& pair : pairs) {
        if (pair.figures) {
            cells[pair.second][pair.first] = fmt::format("{:.1f}", pair.figures->latency * 1e6);
            cells[pair.first][pair.second] = fmt::format("{:.1f}", pair.figures->bandwidth * 1e-6);
        } else {
            lines += fmt::format(
                "{}, {}: {}\n", hosts[pair.first].name, hosts[pair.second].name, language::worded(pair.why));
        }
    }
    std::string text = language::told(LS_TR("CommandLine",
        "between each pair of hosts, the latency of a message in µs (lower left) and the bandwidth of all-reduces of "
        "4 MiB in MB/s (upper right):"));
    text += fmt::format("\n{:{}}", "", width);
    for (const rendezvous::Host& host : hosts) {
        text += fmt::format("{:>{}}", host.name, width);
    }
    text += '\n';
    for (std::size_t row = 0; row < hosts.size(); ++row) {
        text += fmt::format("{:{}}", hosts[row].name, width);
        for (const std::string& cell : cells[row]) {
            text += fmt::format("{:>{}}", cell, width);
        }
        text += '\n';
    }
    return text + lines;
}

[[nodiscard]] Json jsonOfLinks(const std::vector<rendezvous::Host>& hosts, const std::vector<launch::HostPair>& pairs)
{
    Json list = Json::array();
    for (const launch::HostPair& pair : pairs) {
        Json entry{{"hosts", {hosts[pair.first].name, hosts[pair.second].name}}, {"ok", pair.figures.has_value()},
            {"error", pair.why.english}, {"latency_us", nullptr}, {"bandwidth_mb_per_s", nullptr}};
        if (pair.figures) {
            entry["latency_us"] = pair.figures->latency * 1e6;
            entry["bandwidth_mb_per_s"] = pair.figures->bandwidth * 1e-6;
        }
        addData(entry, pair.why);
        list.push_back(std::move(entry));
    }
    return list;
}

/// Why ranks cannot be started on a host, or do not reach each other; empty: none.
[[nodiscard]] std::string firstProblem(const std::vector<Answer>& answers, const std::vector<launch::HostPair>& pairs)
{
    for (const Answer& answer : answers) {
        if (!answer.why.empty()) {
            return language::worded(answer.why);
        }
    }
    for (const launch::HostPair& pair : pairs) {
        if (!pair.figures) {
            return fmt::format("{}, {}: {}", answers[pair.first].host.name, answers[pair.second].host.name,
                language::worded(pair.why));
        }
    }
    return {};
}

[[nodiscard]] Result<int> reportHosts(const Arguments& arguments)
{
    if (!arguments.positional().isEmpty() || arguments.value(u"--hosts"_s).isEmpty()) {
        return failure(LS_TR("Messages", "hosts: needs --hosts FILE; see lockstep hosts --help"));
    }
    LOCKSTEP_TRY_ASSIGN(const auto hosts, launch::readHosts(arguments.value(u"--hosts"_s)));
    const bool measures = arguments.has(u"--measure"_s);
    if (measures && hosts.size() < 2) {
        return failure(LS_TR("Messages", "hosts: --measure needs at least two hosts"));
    }
    const std::vector<Answer> answers = askHosts(hosts);
    Json list = Json::array();
    for (const Answer& answer : answers) {
        list.push_back(jsonOfAnswer(answer));
    }
    std::vector<launch::HostPair> pairs;
    if (measures) {
        std::vector<Text> problems;
        for (const Answer& answer : answers) {
            problems.push_back(answer.why);
        }
        pairs = launch::measureLinks(hosts, problems);
    }
    Json document{{"version", 1}, {"hosts", list}};
    if (measures) {
        document["links"] = jsonOfLinks(hosts, pairs);
    }
    const std::string text = textOfAnswers(answers) + (pairs.empty() ? std::string() : textOfLinks(hosts, pairs));
    const int printed = printOrFail(arguments.has(u"--json"_s) ? document.dump(2) + "\n" : text);
    const std::string problem = firstProblem(answers, pairs);
    if (!arguments.has(u"--check"_s) || problem.empty()) {
        return printed;
    }
    report(problem);
    return ExitRunFailed;
}

} // namespace

int hostsCommand(const QStringList& words, const CommandContext&)
{
    return withArguments("hosts", words, HostsOptions,
        LS_TR("CommandLine",
            "lockstep hosts --hosts FILE [--check] [--measure] [--json]: checks over ssh which hosts answer, and what "
            "each of them has"),
        reportHosts);
}

} // namespace lockstep::cli
