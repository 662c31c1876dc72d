// `lockstep hosts`.
#include "base/translate.h"
#include "session/commands/arguments.h"
#include "session/commands/host_file.h"
#include "session/commands/host_links.h"
#include "session/commands/verbs.h"
#include "session/language.h"
#include "session/launch/ssh/host_link.h"
#include "session/messages.h"
#include "session/session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <QEventLoop>

#include <algorithm>
#include <array>
#include <memory>

namespace lockstep::session {

namespace {

using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json;

constexpr std::array HostsOptions{
    Option{
        "--hosts", "FILE", LS_TR("CommandLine", "the hosts, one per line: NAME slots=N program=/PATH address=ADDRESS")},
    Option{"--check", "", LS_TR("CommandLine", "exit code 3 if ranks cannot be started on one of them")},
    Option{"--measure", "",
        LS_TR("CommandLine", "also measures latency and bandwidth between each pair of hosts: a few seconds per pair")},
    Option{"--json", "", LS_TR("CommandLine", "prints JSON")},
    Option{"--help", "", LS_TR("CommandLine", "this text")},
};

/// What one host has answered.
struct Answer {
    rendezvous::Host host;
    HostFacts facts{};
    HostClock clock{};
    std::string why{}; ///< ranks cannot be started there; empty: they can
};

/// Asks all of them at once; in their order.
[[nodiscard]] std::vector<Answer> askHosts(const std::vector<rendezvous::Host>& hosts)
{
    const QString own = findRankProgram();
    const QString program = own.isEmpty() ? u"lockstep-rank"_s : own;
    std::vector<Answer> answers;
    std::vector<std::unique_ptr<HostLink>> links;
    QEventLoop loop;
    std::size_t ended = 0;
    for (const rendezvous::Host& host : hosts) {
        answers.push_back({.host = host, .why = "no answer"});
        links.push_back(std::make_unique<HostLink>(host, nullptr));
    }
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        HostLink* link = links[i].get();
        QObject::connect(link, &HostLink::ready, &loop, [link, &answer = answers[i]] {
            answer.facts = link->facts();
            answer.clock = link->clock();
            answer.why = whyNotOnHost(answer.host.name, answer.facts, answer.clock, 0).value_or(std::string());
            link->close();
        });
        QObject::connect(link, &HostLink::ended, &loop, [&, i](const QString& why) {
            if (answers[i].clock.count() == 0) {
                answers[i].why = answers[i].host.name + ": " + why.toStdString();
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

[[nodiscard]] Json jsonOfAnswer(const Answer& answer)
{
    Json entry{
        {"name", answer.host.name}, {"slots", answer.host.slots}, {"ok", answer.why.empty()}, {"error", answer.why}};
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
            const HostFacts& facts = answer.facts;
            text += told(LS_TR("CommandLine",
                             "%1 (%2): %3 slots, %4 cores, %5 GB of memory (%6 free), GPUs: %7, lockstep-rank %8"),
                        {answer.host.name, facts.host, std::to_string(answer.host.slots), std::to_string(facts.cores),
                            fmt::format("{:.1f}", gigabytes(facts.memoryBytes)),
                            fmt::format("{:.1f}", gigabytes(facts.freeBytes)),
                            facts.gpus.empty() ? told(LS_TR("CommandLine", "none"))
                                               : fmt::format("{}", fmt::join(facts.gpus, ", ")),
                            facts.version})
                + "\n    "
                + told(LS_TR("CommandLine", "a round trip takes %1 ms; its clock is %2 ± %3 ms ahead"),
                    {fmt::format("{:.3f}", inMilliseconds(answer.clock.medianTripNs())),
                        fmt::format("{:+.3f}", inMilliseconds(answer.clock.aheadNs())),
                        fmt::format("{:.3f}", inMilliseconds(answer.clock.errorNs()))})
                + "\n";
        }
        if (!answer.why.empty()) {
            text += worded(answer.why) + "\n";
        }
    }
    return text;
}

/// Latency below the diagonal, bandwidth above it; what has none says why in a line.
[[nodiscard]] std::string textOfLinks(const std::vector<rendezvous::Host>& hosts, const std::vector<HostPair>& pairs)
{
    std::size_t width = 9;
    for (const rendezvous::Host& host : hosts) {
        width = std::max(width, host.name.size() + 2);
    }
    std::vector<std::vector<std::string>> cells(hosts.size(), std::vector<std::string>(hosts.size(), "-"));
    std::string lines;
    for (const HostPair& pair : pairs) {
        if (pair.figures) {
            cells[pair.second][pair.first] = fmt::format("{:.1f}", pair.figures->latency * 1e6);
            cells[pair.first][pair.second] = fmt::format("{:.1f}", pair.figures->bandwidth * 1e-6);
        } else {
            lines += fmt::format("{}, {}: {}\n", hosts[pair.first].name, hosts[pair.second].name, worded(pair.why));
        }
    }
    std::string text = told(LS_TR("CommandLine",
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

[[nodiscard]] Json jsonOfLinks(const std::vector<rendezvous::Host>& hosts, const std::vector<HostPair>& pairs)
{
    Json list = Json::array();
    for (const HostPair& pair : pairs) {
        Json entry{{"hosts", {hosts[pair.first].name, hosts[pair.second].name}}, {"ok", pair.figures.has_value()},
            {"error", pair.why}, {"latency_us", nullptr}, {"bandwidth_mb_per_s", nullptr}};
        if (pair.figures) {
            entry["latency_us"] = pair.figures->latency * 1e6;
            entry["bandwidth_mb_per_s"] = pair.figures->bandwidth * 1e-6;
        }
        list.push_back(std::move(entry));
    }
    return list;
}

/// Why ranks cannot be started on a host, or do not reach each other; empty: none.
[[nodiscard]] std::string firstProblem(const std::vector<Answer>& answers, const std::vector<HostPair>& pairs)
{
    for (const Answer& answer : answers) {
        if (!answer.why.empty()) {
            return worded(answer.why);
        }
    }
    for (const HostPair& pair : pairs) {
        if (!pair.figures) {
            return fmt::format(
                "{}, {}: {}", answers[pair.first].host.name, answers[pair.second].host.name, worded(pair.why));
        }
    }
    return {};
}

} // namespace

int hostsCommand(const QStringList& words, const CommandContext&)
{
    const auto arguments = Arguments::parse(words, HostsOptions);
    if (!arguments) {
        return refuse(during("hosts", arguments.error()));
    }
    if (arguments->has(u"--help"_s)) {
        return printOrFail(told(LS_TR("CommandLine",
                               "lockstep hosts --hosts FILE [--check] [--measure] [--json]: checks over ssh which "
                               "hosts answer, and what each of them has"))
            + "\n\n" + helpOf(HostsOptions));
    }
    if (!arguments->positional().isEmpty() || arguments->value(u"--hosts"_s).isEmpty()) {
        return refuse({"hosts: needs --hosts FILE; see lockstep hosts --help"});
    }
    const auto hosts = readHosts(arguments->value(u"--hosts"_s));
    if (!hosts) {
        return refuse(hosts.error());
    }
    const bool measures = arguments->has(u"--measure"_s);
    if (measures && hosts->size() < 2) {
        return refuse({"hosts: --measure needs at least two hosts"});
    }
    const std::vector<Answer> answers = askHosts(*hosts);
    Json list = Json::array();
    for (const Answer& answer : answers) {
        list.push_back(jsonOfAnswer(answer));
    }
    std::vector<HostPair> pairs;
    if (measures) {
        std::vector<std::string> problems;
        for (const Answer& answer : answers) {
            problems.push_back(answer.why);
        }
        pairs = measureLinks(*hosts, problems);
    }
    Json document{{"version", 1}, {"hosts", list}};
    if (measures) {
        document["links"] = jsonOfLinks(*hosts, pairs);
    }
    const std::string text = textOfAnswers(answers) + (pairs.empty() ? std::string() : textOfLinks(*hosts, pairs));
    const int printed = printOrFail(arguments->has(u"--json"_s) ? document.dump(2) + "\n" : text);
    const std::string problem = firstProblem(answers, pairs);
    if (!arguments->has(u"--check"_s) || problem.empty()) {
        return printed;
    }
    std::fprintf(stderr, "lockstep: %s\n", problem.c_str());
    return ExitRunFailed;
}

} // namespace lockstep::session
