#include "launch/machine/host_file.h"

#include <QFile>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace lockstep::launch {

namespace {

using rendezvous::Host;

Result<Host> hostInJson(const nlohmann::json& entry)
{
    constexpr std::array<std::string_view, 4> Allowed{"name", "slots", "program", "address"};
    Host host;
    try {
        for (const auto& [key, value] : entry.items()) {
            if (std::ranges::find(Allowed, key) == Allowed.end()) {
                return failure(LS_TR("Messages", "%1 is not name, slots, program or address"), {verbatim(key)});
            }
        }
        host = {.name = entry.at("name").get<std::string>(),
            .slots = entry.value("slots", 1),
            .program = entry.value("program", std::string()),
            .address = entry.value("address", std::string())};
    } catch (const nlohmann::json::exception&) {
        return failure(
            LS_TR("Messages", "it is not an object with a name, and slots, program and address where they differ"));
    }
    return host;
}

/// [{"name":"n1","slots":4,"program":"/opt/lockstep-rank","address":"10.0.0.1"}], or that as "hosts" of an object.
Result<std::vector<Host>> parseJsonHosts(const QByteArray& text)
{
    const nlohmann::json read = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
    const nlohmann::json& list = read.is_object() && read.contains("hosts") ? read["hosts"] : read;
    if (!list.is_array()) {
        return failure(LS_TR("Messages", "this cannot be read as a JSON list of hosts"));
    }
    std::vector<Host> hosts;
    for (const nlohmann::json& entry : list) {
        auto host = hostInJson(entry);
        const auto added = host ? rendezvous::addHost(hosts, std::move(*host)) : Result<void>(host.error());
        if (!added) {
            return during({LS_TR("Messages", "host %1"), {hosts.size() + 1}}, added.error());
        }
    }
    return hosts.empty() ? Result<std::vector<Host>>(failure(LS_TR("Messages", "there is no host in it"))) : hosts;
}

} // namespace

Result<std::vector<Host>> parseHostFile(const QByteArray& text)
{
    const bool isJson = text.trimmed().startsWith('[') || text.trimmed().startsWith('{');
    return isJson ? parseJsonHosts(text) : rendezvous::parseHosts(text.toStdString());
}

Result<std::vector<Host>> readHosts(const QString& file)
{
    QFile input(file);
    if (!input.open(QIODevice::ReadOnly)) {
        return failure(LS_TR("Messages", "%1: cannot be read: %2"),
            {verbatim(file.toStdString()), verbatim(input.errorString().toStdString())});
    }
    constexpr qint64 MostBytes = 1 << 20;
    auto hosts = parseHostFile(input.read(MostBytes));
    return hosts ? std::move(hosts) : Result<std::vector<Host>>(during(verbatim(file.toStdString()), hosts.error()));
}

} // namespace lockstep::launch
