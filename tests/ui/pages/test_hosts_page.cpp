// The page about hosts: its list, what they answer, and where runs then start; how the window shows and leaves it.
#include "language/language.h"
#include "program/window_test.h"
#include "ui/pages/hosts_answer.h"
#include "ui/pages/machine/hosts_page.h"
#include "ui/pages/runs/run_list.h"
#include "ui/shell/desktop.h"
#include "ui/shell/views/centre_pages.h"
#include "ui/shell/window_checks.h"
#include "ui/shell/window_fixture.h"
#include "ui/theme/settings.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QCheckBox>
#include <QFile>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTreeWidget>

#include <algorithm>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

[[nodiscard]] QPushButton& button(ui::HostsPage& page, const QString& text)
{
    for (QPushButton* each : page.findChildren<QPushButton*>()) {
        if (each->text() == text) {
            return *each;
        }
    }
    qFatal("there is no button %s", qPrintable(text));
}

void edit(ui::HostsPage& page, const QString& text)
{
    page.findChild<QPlainTextEdit*>()->setPlainText(text);
}

[[nodiscard]] QString whereRunsStart(const ui::HostsPage& page)
{
    return page.findChild<QLabel*>(QStringLiteral("where"))->text();
}

/// The window's action of this name.
void trigger(const ui::MainWindow& window, const QString& text)
{
    const QList<QAction*> actions = window.actions();
    const auto action = std::ranges::find_if(actions, [&text](const QAction* each) { return each->text() == text; });
    QVERIFY2(action != actions.end(), qPrintable(text));
    (*action)->trigger();
}

[[nodiscard]] ui::HostsPage& openHosts(const ui::MainWindow& window)
{
    trigger(window, QStringLiteral("Hosts"));
    return *window.findChild<ui::HostsPage*>();
}

void press(ui::MainWindow& window, Qt::Key key)
{
    QWidget* focus = window.focusWidget();
    QTest::keyClick(focus == nullptr ? &window : focus, key);
}

} // namespace

class TestHostsPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_fresh.begin(); }
    void init()
    {
        m_fresh.renew();
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
        language::installTexts(language::TextLanguage::English);
        ui::settings::hosts.write({});
        ui::settings::hostsUsed.write(false);
    }

    void answersAreTables()
    {
        ui::HostsTableModel hosts;
        ui::HostLinksModel links;
        const QAbstractItemModelTester testers[]{QAbstractItemModelTester(&hosts), QAbstractItemModelTester(&links)};
        const auto survey = ui::readHostSurvey(HostsAnswer);
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
        ui::HostsPage page;
        page.setProgram(QStringLiteral("/nowhere"));
        page.show();
        QCOMPARE(whereRunsStart(page), QStringLiteral("Runs start on this machine."));
        QVERIFY(!button(page, "Check").isEnabled());
        edit(page, "n1 slots=2\nn2 slots=none");
        QVERIFY(!button(page, "Check").isEnabled());
        const QString problem = page.findChild<QLabel*>(QStringLiteral("problem"))->text();
        QVERIFY2(problem.contains("line 2: `slots=none` is not slots=N"), qPrintable(problem));
        edit(page, "n1 slots=2\nn2");
        QVERIFY(button(page, "Check").isEnabled() && button(page, "Measure links").isEnabled());
        QVERIFY(ui::settings::chosenHosts().empty());
        page.findChild<QCheckBox*>()->click();
        QCOMPARE(ui::settings::chosenHosts().size(), std::size_t{2});
        QCOMPARE(ui::settings::chosenHosts().front().slots, 2);
        QCOMPARE(whereRunsStart(page), QStringLiteral("Runs start on these hosts: n1, n2"));
        // A list that cannot be read sends no run to this machine instead.
        edit(page, "n1\n-oProxyCommand=x");
        QCOMPARE(ui::settings::chosenHosts().size(), std::size_t{2});
        QCOMPARE(whereRunsStart(page), QStringLiteral("Runs start on these hosts: n1, n2"));
        edit(page, {});
        QVERIFY(ui::settings::chosenHosts().empty());
        QCOMPARE(whereRunsStart(page), QStringLiteral("Runs start on this machine."));
        QVERIFY(!button(page, "Check").isEnabled());
    }

    void hostsAreAskedByAProgramOfItsOwn()
    {
        const FakeProgram program("echo \"$@\" > \"$(dirname \"$0\")/words\"; cp \"$3\" \"$(dirname \"$0\")/list\"\n"
                                  "cat <<'END'\n"
            + HostsAnswer + "\nEND\n");
        ui::HostsPage page;
        page.setProgram(program.path());
        page.show();
        edit(page, HostsList);
        QSignalSpy asked(&page, &ui::HostsPage::asked);
        button(page, "Measure links").click();
        QVERIFY(asked.wait(60'000));
        QCOMPARE(page.hosts().rowCount(), 3);
        QCOMPARE(page.links().rowCount(), 3);
        QFile words(program.file("words"));
        QVERIFY(words.open(QIODevice::ReadOnly));
        const QByteArray read = words.readAll().trimmed();
        QVERIFY2(read.startsWith("hosts --hosts ") && read.endsWith(" --json --measure"), read.constData());
        QFile list(program.file("list"));
        QVERIFY(list.open(QIODevice::ReadOnly));
        QCOMPARE(list.readAll(), HostsList.toUtf8());
        QVERIFY(page.grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/hosts.png")));
    }

    void whatCannotBeAskedSaysWhy()
    {
        const FakeProgram program("echo 'lockstep: the disk is full' >&2; exit 2\n");
        for (const auto& [path, line] : {std::pair{program.path(), QStringLiteral("the disk is full")},
                 std::pair{QStringLiteral("/nowhere/lockstep"), QStringLiteral("The hosts could not be queried: ")}}) {
            ui::HostsPage page;
            page.setProgram(path);
            page.show();
            edit(page, "n1");
            QSignalSpy asked(&page, &ui::HostsPage::asked);
            button(page, "Check").click();
            QVERIFY(asked.size() == 1 || asked.wait(60'000));
            const QString said = page.findChild<QLabel*>(QStringLiteral("problem"))->text();
            QVERIFY2(said.contains(line), qPrintable(said));
        }
    }

    void questionsCanBeStopped()
    {
        const FakeProgram program("exec sleep 600\n");
        ui::HostsPage page;
        page.setProgram(program.path());
        page.show();
        edit(page, "n1");
        QSignalSpy asked(&page, &ui::HostsPage::asked);
        button(page, "Check").click();
        QVERIFY(page.isAsking());
        QVERIFY(button(page, "Stop").isVisible());
        button(page, "Stop").click();
        QVERIFY(asked.wait(60'000));
        QVERIFY(!page.isAsking());
        QVERIFY(!page.findChild<QLabel*>(QStringLiteral("problem"))->isVisible());
    }

    /// Another window may have changed the list, or where runs start.
    void whatIsKeptIsReadAgain()
    {
        ui::HostsPage page;
        page.show();
        edit(page, "n1");
        page.hide();
        ui::settings::hosts.write(QStringLiteral("n2"));
        ui::settings::hostsUsed.write(true);
        page.show();
        QCOMPARE(page.findChild<QPlainTextEdit*>()->toPlainText(), QStringLiteral("n2"));
        QVERIFY(page.findChild<QCheckBox*>()->isChecked());
        QCOMPARE(whereRunsStart(page), QStringLiteral("Runs start on these hosts: n2"));
        edit(page, "n2 slots=");
        page.hide();
        page.show();
        QCOMPARE(page.findChild<QPlainTextEdit*>()->toPlainText(), QStringLiteral("n2 slots=")); // not finished
    }

    void theWindowShowsAndLeavesIt()
    {
        const auto window = openWindow(m_fresh.store());
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
        auto* centre = window->findChild<ui::CentrePages*>();
        const QWidget* before = centre->currentWidget();
        QVERIFY(window->findChild<ui::HostsPage*>() == nullptr); // the window opens without it
        const ui::HostsPage& page = openHosts(*window);
        QVERIFY(page.isVisible() && !before->isVisible());
        QVERIFY(&openHosts(*window) == &page && page.isVisible());
        QCOMPARE(window->findChildren<ui::HostsPage*>().size(), 1);
        window->form().setText("train.batch", QStringLiteral("96")); // whatever the form then proposes
        QVERIFY(page.isVisible());
        press(*window, Qt::Key_Escape);
        QVERIFY(!page.isVisible() && before->isVisible());
        (void)openHosts(*window);
        QVERIFY(page.findChild<QPlainTextEdit*>()->hasFocus());
        press(*window, Qt::Key_Escape);
        QVERIFY(!page.isVisible() && QApplication::focusWidget()->isVisible());
        (void)openHosts(*window);
        page.findChild<QPushButton*>(QStringLiteral("closeHosts"))->click();
        QVERIFY(!page.isVisible() && before->isVisible());
        QTest::keyClick(window.get(), Qt::Key_K, Qt::ControlModifier);
        auto* palette = QApplication::activePopupWidget();
        QVERIFY(palette != nullptr);
        QTest::keyClicks(palette->focusWidget(), QStringLiteral("hosts"));
        QTest::keyClick(palette->focusWidget(), Qt::Key_Return);
        QVERIFY(page.isVisible());
    }

    void runsGoOnAndBringTheirChartsBack()
    {
        qputenv("LOCKSTEP_FAKE", "steps=100000,rate=500");
        const auto window = openWindow(m_fresh.store());
        auto& controller = window->controller();
        const ui::HostsPage& page = openHosts(*window);
        window->findChild<QPushButton*>(QStringLiteral("run"))->click();
        QVERIFY(controller.isBusy() && !page.isVisible());
        QTRY_VERIFY(!controller.feeds().empty() && controller.feeds().front()->loss().size() > 5);
        (void)openHosts(*window);
        const std::size_t steps = controller.feeds().front()->loss().size();
        QTRY_VERIFY(controller.feeds().front()->loss().size() > steps + 50);
        QVERIFY(page.isVisible() && !window->tabs().isVisible());
        controller.stopAll();
        QTRY_VERIFY(!controller.isBusy());
        QVERIFY(page.isVisible());
        const RunId run = controller.feeds().front()->id();
        Q_EMIT window->findChild<ui::RunList*>()->onlyRequested({run});
        QVERIFY(!page.isVisible() && window->tabs().isVisible());
        (void)openHosts(*window);
        controller.shown().hide(run);
        QVERIFY(page.isVisible());
        ui::RunsTableModel& table = controller.table();
        for (int row = 0; row < table.rowCount(); ++row) {
            if (table.idAt(row) == run) {
                table.setData(table.index(row, ui::RunsTableModel::Name), Qt::Checked, Qt::CheckStateRole);
            }
        }
        QVERIFY(!page.isVisible() && window->tabs().isVisible());
    }

    void answersComeWhileItIsHidden()
    {
        const FakeProgram program("cd \"$(dirname \"$0\")\"; while [ ! -e go ]; do sleep 0.05; done\ncat <<'END'\n"
            + HostsAnswer + "\nEND\n");
        const auto window = openWindow(m_fresh.store());
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
        ui::HostsPage& page = openHosts(*window);
        page.setProgram(program.path());
        edit(page, HostsList);
        QSignalSpy asked(&page, &ui::HostsPage::asked);
        button(page, "Measure links").click();
        press(*window, Qt::Key_Escape);
        QVERIFY(!page.isVisible() && page.isAsking());
        QFile go(program.file("go"));
        QVERIFY(go.open(QIODevice::WriteOnly));
        QVERIFY(asked.wait(60'000));
        QVERIFY(!page.isVisible());
        QVERIFY(&openHosts(*window) == &page);
        QCOMPARE(page.hosts().rowCount(), 3);
        for (const QTableView* table : page.findChildren<QTableView*>()) {
            QVERIFY(table->isVisible() && table->model()->rowCount() == 3);
        }
    }

    /// It is no chart: what shows one leaves it, and it is not shown alone.
    void chartsAndTheirModesLeaveIt()
    {
        const auto window = openWindow(m_fresh.store());
        const auto* header = window->findChild<QPushButton*>(QStringLiteral("run"));
        const ui::HostsPage& page = openHosts(*window);
        for (const char* mode : {"Show the chart alone", "Presenter mode: the chart alone, in large type"}) {
            trigger(*window, QLatin1String(mode));
            QVERIFY(!page.isVisible() && !header->isVisible());
            (void)openHosts(*window);
            QVERIFY(page.isVisible() && header->isVisible());
        }
        for (const char* view : {"Go to the page Learning", "Next chart of the page", "Show a second chart"}) {
            trigger(*window, QLatin1String(view));
            QVERIFY2(!page.isVisible(), view);
            (void)openHosts(*window);
        }
    }

    void nothingIsCutOff_data()
    {
        QTest::addColumn<bool>("isChinese");
        QTest::addColumn<QSize>("size");
        for (const QSize size : {QSize(1280, 800), QSize(1024, 640)}) {
            QTest::addRow("en-light-%d", size.width()) << false << size;
            QTest::addRow("zh-dark-%d", size.width()) << true << size;
        }
    }
    /// Before and while the hosts are asked, and with what they have answered.
    void nothingIsCutOff()
    {
        QFETCH(bool, isChinese);
        QFETCH(QSize, size);
        const FakeProgram program("sleep 0.5\n" + AnswerHosts);
        const auto window = openWindow(m_fresh.store(), size);
        ui::HostsPage& page = openHosts(*window);
        page.setProgram(program.path());
        const auto look = [&](const QString& state) {
            QTRY_VERIFY2(cutOf(*window).isEmpty(), qPrintable(cutOf(*window).join(u'\n')));
            QTest::qWait(50);
            QVERIFY(window->grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/%1-%2.png")
                                            .arg(state, QLatin1String(QTest::currentDataTag()))));
        };
        ui::applyLanguage(isChinese ? ui::Language::Chinese : ui::Language::English);
        ui::applyTheme(isChinese ? ui::Theme::Dark : ui::Theme::Light);
        look(QStringLiteral("hosts-empty"));
        edit(page, HostsList);
        page.findChild<QCheckBox*>()->click();
        QSignalSpy asked(&page, &ui::HostsPage::asked);
        page.findChild<QPushButton*>(QStringLiteral("measure"))->click();
        QVERIFY(page.isAsking());
        look(QStringLiteral("hosts-asking"));
        QVERIFY(!asked.isEmpty() || asked.wait(60'000));
        look(QStringLiteral("hosts"));
    }

private:
    FreshWindows m_fresh;
};

LOCKSTEP_WINDOW_TEST(TestHostsPage)
#include "test_hosts_page.moc"
