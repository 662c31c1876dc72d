// Through all seven experiments as a user would, once with the mouse alone and once with the keyboard alone: resume
// what a crash interrupted, choose, run, pause, stop, a rank that is killed, a run that fails and is run again, export.
// Fake ranks. Nothing is asked of the window but what is seen; what it did is read from models.
#include "program/window_test.h"
#include "store/checkpoints.h"
#include "store/run_store.h"
#include "ui/export/export_dialog.h"
#include "ui/models/form/form_model.h"
#include "ui/pages/message_strip.h"
#include "ui/shell/window_checks.h"
#include "ui/shell/window_fixture.h"

#include <QDir>
#include <QFileDialog>
#include <QHeaderView>
#include <QListWidget>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>

#include <algorithm>

using namespace lockstep;
using namespace lockstep::tests;
using analysis::RunStatus;

namespace {

template <typename Widget>
Widget& named(ui::MainWindow& window, const char* name)
{
    return *window.findChild<Widget*>(QLatin1String(name));
}

void click(QWidget& widget, const QPoint& at)
{
    QTest::mouseClick(&widget, Qt::LeftButton, {}, at);
    QTest::qWait(10);
}

void click(QWidget& widget)
{
    QVERIFY2(widget.isVisible() && widget.isEnabled(), qPrintable(nameOf(widget)));
    click(widget, widget.rect().center());
}

/// What lies over everything: a menu, the list of commands, a dialog.
QWidget* popup()
{
    return QApplication::activePopupWidget();
}

void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
{
    QWidget* target = popup() != nullptr ? popup() : QApplication::activeWindow();
    QWidget* focus = target->focusWidget();
    QTest::keyClick(focus != nullptr ? focus : target, key, modifiers);
    QTest::qWait(10);
}

/// By the list of commands.
void command(const char* text)
{
    press(Qt::Key_K, Qt::ControlModifier);
    QVERIFY(popup() != nullptr);
    QTest::keyClicks(popup()->focusWidget(), QLatin1String(text));
    auto* list = popup()->findChild<QTreeWidget*>();
    QVERIFY2(list->topLevelItemCount() > 0, text);
    press(Qt::Key_Return);
}

/// Answers the file dialog that is about to open. The file is where the dialog proposes it.
void answerFileDialog(bool isMouse, QString& path)
{
    auto* timer = new QTimer(qApp);
    QObject::connect(timer, &QTimer::timeout, timer, [timer, isMouse, &path] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (dialog == nullptr || dialog->selectedFiles().isEmpty()) {
            return;
        }
        timer->deleteLater();
        path = dialog->selectedFiles().front();
        QFile::remove(path); // of the tour before: the dialog would ask whether to replace it
        if (isMouse) {
            for (QPushButton* button : dialog->findChildren<QPushButton*>()) {
                if (button->isDefault()) {
                    QTest::mouseClick(button, Qt::LeftButton);
                    return;
                }
            }
        }
        QTest::keyClick(dialog->findChild<QLineEdit*>(), Qt::Key_Return);
    });
    timer->start(50);
}

/// As a program that crashed leaves it: a run without its end, and the checkpoint of its step 40.
void storeInterrupted(const QString& folder)
{
    auto spec = experiment::preset("optimizers");
    analysis::RunRecord record;
    record.id = makeRunId(1'795'000'000, 1);
    record.createdNs = 1'795'000'000'000'000'000;
    record.spec = experiment::expand(*spec)->at(1);
    const auto store = store::RunStore::open(folder);
    auto writer = (*store)->create(record);
    QVERIFY(writer.isOk());
    store::Delta delta;
    wire::Hello hello;
    hello.worldSize = 1;
    delta.hellos.push_back({0, hello});
    QVERIFY((*writer)->add(delta).isOk());
    QVERIFY((*writer)->finish(analysis::RunStatus::Interrupted, "lockstep ended", {}).isOk());
    const QString place = store::checkpointFolderOf(folder, record.id) + QStringLiteral("/step-00000040");
    QVERIFY(QDir().mkpath(place));
    for (const auto& [name, text] : {std::pair{"rank-0", "w"},
             {"manifest.json", R"({"version":1,"step":40,"files":[{"name":"rank-0","bytes":1}]})"}}) {
        QFile file(place + u'/' + QLatin1String(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) > 0);
    }
}

} // namespace

