#include "launch/ssh/ssh_launcher.h"

#include "base/translate.h"
#include "experiment/spec.h"
#include "launch/choose_launcher.h"
#include "launch/own/own_program.h"
#include "launch/run_comparison.h"
#include "plan/memory.h"
#include "rendezvous/init_method.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace lockstep::launch {

namespace {

using namespace Qt::StringLiterals;

nlohmann::json variablesJson(const QProcessEnvironment& environment)
{
    nlohmann::json variables = nlohmann::json::object();
    for (const QString& name : environment.keys()) {
        variables[name.toStdString()] = environment.value(name).toStdString();
    }
    return variables;
}

Text linkText(const HostLink& link)
{
    const HostFacts& facts = link.facts();
    return {LS_TR("Messages",
                "%1: %2 cores, %3 GB of memory free; a round trip takes %4 ms, its clock is %5 ± %6 ms ahead"),
        {verbatim(link.host().name), facts.cores,
            verbatim(fmt::format("{:.1f}", static_cast<double>(facts.freeBytes) * 1e-9)),
            verbatim(fmt::format("{:.2f}", static_cast<double>(link.clock().medianTripNs()) * 1e-6)),
            verbatim(fmt::format("{:+.3f}", static_cast<double>(link.clock().aheadNs()) * 1e-6)),
            verbatim(fmt::format("{:.3f}", static_cast<double>(link.clock().errorNs()) * 1e-6))}};
}

} // namespace

Result<void> checkRunOnHosts(
    const std::vector<rendezvous::Host>& hosts, const experiment::RunSpec& spec, std::int32_t worldSize)
{
    if (isOwnProgram(spec)) {
        return refusal(nameOf(&experiment::RankSettings::program),
            LS_TR("Refusals", "on other hosts only lockstep-rank is started, not `%1`"),
            {verbatim(spec.settings->rank.program)});
    }
    if (usesMpirun(spec, worldSize)) {
        return refusal(nameOf(&experiment::CommSettings::backend),
            LS_TR("Refusals", "mpi is started by mpirun, not by ssh or srun; use auto, hierarchical or gloo"));
    }
    const auto placed = rendezvous::hostsOfRanks(hosts, worldSize);
    const bool isSlurm = hosts.front().starter == rendezvous::Starter::Srun;
    return placed ? Result<void>() : during(verbatim(isSlurm ? "--launch slurm" : "--hosts"), placed.error());
}

SshLauncher::SshLauncher(std::vector<rendezvous::Host> hosts, QObject* parent)
    : RankLauncher(parent)
    , m_hosts(std::move(hosts))
{ }

std::vector<RankProcess*> SshLauncher::start(const RankStart& start)
{
    m_spec = &start.spec;
    m_where = start.where;
    const auto placed = rendezvous::hostsOfRanks(m_hosts, start.where.worldSize);
    std::vector<RankProcess*> ranks;
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(start.where.worldSize); ++rank) {
        const std::size_t host = placed ? (*placed)[rank] : 0;
        if (host == m_sites.size()) {
            addSite(m_hosts[host]);
        }
        auto* process
            = new RemoteRank(static_cast<std::int32_t>(rank), *m_sites[host].link, m_where.telemetryPort, this);
        m_sites[host].ranks.push_back(process);
        ranks.push_back(process);
    }
    for (const Site& site : m_sites) {
        site.link->start(start.program);
    }
    return ranks;
}

void SshLauncher::addSite(const rendezvous::Host& host)
{
    const std::size_t place = m_sites.size();
    auto* link = new HostLink(host, this);
    m_sites.push_back({.link = link});
    connect(link, &HostLink::ready, this, [this, place] { onReady(place); });
    connect(link, &HostLink::ended, this, [this, place](const Text& why) { onLinkEnded(place, why); });
    connect(link, &HostLink::lineWritten, this,
        [this, link](const QString& line) { Q_EMIT noted(verbatim(link->host().name + ": " + line.toStdString())); });
    connect(link, &HostLink::frameReceived, this,
        [this, place](wire::RelayKind kind, std::int32_t rank, const QByteArray& payload) {
            onFrame(place, kind, rank, payload);
        });
}

void SshLauncher::onReady(std::size_t place)
{
    Site& site = m_sites[place];
    site.isReady = true;
    const std::string& name = site.link->host().name;
    if (const auto why = whyNotOnHost(name, site.link->facts(), site.link->clock(), neededBytes(site))) {
        m_hasRefused = true;
        Q_EMIT failed(failureOf(*why), FailureCause::Refused);
        return;
    }
    Q_EMIT noted(linkText(*site.link));
    if (!m_hasRefused && std::ranges::all_of(m_sites, [](const Site& each) { return each.isReady; })) {
        startRanks();
    }
}

