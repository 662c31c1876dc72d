// Which rank of how many a process is, and where the ranks meet, from the environments that launchers set.
#include "program/test_class.h"
#include "rendezvous/launcher.h"
#include "rendezvous/node_list.h"

#include <QTest>

using namespace lockstep;
using namespace lockstep::rendezvous;

namespace {

/// What `srun -N2 -n4` sets for its third task on the nodes n1 and n2.
const Variables Srun{{"SLURM_JOB_ID", "42"}, {"SLURM_STEP_ID", "1"}, {"SLURM_PROCID", "2"},
    {"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_NTASKS", "4"}, {"SLURM_LOCALID", "0"}, {"SLURM_STEP_NUM_NODES", "2"},
    {"SLURM_NNODES", "2"}, {"SLURM_STEP_NODELIST", "n[1-2]"}, {"SLURM_JOB_NODELIST", "n[1-2]"}};
const Variables Torchrun{{"RANK", "3"}, {"WORLD_SIZE", "4"}, {"LOCAL_RANK", "1"}, {"LOCAL_WORLD_SIZE", "2"},
    {"GROUP_WORLD_SIZE", "2"}, {"GROUP_RANK", "1"}, {"MASTER_ADDR", "n1"}, {"MASTER_PORT", "29400"},
    {"TORCHELASTIC_RUN_ID", "none"}};
const Variables OpenMpi{{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"},
    {"OMPI_COMM_WORLD_LOCAL_RANK", "1"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}, {"PMIX_NAMESPACE", "17"}};
const Variables Mpich{{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}, {"MPI_LOCALRANKID", "1"}, {"MPI_LOCALNRANKS", "2"}};

Variables with(Variables base, const Variables& more)
{
    for (const auto& [name, value] : more) {
        base[name] = value;
    }
    return base;
}

Variables without(Variables base, const std::string& name)
{
    base.erase(name);
    return base;
}

} // namespace

class TestLauncher : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFirstCompleteSetWins_data()
    {
        QTest::addColumn<RankFlags>("flags");
        QTest::addColumn<Variables>("variables");
        QTest::addColumn<QString>("description");
        QTest::addColumn<int>("localRank");
        const auto add
            = [](const char* name, const RankFlags& flags, const Variables& variables, const char* text,
                  int localRank) { QTest::newRow(name) << flags << variables << QString(text) << localRank; };
        const RankFlags flags{.rank = 1, .worldSize = 3};
        add("nothing", {}, {}, "rank 0 of 1", -1);
        add("flags", flags, {}, "rank 1 of 3 (--rank, --world-size)", -1);
        add("flags before torchrun", flags, Torchrun, "rank 1 of 3 (--rank, --world-size), rendezvous tcp://n1:29400",
            -1);
        add("torchrun", {}, Torchrun, "rank 3 of 4 (environment: RANK, WORLD_SIZE), rendezvous tcp://n1:29400", 1);
        add("by hand", {}, {{"RANK", "1"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "10.0.0.1"}},
            "rank 1 of 2 (environment: RANK, WORLD_SIZE), rendezvous tcp://10.0.0.1:29500", -1);
        add("torchrun's agent has the port", {}, with(Torchrun, {{"TORCHELASTIC_USE_AGENT_STORE", "True"}}),
            "rank 3 of 4 (environment: RANK, WORLD_SIZE), rendezvous tcp://n1:29401", 1);
        add("torchrun in a Slurm step", {}, with(Srun, Torchrun),
            "rank 3 of 4 (environment: RANK, WORLD_SIZE), rendezvous tcp://n1:29400", 1);
        add("srun", {}, Srun, "rank 2 of 4 (srun: SLURM_PROCID, SLURM_STEP_NUM_TASKS), rendezvous tcp://n1:20673", 0);
        add("srun without the step's tasks", {}, without(Srun, "SLURM_STEP_NUM_TASKS"),
            "rank 2 of 4 (srun: SLURM_PROCID, SLURM_NTASKS), rendezvous tcp://n1:20673", 0);
        add("srun with a chosen address", {}, with(Srun, {{"MASTER_ADDR", "n2"}, {"MASTER_PORT", "7000"}}),
            "rank 2 of 4 (srun: SLURM_PROCID, SLURM_STEP_NUM_TASKS), rendezvous tcp://n2:7000", 0);
        add("a step smaller than its job", {}, with(Srun, {{"SLURM_NTASKS", "8"}}),
            "rank 2 of 4 (srun: SLURM_PROCID, SLURM_STEP_NUM_TASKS), rendezvous tcp://n1:20673", 0);
        add("a batch script is no step", {}, without(without(Srun, "SLURM_STEP_ID"), "SLURM_STEP_NUM_TASKS"),
            "rank 0 of 1", -1);
        add("Open MPI", {}, OpenMpi, "rank 1 of 2 (Open MPI: OMPI_COMM_WORLD_RANK, OMPI_COMM_WORLD_SIZE)", 1);
        add("Open MPI in a Slurm step", {}, with(Srun, OpenMpi),
            "rank 1 of 2 (Open MPI: OMPI_COMM_WORLD_RANK, OMPI_COMM_WORLD_SIZE)", 1);
        add("Open MPI over the hosts of a Slurm job", {}, with(with(Srun, OpenMpi), {{"OMPI_COMM_WORLD_SIZE", "4"}}),
            "rank 1 of 4 (Open MPI: OMPI_COMM_WORLD_RANK, OMPI_COMM_WORLD_SIZE), rendezvous tcp://n1:20042", 1);
        add("the workbench's mpirun", {}, with(OpenMpi, {{"WORLD_SIZE", "2"}}),
            "rank 1 of 2 (Open MPI: OMPI_COMM_WORLD_RANK, OMPI_COMM_WORLD_SIZE)", 1);
        add("MPICH", {}, Mpich, "rank 1 of 2 (MPICH: PMI_RANK, PMI_SIZE)", 1);
        add("srun with PMI", {}, with(Srun, {{"PMI_RANK", "2"}, {"PMI_SIZE", "4"}}),
            "rank 2 of 4 (srun: SLURM_PROCID, SLURM_STEP_NUM_TASKS), rendezvous tcp://n1:20673", 0);
        add("the workbench in a Slurm step", {},
            with(Srun,
                {{"RANK", "1"}, {"WORLD_SIZE", "2"}, {"LOCKSTEP_TELEMETRY", "127.0.0.1:1"},
                    {"MASTER_ADDR", "127.0.0.1"}, {"SLURM_STEP_NUM_NODES", "1"}}),
            "rank 1 of 2 (environment: RANK, WORLD_SIZE)", -1);
    }
    void theFirstCompleteSetWins()
    {
        QFETCH(RankFlags, flags);
        QFETCH(Variables, variables);
        QFETCH(QString, description);
        QFETCH(int, localRank);
        const auto place = placeOf(flags, variables);
        QVERIFY2(place, place ? "" : place.error().text().c_str());
        QCOMPARE(QString::fromStdString(lockstep::rendezvous::description(*place)), description);
        QCOMPARE(place->localRank.value_or(-1), localRank);
    }