class TestTours : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_fresh.begin();
        m_home = qgetenv("HOME");
        qputenv("HOME", m_documents.path().toUtf8());
        QVERIFY(QDir(m_documents.path()).mkpath(QStringLiteral("Documents")));
    }
    void init() { m_fresh.renew(); }
    void cleanup() { qputenv("LOCKSTEP_RANK", FakeRank.toUtf8()); }
    void cleanupTestCase() { qputenv("HOME", m_home); }

    void byMouseAlone()
    {
        const auto window = open();
        resumed(*window, [&] { click(*stripButton(*window, QStringLiteral("Resume"))); });
        auto& gallery = named<QListWidget>(*window, "gallery");
        for (int experiment = 0; experiment < 7; ++experiment) {
            click(*gallery.viewport(), gallery.visualItemRect(gallery.item(experiment)).center());
            oneVariantByMouse(*window);
            runOnce(*window, [&] { click(named<QPushButton>(*window, "run")); });
            for (int page = 0; page < 4; ++page) {
                if (window->tabs().tabBar().isTabEnabled(page)) {
                    click(window->tabs().tabBar(), window->tabs().tabBar().tabRect(page).center());
                    QCOMPARE(window->tabs().tabBar().currentIndex(), page);
                }
            }
        }
        click(*gallery.viewport(), gallery.visualItemRect(gallery.item(0)).center());
        oneVariantByMouse(*window);
        stopped(*window, [&](const char* name) { click(named<QWidget>(*window, name)); });
        killedAndFailed(
            *window, [&] { click(named<QPushButton>(*window, "run")); },
            [&] { click(*stripButton(*window, QStringLiteral("Run again"))); });
        QString path;
        answerFileDialog(true, path);
        click(window->tabs().tabBar(), window->tabs().tabBar().tabRect(0).center());
        for (QToolButton* button : window->tabs().currentWidget()->findChildren<QToolButton*>()) {
            if (button->accessibleName() == QStringLiteral("Export this chart")) {
                click(*button);
            }
        }
        auto* dialog = window->findChild<ui::ExportDialog*>();
        QVERIFY(dialog != nullptr);
        for (QPushButton* button : dialog->findChildren<QPushButton*>()) {
            if (button->text().contains(QStringLiteral("Save"))) {
                click(*button);
                break;
            }
        }
        QVERIFY2(QFileInfo(path).size() > 1000, qPrintable(path));
    }

    void byKeyboardAlone()
    {
        const auto window = open();
        resumed(*window, [] { command("resume"); });
        for (int experiment = 0; experiment < 7; ++experiment) {
            press(Qt::Key(Qt::Key_1 + experiment), Qt::ControlModifier);
            QCOMPARE(window->form().experiment(), std::string(experiment::presetNames()[std::size_t(experiment)]));
            oneVariantByKeyboard(*window);
            runOnce(*window, [&] { press(Qt::Key_Return, Qt::ControlModifier); });
            for (int page = 0; page < 4; ++page) {
                if (window->tabs().tabBar().isTabEnabled(page)) {
                    press(Qt::Key(Qt::Key_1 + page), Qt::AltModifier);
                    QCOMPARE(window->tabs().tabBar().currentIndex(), page);
                }
            }
        }
        press(Qt::Key_1, Qt::ControlModifier);
        oneVariantByKeyboard(*window);
        const auto key = [](const char* name) {
            const QLatin1String text(name);
            text == QLatin1String("run")         ? press(Qt::Key_Return, Qt::ControlModifier)
                : text == QLatin1String("pause") ? press(Qt::Key_F9)
                                                 : press(Qt::Key_Period, Qt::ControlModifier);
        };
        stopped(*window, key);
        killedAndFailed(
            *window, [&] { key("run"); }, [] { command("run again"); });
        QString path;
        answerFileDialog(false, path);
        press(Qt::Key_1, Qt::AltModifier);
        press(Qt::Key_E, Qt::ControlModifier);
        auto* dialog = window->findChild<ui::ExportDialog*>();
        QVERIFY(dialog != nullptr);
        QTRY_COMPARE(QApplication::activeWindow(), static_cast<QWidget*>(dialog));
        press(Qt::Key_Return);
        QVERIFY2(QFileInfo(path).size() > 1000, qPrintable(path));
    }

