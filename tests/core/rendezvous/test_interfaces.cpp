// Which address the ranks use between hosts, and the file in which rank 0 says where it is.
#include "program/test_class.h"
#include "rendezvous/interfaces.h"
#include "rendezvous/network.h"
#include "rendezvous/rendezvous_file.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lockstep;
using namespace lockstep::rendezvous;

namespace {

const std::vector<Interface> Interfaces{
    {"lo", "127.0.0.1"}, {"eth0", "10.0.0.1"}, {"ib0", "10.1.2.3"}, {"ib0", "fd00::1"}};

} // namespace

class TestInterfaces : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void addressesAreChosen_data()
    {
        QTest::addColumn<QString>("wish");
        QTest::addColumn<Variables>("variables");
        QTest::addColumn<QString>("route");
        QTest::addColumn<QString>("address"); // or the error
        const auto add = [](const char* name, const char* wish, const Variables& variables, const char* route,
                             const char* address) {
            QTest::newRow(name) << QString(wish) << variables << QString(route) << QString(address);
        };
        add("by route", "", {}, "10.1.2.3", "10.1.2.3");
        add("by name", "eth0", {}, "10.1.2.3", "10.0.0.1");
        add("by subnet", "10.1.0.0/16", {}, "10.0.0.1", "10.1.2.3");
        add("by a subnet of IPv6", "fd00::/8", {}, "10.0.0.1", "fd00::1");
        add("Gloo's variable", "", {{"GLOO_SOCKET_IFNAME", "ib0"}}, "10.0.0.1", "10.1.2.3");
        add("Gloo's names are whole", "", {{"GLOO_SOCKET_IFNAME", "ib"}}, "10.0.0.1",
            "GLOO_SOCKET_IFNAME: n1 has no `ib`; it has lo (127.0.0.1), eth0 (10.0.0.1), ib0 (10.1.2.3), ib0 "
            "(fd00::1)");
        add("NCCL's are prefixes", "", {{"NCCL_SOCKET_IFNAME", "bond,ib"}}, "10.0.0.1", "10.1.2.3");
        add("NCCL's whole name", "", {{"NCCL_SOCKET_IFNAME", "=eth0"}}, "10.1.2.3", "10.0.0.1");
        add("what NCCL excludes", "", {{"NCCL_SOCKET_IFNAME", "^ib"}}, "10.1.2.3", "10.1.2.3");
        add("ours before theirs", "eth0", {{"GLOO_SOCKET_IFNAME", "ib0"}}, "10.1.2.3", "10.0.0.1");
        add("one that this host lacks", "eth1", {}, "10.0.0.1",
            "comm.interface: n1 has no `eth1`; it has lo (127.0.0.1), eth0 (10.0.0.1), ib0 (10.1.2.3), ib0 (fd00::1)");
        add("a subnet that it lacks", "192.168.0.0/16", {}, "10.0.0.1",
            "comm.interface: n1 has no `192.168.0.0/16`; it has lo (127.0.0.1), eth0 (10.0.0.1), ib0 (10.1.2.3), ib0 "
            "(fd00::1)");
        add("no subnet", "10.1.0.0/33", {}, "10.0.0.1",
            "comm.interface: `10.1.0.0/33` must be a subnet such as 10.1.0.0/16");
        add("loopback by route", "", {}, "127.0.0.1",
            "comm.interface: n1 would use 127.0.0.1, which other hosts cannot reach; name an interface or a subnet");
        add("loopback by name", "lo", {}, "10.0.0.1",
            "comm.interface: n1 would use 127.0.0.1, which other hosts cannot reach; name an interface or a subnet");
    }
    void addressesAreChosen()
    {
        QFETCH(QString, wish);
        QFETCH(Variables, variables);
        QFETCH(QString, route);
        QFETCH(QString, address);
        const auto chosen = chooseAddress(wish.toStdString(), variables, Interfaces, route.toStdString(), "n1");
        QCOMPARE(QString::fromStdString(chosen ? *chosen : chosen.error().text()), address);
    }

    void thisHostHasLoopback()
    {
        const auto interfaces = interfacesOfHost();
        QVERIFY(std::any_of(
            interfaces.begin(), interfaces.end(), [](const Interface& each) { return each.address == "127.0.0.1"; }));
    }

    void theRendezvousIsItsUsersAlone()
    {
        const QTemporaryDir folder;
        const std::string path = rendezvousPath(folder.path().toStdString(), "job", 4);
        QVERIFY(path != rendezvousPath(folder.path().toStdString(), "job", 3));
        const RendezvousFile content{"10.0.0.1", 4711, wire::Secret{std::byte{9}}};
        QVERIFY(writeRendezvous(path, {"10.0.0.9", 1, {}}));
        QVERIFY(writeRendezvous(path, content)); // that of an earlier job is replaced
        const auto read = readRendezvous(path);
        QVERIFY(read);
        QCOMPARE(read->address, content.address);
        QCOMPARE(read->port, content.port);
        QVERIFY(read->secret == content.secret);
        QFile file(QString::fromStdString(path));
        QCOMPARE(file.permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
        file.setPermissions(QFile::ReadOwner | QFile::ReadOther);
        QVERIFY(!readRendezvous(path));
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
        QVERIFY(file.open(QIODevice::WriteOnly));
        for (const char* text : {"", "x", "10.0.0.1 x 00\n", "10.0.0.1 1\n", "10.0.0.1 70000 00\n"}) {
            file.resize(0);
            file.seek(0);
            file.write(text);
            file.flush();
            QVERIFY2(!readRendezvous(path), text);
        }
        const QString link = folder.filePath("link");
        QVERIFY(QFile::link(file.fileName(), link));
        QVERIFY(!readRendezvous(link.toStdString()));
    }

    void secretsOfFilesAreNotForOthers()
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath("secret"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(64, 'a') + '\n');
        file.close();
        const Variables variables{{"LOCKSTEP_SECRET_FILE", file.fileName().toStdString()}};
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
        const auto secret = secretOfFile(variables);
        QVERIFY(secret && secret->has_value());
        QVERIFY(secretOfFile({}) && !secretOfFile({})->has_value());
        file.setPermissions(QFile::ReadOwner | QFile::ReadOther);
        QVERIFY(!secretOfFile(variables));
        QVERIFY(!secretOfFile({{"LOCKSTEP_SECRET_FILE", "/nowhere"}}));
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("short\n");
        file.close();
        QVERIFY(!secretOfFile(variables));
    }

    /// Without a secret a rank neither listens nor connects.
    void ranksOnSeveralHostsNeedASecret()
    {
        NetworkOptions options;
        options.place = {.rank = 1, .worldSize = 2};
        options.place.meeting = {.kind = InitMethod::Kind::Tcp, .host = "127.0.0.1", .port = 1};
        const auto met = meetOverNetwork(options);
        QVERIFY(!met);
        QVERIFY2(met.error().message.find("LOCKSTEP_SECRET_FILE") != std::string::npos, met.error().message.c_str());
    }
};

LOCKSTEP_TEST(TestInterfaces)
#include "test_interfaces.moc"