    void disagreementsAreRefusedNamingBoth_data()
    {
        QTest::addColumn<RankFlags>("flags");
        QTest::addColumn<Variables>("variables");
        QTest::addColumn<QString>("line");
        const auto add = [](const char* name, const RankFlags& flags, const Variables& variables, const char* line) {
            QTest::newRow(name) << flags << variables << QString(line);
        };
        const char* hosts
            = "the ranks are on 2 hosts, but are to meet at %s, which each host takes for itself: give an address of "
              "rank 0's host (MASTER_ADDR or --init-method)";
        add("WORLD_SIZE of nodes, torchrun", {}, with(Torchrun, {{"WORLD_SIZE", "2"}, {"RANK", "1"}}),
            "WORLD_SIZE is 2, the number of nodes, but each node has 2 ranks (LOCAL_WORLD_SIZE): it must be the number "
            "of ranks, 4");
        add("WORLD_SIZE of nodes, local rank", {}, {{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"LOCAL_RANK", "2"}},
            "WORLD_SIZE is 2, but this is local rank 2 of its node: WORLD_SIZE must count ranks, not nodes");
        add("WORLD_SIZE of one node", {}, {{"RANK", "0"}, {"WORLD_SIZE", "1"}, {"LOCAL_WORLD_SIZE", "4"}},
            "WORLD_SIZE is 1, but this node alone has 4 ranks (LOCAL_WORLD_SIZE): WORLD_SIZE must count ranks, not "
            "nodes");
        add("WORLD_SIZE of nodes, srun", {}, with(Srun, {{"WORLD_SIZE", "2"}}),
            "WORLD_SIZE is 2, but SLURM_STEP_NUM_TASKS is 4: both say how many ranks there are; unset the one that is "
            "not meant");
        add("RANK by hand in a step", {}, with(Srun, {{"WORLD_SIZE", "2"}, {"RANK", "1"}}),
            "SLURM_STEP_NUM_TASKS is 4, but WORLD_SIZE is 2: both say how many ranks there are; unset the one that is "
            "not meant");
        add("another rank in a step", {}, with(Srun, {{"WORLD_SIZE", "4"}, {"RANK", "1"}}),
            "SLURM_PROCID is 2, but RANK is 1: both say which rank this is; unset the one that is not meant");
        add("WORLD_SIZE of nodes, mpirun", {}, with(OpenMpi, {{"WORLD_SIZE", "1"}}),
            "WORLD_SIZE is 1, but OMPI_COMM_WORLD_SIZE is 2: both say how many ranks there are; unset the one that is "
            "not meant");
        add("only RANK", {}, {{"RANK", "1"}}, "RANK is set, but WORLD_SIZE is not: a rank needs both");
        add("only WORLD_SIZE", {}, {{"WORLD_SIZE", "2"}}, "WORLD_SIZE is set, but RANK is not: a rank needs both");
        add("only --rank", {.rank = 1}, {}, "--rank: needs --world-size as well");
        add("only --world-size", {.worldSize = 2}, Torchrun, "--world-size: needs --rank as well");
        add("rank too large", {.rank = 2, .worldSize = 2}, {}, "--rank: 2 is not less than --world-size 2");
        add("no number", {}, {{"RANK", "one"}, {"WORLD_SIZE", "2"}},
            "RANK: `one` is not an integer of at least 0 and less than 2");
        add("localhost with two nodes, torchrun", {}, with(Torchrun, {{"MASTER_ADDR", "localhost"}}),
            QByteArray(hosts).replace("%s", "localhost").constData());
        add("127.0.0.1 with two nodes, srun", {}, with(Srun, {{"MASTER_ADDR", "127.0.0.1"}}),
            QByteArray(hosts).replace("%s", "127.0.0.1").constData());
        add("loopback by flag", {.initMethod = "tcp://[::1]:7000"}, Srun,
            QByteArray(hosts).replace("%s", "::1").constData());
        add("mpirun over two hosts without an address", {}, with(OpenMpi, {{"OMPI_COMM_WORLD_SIZE", "4"}}),
            "the ranks are on 2 hosts, and nothing says where they meet: give --init-method tcp://HOST:PORT with rank "
            "0's host, or set MASTER_ADDR and MASTER_PORT");
        add("no rendezvous", {.initMethod = "http://n1:1"}, {},
            "--init-method: `http://n1:1` is not a rendezvous: use env://, tcp://HOST:PORT or file:///FOLDER");
        add("env:// without an address", {.initMethod = "env://"}, {}, "--init-method: env:// needs MASTER_ADDR");
        add("a list that is none", {}, with(Srun, {{"SLURM_STEP_NODELIST", "n[1-"}}),
            "SLURM_STEP_NODELIST: `n[1-` is not a list of nodes such as n[1-3,7],login");
    }
    void disagreementsAreRefusedNamingBoth()
    {
        QFETCH(RankFlags, flags);
        QFETCH(Variables, variables);
        QFETCH(QString, line);
        const auto place = placeOf(flags, variables);
        QVERIFY2(!place, place ? description(*place).english.c_str() : "");
        QCOMPARE(QString::fromStdString(place.error().text()), line);
    }

