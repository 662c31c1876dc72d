// The page about hosts: its list, what they answer, and where runs then start.
#include "program/window_test.h"
#include "session/language.h"
#include "ui/pages/hosts_dialog.h"
#include "ui/shell/desktop.h"
#include "ui/theme/settings.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QFile>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace lockstep;

namespace {

const QByteArray Answer = R"({"version": 1, "hosts": [
    {"name": "n1", "slots": 2, "ok": true, "error": "", "hostname": "n1", "address": "10.0.0.1", "cores": 2,
     "memory_bytes": 8589934592, "free_bytes": 4294967296, "gpus": [], "version": "1.0", "libtorch": "1.13",
     "clock_ahead_ms": 0.012, "clock_error_ms": 0.05, "round_trip_ms": 0.1},
    {"name": "ada@n2", "slots": 4, "ok": true, "error": "", "hostname": "n2", "address": "10.0.0.2", "cores": 16,
     "memory_bytes": 8589934592, "free_bytes": 4294967296, "gpus": ["H100", "H100"], "version": "1.0", "libtorch": "1.13",
     "clock_ahead_ms": -11000, "clock_error_ms": 0.2, "round_trip_ms": 0.4},
    {"name": "n3", "slots": 1, "ok": false, "error": "n3: no answer"}],
  "links": [
    {"hosts": ["n1", "ada@n2"], "ok": true, "error": "", "latency_us": 55, "bandwidth_mb_per_s": 117.4},
    {"hosts": ["n1", "n3"], "ok": false, "error": "n3: no answer", "latency_us": null, "bandwidth_mb_per_s": null},
    {"hosts": ["ada@n2", "n3"], "ok": false, "error": "n3: no answer", "latency_us": null, "bandwidth_mb_per_s": null}]})";

/// A program in the place of `lockstep`.
class FakeProgram {
public:
    explicit FakeProgram(const QByteArray& script)
    {
        QFile file(path());
        if (!file.open(QIODevice::WriteOnly) || file.write("#!/bin/sh\n" + script) < 0
            || !file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner)) {
            qFatal("there is no place for a program");
        }
    }
    [[nodiscard]] QString path() const { return m_folder.filePath("lockstep"); }
    [[nodiscard]] QString file(const QString& name) const { return m_folder.filePath(name); }

private:
    QTemporaryDir m_folder;
};

[[nodiscard]] QPushButton& button(ui::HostsDialog& dialog, const QString& text)
{
    for (QPushButton* each : dialog.findChildren<QPushButton*>()) {
        if (each->text() == text) {
            return *each;
        }
    }
    qFatal("there is no button %s", qPrintable(text));
}

void edit(ui::HostsDialog& dialog, const QString& text)
{
    dialog.findChild<QPlainTextEdit*>()->setPlainText(text);
}

} // namespace