private:
    std::unique_ptr<ui::MainWindow> open()
    {
        storeInterrupted(m_fresh.store());
        auto window = openWindow(m_fresh.store());
        [&] { QVERIFY(QTest::qWaitForWindowActive(window.get())); }();
        return window;
    }

    /// Repeats down to 1, and no variant but the first two ticked.
    static void oneVariantByMouse(ui::MainWindow& window)
    {
        auto& repeats = named<QSpinBox>(window, "repeats");
        while (repeats.value() > 1) {
            click(repeats, {repeats.width() - 6, repeats.height() - 5});
        }
        auto& table = named<QTreeView>(window, "variants");
        for (int row = 2; row < table.model()->rowCount(); ++row) {
            const QModelIndex index = table.model()->index(row, 0);
            table.scrollTo(index); // as the wheel does
            if (index.data(Qt::CheckStateRole) != Qt::Unchecked) {
                const QRect rect = table.visualRect(index);
                click(*table.viewport(), {rect.left() + 10, rect.center().y()});
            }
            QCOMPARE(index.data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
        }
        QVERIFY2(window.form().problem().isEmpty(), qPrintable(window.form().problem()));
    }

    static void oneVariantByKeyboard(ui::MainWindow& window)
    {
        command("go to repeats");
        press(Qt::Key_A, Qt::ControlModifier);
        press(Qt::Key_1);
        QCOMPARE(window.form().repeats(), 1);
        command("go to variants");
        auto& table = named<QTreeView>(window, "variants");
        QVERIFY(table.hasFocus());
        press(Qt::Key_Home);
        press(Qt::Key_Home, Qt::ControlModifier);
        for (int row = 0; row < table.model()->rowCount(); ++row) {
            const QModelIndex index = table.model()->index(row, 0);
            QCOMPARE(table.currentIndex().row(), row);
            if (row > 1 && index.data(Qt::CheckStateRole) != Qt::Unchecked) {
                press(Qt::Key_Space);
                QCOMPARE(index.data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
            }
            press(Qt::Key_Down);
        }
        QVERIFY2(window.form().problem().isEmpty(), qPrintable(window.form().problem()));
    }

    static RunStatus lastStatus(ui::MainWindow& window)
    {
        const ui::RunFeed* feed = window.controller().currentFeed();
        return feed == nullptr ? RunStatus::Queued : feed->record().status;
    }

    template <typename Run>
    static void runOnce(ui::MainWindow& window, Run run)
    {
        qputenv("LOCKSTEP_FAKE", "steps=40,rate=0,evaluate=20,log=20");
        const int before = window.controller().table().rowCount();
        run();
        QTRY_VERIFY(window.controller().table().rowCount() > before); // it may have ended already
        QTRY_VERIFY(!window.controller().isBusy());
        QTRY_COMPARE(lastStatus(window), RunStatus::Finished);
    }

    template <typename Resume>
    static void resumed(ui::MainWindow& window, Resume resume)
    {
        QTRY_VERIFY(stripButton(window, QStringLiteral("Resume")) != nullptr);
        runOnce(window, resume);
        const std::string& name = window.controller().currentFeed()->record().spec.name;
        QVERIFY2(name.ends_with(" from 40"), name.c_str());
    }

    template <typename Press>
    static void stopped(ui::MainWindow& window, Press pressButton)
    {
        qputenv("LOCKSTEP_FAKE", "steps=100000,rate=200");
        pressButton("run");
        QTRY_COMPARE(lastStatus(window), RunStatus::Running);
        pressButton("pause");
        QTRY_COMPARE(lastStatus(window), RunStatus::Paused);
        pressButton("pause");
        QTRY_COMPARE(lastStatus(window), RunStatus::Running);
        pressButton("stop");
        QTRY_VERIFY(!window.controller().isBusy());
        const auto& feeds = window.controller().feeds();
        QTRY_VERIFY(std::ranges::any_of(
            feeds, [](const ui::RunFeed* feed) { return feed->record().status == RunStatus::Stopped; }));
    }

    template <typename Run, typename Again>
    static void killedAndFailed(ui::MainWindow& window, Run run, Again again)
    {
        for (const char* fault : {"steps=200,rate=0,kill=60", "steps=200,rate=0,fail=60"}) {
            qputenv("LOCKSTEP_FAKE", fault);
            run();
            QTRY_VERIFY(!window.controller().isBusy());
            auto& strip = named<ui::MessageStrip>(window, "notices");
            QTRY_VERIFY(strip.isVisible());
            QVERIFY2(strip.text().contains(QStringLiteral("rank 0")), qPrintable(strip.text()));
            QTRY_VERIFY(stripButton(window, QStringLiteral("Run again")) != nullptr);
            runOnce(window, again);
        }
    }

    static QPushButton* stripButton(ui::MainWindow& window, const QString& text)
    {
        for (QPushButton* button : named<ui::MessageStrip>(window, "notices").findChildren<QPushButton*>()) {
            if (button->text() == text && button->isVisible()) {
                return button;
            }
        }
        return nullptr;
    }

    FreshWindows m_fresh;
    QTemporaryDir m_documents;
    QByteArray m_home;
};

LOCKSTEP_WINDOW_TEST(TestTours)
#include "test_tours.moc"