    void jobsAreToldApart()
    {
        const auto job = [](const RankFlags& flags, const Variables& variables) {
            const auto place = placeOf(flags, variables);
            return place ? place->job : place.error().text();
        };
        QCOMPARE(job({}, {}), std::string());
        QCOMPARE(job({}, Srun), std::string("42-1"));
        QVERIFY(job({}, Srun) != job({}, with(Srun, {{"SLURM_STEP_ID", "2"}})));
        QCOMPARE(job({}, Torchrun), std::string("none-n1-29400"));
        QCOMPARE(job({.initMethod = "file:///shared"}, Torchrun), std::string("none-file:///shared"));
    }

    void onlyRanksThatMayBeApartUseTheNetwork()
    {
        const auto apart = [](const RankFlags& flags, const Variables& variables) {
            const auto place = placeOf(flags, variables);
            return place && mayBeApart(*place);
        };
        QVERIFY(apart({}, Srun));
        QVERIFY(apart({}, Torchrun));
        QVERIFY(apart({.rank = 0, .worldSize = 2, .initMethod = "file:///shared"}, {}));
        QVERIFY(!apart({.rank = 0, .worldSize = 2}, {}));
        QVERIFY(!apart({}, with(Srun, {{"SLURM_STEP_NUM_NODES", "1"}})));
        QVERIFY(!apart({}, OpenMpi));
        QVERIFY(!apart({}, {{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "127.0.0.1"}}));
    }

