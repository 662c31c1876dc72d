#include "cli/run/rank_places.h"

#include "language/wording.h"

#include "datasets/registry.h"
#include "launch/machine/host_file.h"
#include "launch/ranks/awaited_ranks.h"
#include "launch/ranks/rank_program.h"
#include "launch/ssh/ssh_launcher.h"
#include "plan/check.h"
#include "rendezvous/allocation.h"

#include <QFileInfo>
#include <QHostAddress>
#include <QUrl>

#include <cstdint>
#include <utility>

namespace lockstep::cli {

namespace {

using namespace Qt::StringLiterals;

/// `10.0.0.5`, `10.0.0.5:7000`, `[fd00::5]:7000`
[[nodiscard]] Result<launch::AwaitOptions> awaitIn(const Arguments& arguments)
{
    const QString listen = arguments.value(u"--listen"_s);
    launch::AwaitOptions awaits;
    awaits.file = QFileInfo(arguments.value(u"--workbench-file"_s)).absoluteFilePath();
    if (listen.isEmpty() || !arguments.has(u"--workbench-file"_s)) {
        return refusal("--launch", LS_TR("Refusals", "wait needs --listen ADDRESS[:PORT] and --workbench-file FILE"));
    }
    const QUrl url(u"tcp://"_s + listen, QUrl::StrictMode);
    const QHostAddress address(url.host());
    if (!url.isValid() || address.isNull() || !url.path().isEmpty() || !url.userName().isEmpty()) {
        return refusal("--listen",
            LS_TR("Refusals", "\"%1\" is not an address and a port: 10.0.0.5, 10.0.0.5:7000 or [fd00::5]:7000"),
            {verbatim(listen.toStdString())});
    }
    if (address.isEqual(QHostAddress(QHostAddress::AnyIPv4), QHostAddress::TolerantConversion)
        || address == QHostAddress(QHostAddress::AnyIPv6)) {
        return refusal("--listen",
            LS_TR("Refusals", "%1 means every address: give the one at which the ranks reach this machine"),
            {verbatim(listen.toStdString())});
    }
    awaits.address = address.toString();
    awaits.port = static_cast<std::uint16_t>(url.port(0));
    return awaits;
}

/// An option that belongs to another way of launching.
[[nodiscard]] Result<void> checkLaunchOptions(const QString& how, const Arguments& arguments)
{
    if (how != u"ssh"_s && arguments.has(u"--hosts"_s)) {
        return refusal("--hosts", LS_TR("Refusals", "needs --launch ssh"));
    }
    for (const QString& option : {u"--listen"_s, u"--workbench-file"_s}) {
        if (how != u"wait"_s && arguments.has(option)) {
            return refusal(option.toStdString(), LS_TR("Refusals", "needs --launch wait"));
        }
    }
    return {};
}

} // namespace

Result<RankPlaces> rankPlacesOf(const Arguments& arguments, PlacesFor purpose)
{
    const QString how = arguments.value(u"--launch"_s, u"local"_s);
    const QString file = arguments.value(u"--hosts"_s);
    LOCKSTEP_TRY(checkLaunchOptions(how, arguments));
    RankPlaces places;
    if (how == u"wait"_s && purpose == PlacesFor::Checking) {
        places.awaits.emplace();
    } else if (how == u"wait"_s) {
        LOCKSTEP_TRY_ASSIGN(places.awaits, awaitIn(arguments));
    } else if (how == u"slurm"_s) {
        auto hosts = rendezvous::hostsOfAllocation(rendezvous::variablesOfProcess());
        if (!hosts) {
            return during(verbatim("--launch slurm"), hosts.error());
        }
        places.hosts = std::move(*hosts);
    } else if (how == u"ssh"_s && file.isEmpty()) {
        return refusal("--launch", LS_TR("Refusals", "ssh needs --hosts FILE"));
    } else if (how == u"ssh"_s) {
        LOCKSTEP_TRY_ASSIGN(places.hosts, launch::readHosts(file));
    } else if (how != u"local"_s) {
        return refusal("--launch",
            LS_TR("Refusals",
                "\"%1\" is not local, ssh, slurm or wait (lockstep launch writes files for other launchers)"),
            {verbatim(how.toStdString())});
    }
    return places;
}

Result<void> checkPlaces(std::span<const experiment::RunSpec> runs, const RankPlaces& places)
{
    const std::vector<rendezvous::Host>& hosts = places.hosts;
    if (places.awaits) {
        for (const experiment::RunSpec& run : runs) {
            LOCKSTEP_TRY(launch::checkAwaited(run));
        }
        return {};
    }
    if (hosts.empty()) {
        LOCKSTEP_TRY(launch::checkRankPrograms(runs));
        LOCKSTEP_TRY(launch::checkProgramsAreThere(runs));
        LOCKSTEP_TRY_ASSIGN(const auto described, datasets::described(runs));
        return plan::checkAll(described);
    }
    for (const experiment::RunSpec& run : runs) {
        LOCKSTEP_TRY_ASSIGN(const std::int32_t ranks, experiment::worldSizeOf(run));
        LOCKSTEP_TRY(launch::checkRunOnHosts(hosts, run, ranks));
    }
    return {};
}

} // namespace lockstep::cli
