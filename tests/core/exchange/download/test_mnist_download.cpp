#include "exchange/download/mnist_download.h"
#include "program/test_class.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

using namespace lockstep::exchange;
using namespace Qt::StringLiterals;

namespace {

const QByteArray Content(300'000, 'm');

enum class Behaviour { Right, NotFound, Short, Wrong, TooLong, Silent, Redirect };

/// As much of an HTTP server as a download meets.
class Server : public QTcpServer {
public:
    explicit Server(Behaviour behaviour)
        : m_behaviour(behaviour)
    {
        listen(QHostAddress::LocalHost);
        connect(this, &QTcpServer::newConnection, this, [this] {
            QTcpSocket* socket = nextPendingConnection();
            connect(socket, &QTcpSocket::readyRead, this, [this, socket] { answer(socket); });
            connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
        });
    }

    [[nodiscard]] QUrl url() const { return QUrl(u"http://127.0.0.1:%1/mnist/"_s.arg(serverPort())); }
    [[nodiscard]] int requests() const { return m_requests; }

private:
    void answer(QTcpSocket* socket)
    {
        const QByteArray request = socket->readAll();
        ++m_requests;
        const auto head = [](const QByteArray& status, qsizetype length) {
            return "HTTP/1.1 " + status + "\r\nContent-Length: " + QByteArray::number(length)
                + "\r\nConnection: close\r\n\r\n";
        };
        switch (m_behaviour) {
        case Behaviour::Right:
            socket->write(head("200 OK", Content.size()) + Content);
            break;
        case Behaviour::NotFound:
            socket->write(head("404 Not Found", 4) + "none");
            break;
        case Behaviour::Short:
            socket->write(head("200 OK", Content.size()) + Content.left(1000));
            break;
        case Behaviour::Wrong:
            socket->write(head("200 OK", Content.size()) + QByteArray(Content.size(), 'x'));
            break;
        case Behaviour::TooLong:
            socket->write(head("200 OK", Content.size() * 2) + Content + Content);
            break;
        case Behaviour::Silent:
            return;
        case Behaviour::Redirect:
            if (request.contains("/elsewhere")) {
                socket->write(head("200 OK", Content.size()) + Content);
            } else {
                socket->write(
                    "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            }
            break;
        }
        socket->disconnectFromHost();
    }

    Behaviour m_behaviour;
    int m_requests = 0;
};

DownloadPlan planFor(const QList<QUrl>& mirrors)
{
    return {mirrors,
        {{u"a.gz"_s, QCryptographicHash::hash(Content, QCryptographicHash::Sha256).toHex(), Content.size()},
            {u"b.gz"_s, QCryptographicHash::hash(Content, QCryptographicHash::Sha256).toHex(), Content.size()}},
        400};
}

} // namespace

class TestMnistDownload : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }

    void filesArriveWithProgress_data()
    {
        QTest::addColumn<int>("behaviour");
        QTest::addRow("plain") << static_cast<int>(Behaviour::Right);
        QTest::addRow("redirected") << static_cast<int>(Behaviour::Redirect);
    }
    void filesArriveWithProgress()
    {
        QFETCH(int, behaviour);
        const Server server(static_cast<Behaviour>(behaviour));
        const QTemporaryDir folder;
        MnistDownload download(planFor({server.url()}));
        QSignalSpy ended(&download, &MnistDownload::ended);
        QSignalSpy progress(&download, &MnistDownload::progressChanged);
        download.start(folder.filePath(u"deep/mnist"_s));
        QVERIFY(ended.wait(60'000));
        QCOMPARE(ended.front().front().toString(), QString());
        QFile file(folder.filePath(u"deep/mnist/b.gz"_s));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), Content);
        QCOMPARE(progress.back().at(0).toLongLong(), 2 * Content.size());
        QCOMPARE(progress.back().at(1).toLongLong(), 2 * Content.size());
    }

    void aBrokenMirrorGivesWayToTheNext_data()
    {
        QTest::addColumn<int>("behaviour");
        QTest::addRow("not found") << static_cast<int>(Behaviour::NotFound);
        QTest::addRow("short") << static_cast<int>(Behaviour::Short);
        QTest::addRow("wrong content") << static_cast<int>(Behaviour::Wrong);
        QTest::addRow("too long") << static_cast<int>(Behaviour::TooLong);
        QTest::addRow("silent") << static_cast<int>(Behaviour::Silent);
    }
    void aBrokenMirrorGivesWayToTheNext()
    {
        QFETCH(int, behaviour);
        const Server broken(static_cast<Behaviour>(behaviour));
        const Server good(Behaviour::Right);
        const QTemporaryDir folder;
        MnistDownload download(planFor({broken.url(), good.url()}));
        QSignalSpy ended(&download, &MnistDownload::ended);
        download.start(folder.path());
        QVERIFY(ended.wait(60'000));
        QCOMPARE(ended.front().front().toString(), QString());
        QVERIFY(broken.requests() >= 1);
        QCOMPARE(QFile(folder.filePath(u"a.gz"_s)).size(), Content.size());
    }

    void withoutAGoodMirrorItSaysWhyAndLeavesNothing_data() { aBrokenMirrorGivesWayToTheNext_data(); }
    void withoutAGoodMirrorItSaysWhyAndLeavesNothing()
    {
        QFETCH(int, behaviour);
        const Server broken(static_cast<Behaviour>(behaviour));
        const QTemporaryDir folder;
        MnistDownload download(planFor({broken.url()}));
        QSignalSpy ended(&download, &MnistDownload::ended);
        download.start(folder.path());
        QVERIFY(ended.wait(60'000));
        const QString message = ended.front().front().toString();
        QVERIFY2(
            message.startsWith(u"Cannot download a.gz: "_s) && message.contains(u"127.0.0.1"_s), qPrintable(message));
        QVERIFY(QDir(folder.path()).isEmpty());
    }

    void whatIsThereIsKept()
    {
        const QTemporaryDir folder;
        for (const QString& name : {u"a.gz"_s, u"b.gz"_s}) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(Content);
        }
        const Server server(Behaviour::Right);
        MnistDownload download(planFor({server.url()}));
        QSignalSpy ended(&download, &MnistDownload::ended);
        download.start(folder.path());
        QTRY_COMPARE(ended.size(), 1);
        QCOMPARE(ended.front().front().toString(), QString());
        QCOMPARE(server.requests(), 0);
    }

    void cancelEndsItAtOnce()
    {
        const Server silent(Behaviour::Silent);
        const QTemporaryDir folder;
        MnistDownload download(planFor({silent.url()}));
        QSignalSpy ended(&download, &MnistDownload::ended);
        download.start(folder.path());
        QTRY_COMPARE(silent.requests(), 1);
        download.cancel();
        QCOMPARE(ended.size(), 1);
        QVERIFY(!ended.front().front().toString().isEmpty());
        QVERIFY(!download.isRunning());
        QVERIFY(QDir(folder.path()).isEmpty());
    }
};

LOCKSTEP_TEST(TestMnistDownload)
#include "test_mnist_download.moc"