/// What the workbench would have reckoned for runs that are alive together.
std::int64_t SshLauncher::neededBytes(const Site& site) const
{
    std::int64_t bytes = 0;
    for (const RemoteRank* rank : site.ranks) {
        bytes += BytesOfARank
            + (experiment::isSweep(*m_spec) ? 3 * m_spec->settings->sweep.maxBytes
                                            : plan::memoryOf(*m_spec, rank->rank()).highest);
    }
    return bytes;
}

/// Where the ranks of other hosts find that host.
std::string SshLauncher::addressOf(const Site& site) const
{
    const rendezvous::Host& host = site.link->host();
    const std::string& reported = site.link->facts().address;
    if (!host.address.empty()) {
        return host.address;
    }
    return !reported.empty() && !rendezvous::isLoopback(reported) ? reported
                                                                  : host.name.substr(host.name.rfind('@') + 1);
}

void SshLauncher::startRanks()
{
    const Site& first = m_sites.front();
    if (m_sites.size() > 1) {
        const std::string address = addressOf(first);
        if (rendezvous::isLoopback(address)) {
            m_hasRefused = true;
            Q_EMIT failed(
                failure(LS_TR("Messages",
                            "%1: the other hosts cannot reach it at %2: add address=ADDRESS to its line in the file "
                            "of hosts"),
                    {verbatim(first.link->host().name), verbatim(address)}),
                FailureCause::Refused);
            return;
        }
        m_where.masterAddress = QString::fromStdString(address);
    }
    m_where.masterPort = m_where.worldSize > 1 ? first.link->facts().port : std::uint16_t{0};
    const wire::Secret storeSecret = makeSecret();
    for (const Site& site : m_sites) {
        site.link->send(wire::RelayKind::Job, -1, asBytes(jobOf(site, storeSecret)));
        for (RemoteRank* rank : site.ranks) {
            rank->setAsked();
        }
    }
}

QByteArray SshLauncher::jobOf(const Site& site, const wire::Secret& storeSecret) const
{
    nlohmann::json ranks = nlohmann::json::array();
    for (std::size_t i = 0; i < site.ranks.size(); ++i) {
        QProcessEnvironment environment;
        insertJob(environment, m_where, *m_spec);
        environment.remove(u"LOCKSTEP_TELEMETRY"_s); // the relay gives each its own
        environment.insert(u"RANK"_s, QString::number(site.ranks[i]->rank()));
        environment.insert(u"LOCAL_RANK"_s, QString::number(i));
        environment.insert(u"LOCAL_WORLD_SIZE"_s, QString::number(site.ranks.size()));
        environment.insert(u"GROUP_WORLD_SIZE"_s, QString::number(m_sites.size()));
        if (m_sites.size() > 1) {
            environment.insert(u"LOCKSTEP_STORE_SECRET"_s, QString::fromStdString(wire::toHex(storeSecret)));
        }
        ranks.push_back({{"rank", site.ranks[i]->rank()}, {"environment", variablesJson(environment)}});
    }
    return QByteArray::fromStdString(nlohmann::json{{"ranks", ranks}}.dump());
}

/// A host speaks for its own ranks only.
void SshLauncher::onFrame(std::size_t place, wire::RelayKind kind, std::int32_t rank, const QByteArray& payload)
{
    const auto& ranks = m_sites[place].ranks;
    const auto found = std::ranges::find_if(ranks, [rank](const RemoteRank* each) { return each->rank() == rank; });
    if (found != ranks.end()) {
        (*found)->take(kind, payload);
    }
}

void SshLauncher::onLinkEnded(std::size_t place, const Text& why)
{
    const Site& site = m_sites[place];
    const bool isNeeded = std::ranges::any_of(site.ranks, [](const RemoteRank* each) { return each->isAlive(); });
    if (isNeeded && !site.isReady && !m_hasRefused) {
        Q_EMIT failed(failure(LS_TR("Messages", "rank %1 cannot be started on %2: %3"),
                          {site.ranks.front()->rank(), verbatim(site.link->host().name), why}),
            FailureCause::Run);
    }
    for (RemoteRank* rank : site.ranks) {
        rank->lose(why);
    }
}

} // namespace lockstep::launch
