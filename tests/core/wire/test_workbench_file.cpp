// The file that tells ranks where their workbench waits.
#include "program/test_class.h"
#include "wire/workbench_file.h"

#include <QTest>

using namespace lockstep;
using namespace lockstep::wire;

namespace {

Secret filledWith(int number)
{
    Secret bytes{};
    bytes.fill(static_cast<std::byte>(number));
    return bytes;
}

const std::string Hex(64, 'a');

} // namespace

class TestWorkbenchFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsWrittenIsRead()
    {
        const WorkbenchFile file{"20261127-070000-aaaa", {"[fd00::5]:7000", filledWith(2)}, filledWith(1)};
        const auto read = readWorkbenchFile(toText(file));
        QVERIFY(read);
        QVERIFY(*read == file);
        QVERIFY(!(*readWorkbenchFile(toText({file.run, file.address, filledWith(3)})) == file));
    }

    void whatIsNoneIsRefused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        const QString secret = "LOCKSTEP_SECRET=" + QString::fromStdString(Hex) + "\n";
        QTest::addRow("empty") << ""
                               << "it lacks LOCKSTEP_RUN";
        QTest::addRow("no address") << "LOCKSTEP_RUN=a\n" + secret << "it lacks LOCKSTEP_TELEMETRY";
        const QString certificate = "LOCKSTEP_CERTIFICATE=" + QString::fromStdString(Hex) + "\n";
        QTest::addRow("no certificate") << "LOCKSTEP_RUN=a\nLOCKSTEP_TELEMETRY=b:1\n" + secret
                                        << "it lacks LOCKSTEP_CERTIFICATE";
        QTest::addRow("no secret") << "LOCKSTEP_RUN=a\nLOCKSTEP_TELEMETRY=b:1\n" + certificate
                                   << "it lacks LOCKSTEP_SECRET";
        QTest::addRow("another line") << "PATH=/bin\n"
                                      << "PATH: no workbench writes it";
        QTest::addRow("garbage") << QString(10, QChar(1)) << "a line is not NAME=VALUE";
        QTest::addRow("short certificate") << "LOCKSTEP_CERTIFICATE=12\n"
                                           << "LOCKSTEP_CERTIFICATE: it is not 64 hexadecimal digits";
        QTest::addRow("secret") << "LOCKSTEP_SECRET=hunter2\n"
                                << "LOCKSTEP_SECRET: the secret has 7 characters, it must be 64 hexadecimal digits";
    }
    void whatIsNoneIsRefused()
    {
        QFETCH(QString, text);
        QFETCH(QString, message);
        const auto read = readWorkbenchFile(text.toStdString());
        QVERIFY(!read);
        QCOMPARE(QString::fromStdString(read.error().text()), message);
    }
};

LOCKSTEP_TEST(TestWorkbenchFile)
#include "test_workbench_file.moc"