    void nodeListsAreExpanded_data()
    {
        QTest::addColumn<QString>("list");
        QTest::addColumn<QString>("names");
        QTest::newRow("one") << "login"
                             << "login";
        QTest::newRow("several") << "a,b"
                                 << "a b";
        QTest::newRow("ranges") << "n[1-3,7]"
                                << "n1 n2 n3 n7";
        QTest::newRow("leading zeros") << "gpu[008-011],login1"
                                       << "gpu008 gpu009 gpu010 gpu011 login1";
        QTest::newRow("two brackets") << "r[1-2]n[1-2]x"
                                      << "r1n1x r1n2x r2n1x r2n2x";
        QTest::newRow("dashes") << "a-b[2],c-d"
                                << "a-b2 c-d";
        QTest::newRow("nothing") << ""
                                 << "";
        QTest::newRow("an empty entry") << "a,,b"
                                        << "";
        QTest::newRow("open") << "n[1-3"
                              << "";
        QTest::newRow("closed") << "n1]"
                                << "";
        QTest::newRow("backwards") << "n[3-1]"
                                   << "";
        QTest::newRow("no numbers") << "n[a-b]"
                                    << "";
        QTest::newRow("empty brackets") << "n[]"
                                        << "";
        QTest::newRow("too many") << "n[0-99999999]"
                                  << "";
        QTest::newRow("too many together") << "n[0-999][0-999]"
                                           << "";
    }
    void nodeListsAreExpanded()
    {
        QFETCH(QString, list);
        QFETCH(QString, names);
        const auto expanded = expandNodeList(list.toStdString());
        QStringList found;
        for (const std::string& name : expanded ? *expanded : std::vector<std::string>()) {
            found += QString::fromStdString(name);
        }
        QCOMPARE(found.join(' '), names);
        QCOMPARE(bool(expanded), !names.isEmpty());
    }

    void rendezvousAreReadAndWritten_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("isValid");
        for (const char* text :
            {"env://", "tcp://n1:29500", "tcp://10.0.0.1:1", "tcp://[fe80::1]:65535", "file:///a/b"}) {
            QTest::newRow(text) << QString(text) << true;
        }
        for (const char* text : {"", "tcp://", "tcp://n1", "tcp://:1", "tcp://n1:0", "tcp://n1:65536", "tcp://n1:1x",
                 "tcp://fe80::1:5", "file://a", "file:", "env:/"}) {
            QTest::newRow(text) << QString(text) << false;
        }
    }
    void rendezvousAreReadAndWritten()
    {
        QFETCH(QString, text);
        QFETCH(bool, isValid);
        const auto method = parseInitMethod(text.toStdString());
        QCOMPARE(bool(method), isValid);
        if (method) {
            QCOMPARE(QString::fromStdString(toText(*method)), text);
        }
    }

    void loopbackIsWhatOtherHostsCannotReach()
    {
        for (const char* host : {"localhost", "127.0.0.1", "127.1.2.3", "::1", "localhost.localdomain"}) {
            QVERIFY2(isLoopback(host), host);
        }
        for (const char* host : {"n1", "128.0.0.1", "127.example.org", "10.0.0.127", "localhosts"}) {
            QVERIFY2(!isLoopback(host), host);
        }
    }
};

LOCKSTEP_TEST(TestLauncher)
#include "test_launcher.moc"