class TestHostsDialog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { ui::loadResources(); }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
        session::installTexts(session::TextLanguage::English);
        ui::settings::hosts.write({});
        ui::settings::hostsUsed.write(false);
    }

    void answersAreTables()
    {
        ui::HostsTableModel hosts;
        ui::HostLinksModel links;
        const QAbstractItemModelTester testers[]{QAbstractItemModelTester(&hosts), QAbstractItemModelTester(&links)};
        const auto survey = ui::readHostSurvey(Answer);
        QVERIFY(survey.has_value());
        hosts.setSurvey(*survey);
        links.setSurvey(*survey);
        const auto cell = [](const QAbstractItemModel& model, int row, int column) {
            return model.index(row, column).data().toString();
        };
        QCOMPARE(hosts.rowCount(), 3);
        QCOMPARE(cell(hosts, 0, ui::HostsTableModel::Name), QStringLiteral("n1"));
        QCOMPARE(cell(hosts, 1, ui::HostsTableModel::Name), QStringLiteral("ada@n2 (n2)"));
        QCOMPARE(cell(hosts, 0, ui::HostsTableModel::State), QStringLiteral("can be used"));
        QCOMPARE(cell(hosts, 2, ui::HostsTableModel::State), QStringLiteral("n3: no answer"));
        QCOMPARE(cell(hosts, 0, ui::HostsTableModel::Gpus), QStringLiteral("none"));
        QCOMPARE(cell(hosts, 1, ui::HostsTableModel::Gpus), QStringLiteral("H100, H100"));
        QCOMPARE(cell(hosts, 1, ui::HostsTableModel::Memory), QStringLiteral("4.00 GiB of 8.00 GiB"));
        QCOMPARE(cell(hosts, 2, ui::HostsTableModel::Cores), QStringLiteral("–")); // not told is no 0
        QCOMPARE(cell(links, 0, 1), QStringLiteral("117 MB/s"));
        QCOMPARE(cell(links, 1, 0), QString::fromUtf8("55.0 µs"));
        QCOMPARE(cell(links, 1, 1), QString());
        QCOMPARE(cell(links, 2, 0), QStringLiteral("not measured"));
        QVERIFY(!ui::readHostSurvey("no JSON"));
        QVERIFY(!ui::readHostSurvey("{}"));
    }

    void theListIsCheckedAsItIsWritten()
    {
        ui::HostsDialog dialog(QStringLiteral("/nowhere"));
        dialog.show();
        QVERIFY(!button(dialog, "Check").isEnabled());
        edit(dialog, "n1 slots=2\nn2 slots=none");
        QVERIFY(!button(dialog, "Check").isEnabled());
        const QString problem = dialog.findChild<QLabel*>(QStringLiteral("problem"))->text();
        QVERIFY2(problem.contains("line 2: `slots=none` is not slots=N"), qPrintable(problem));
        edit(dialog, "n1 slots=2\nn2");
        QVERIFY(button(dialog, "Check").isEnabled() && button(dialog, "Measure links").isEnabled());
        QVERIFY(ui::settings::chosenHosts().empty());
        dialog.findChild<QCheckBox*>()->click();
        QCOMPARE(ui::settings::chosenHosts().size(), std::size_t{2});
        QCOMPARE(ui::settings::chosenHosts().front().slots, 2);
        // A list that cannot be read sends no run to this machine instead.
        edit(dialog, "n1\n-oProxyCommand=x");
        QCOMPARE(ui::settings::chosenHosts().size(), std::size_t{2});
        edit(dialog, {});
        QVERIFY(ui::settings::chosenHosts().empty());
        QVERIFY(!button(dialog, "Check").isEnabled());
    }

    void hostsAreAskedByAProgramOfItsOwn()
    {
        const FakeProgram program("echo \"$@\" > \"$(dirname \"$0\")/words\"; cp \"$3\" \"$(dirname \"$0\")/list\"\n"
                                  "cat <<'END'\n"
            + Answer + "\nEND\n");
        ui::HostsDialog dialog(program.path());
        dialog.show();
        edit(dialog, "n1 slots=2\nada@n2 slots=4\nn3\n");
        QSignalSpy asked(&dialog, &ui::HostsDialog::asked);
        button(dialog, "Measure links").click();
        QVERIFY(asked.wait(10'000));
        QCOMPARE(dialog.hosts().rowCount(), 3);
        QCOMPARE(dialog.links().rowCount(), 3);
        QFile words(program.file("words"));
        QVERIFY(words.open(QIODevice::ReadOnly));
        const QByteArray read = words.readAll().trimmed();
        QVERIFY2(read.startsWith("hosts --hosts ") && read.endsWith(" --json --measure"), read.constData());
        QFile list(program.file("list"));
        QVERIFY(list.open(QIODevice::ReadOnly));
        QCOMPARE(list.readAll(), QByteArray("n1 slots=2\nada@n2 slots=4\nn3\n"));
        QVERIFY(dialog.grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/hosts.png")));
    }

    void whatCannotBeAskedSaysWhy()
    {
        const FakeProgram program("echo 'lockstep: the disk is full' >&2; exit 2\n");
        for (const auto& [path, line] : {std::pair{program.path(), QStringLiteral("the disk is full")},
                 std::pair{QStringLiteral("/nowhere/lockstep"), QStringLiteral("The hosts could not be queried: ")}}) {
            ui::HostsDialog dialog(path);
            dialog.show();
            edit(dialog, "n1");
            QSignalSpy asked(&dialog, &ui::HostsDialog::asked);
            button(dialog, "Check").click();
            QVERIFY(asked.size() == 1 || asked.wait(10'000));
            const QString said = dialog.findChild<QLabel*>(QStringLiteral("problem"))->text();
            QVERIFY2(said.contains(line), qPrintable(said));
        }
    }

    void questionsCanBeStopped()
    {
        const FakeProgram program("exec sleep 600\n");
        ui::HostsDialog dialog(program.path());
        dialog.show();
        edit(dialog, "n1");
        QSignalSpy asked(&dialog, &ui::HostsDialog::asked);
        button(dialog, "Check").click();
        QVERIFY(dialog.isAsking());
        QVERIFY(button(dialog, "Stop").isVisible());
        button(dialog, "Stop").click();
        QVERIFY(asked.wait(5000));
        QVERIFY(!dialog.isAsking());
        QVERIFY(!dialog.findChild<QLabel*>(QStringLiteral("problem"))->isVisible());
    }
};

LOCKSTEP_WINDOW_TEST(TestHostsDialog)
#include "test_hosts_dialog.moc"
