// Runs as a bundle in the window: what it will contain is shown first; the file opens in another window. And what a run
// was measured on.
#include "program/window_test.h"
#include "ui/pages/runs/bundle_dialog.h"
#include "ui/pages/runs/runs_actions.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/shell/document_actions.h"
#include "ui/shell/window_fixture.h"

#include <QCheckBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTableWidget>
#include <QUrl>

using namespace lockstep;
using namespace lockstep::tests;

class TestBundleDialog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(QDir().mkpath(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots")));
        qputenv("LOCKSTEP_RANK", FakeRank.toUtf8());
        qputenv("LOCKSTEP_FAKE", "steps=20,rate=1000");
        isolate(m_settings);
        ui::applyLanguage(ui::Language::English);
        m_window = openWindow(m_store.path());
        m_window->controller().start(m_window->form().runs());
        QTRY_VERIFY(m_window->controller().feeds().size() == 3 && !m_window->controller().isBusy());
        QTRY_COMPARE(m_window->controller().table().records().size(), std::size_t{3});
        for (const analysis::RunRecord& run : m_window->controller().table().records()) {
            m_ids.push_back(run.id);
        }
    }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)"))); }
    void cleanupTestCase()
    {
        m_window.reset();
        ui::applyLanguage(ui::Language::English);
    }

    void whatItWillContainIsShownFirst_data()
    {
        QTest::addColumn<bool>("isChinese");
        QTest::newRow("en") << false;
        QTest::newRow("zh") << true;
    }
    void whatItWillContainIsShownFirst()
    {
        QFETCH(bool, isChinese);
        ui::applyLanguage(isChinese ? ui::Language::Chinese : ui::Language::English);
        ui::BundleDialog* dialog = openDialog();
        auto* save = dialog->findChildren<QPushButton*>().last();
        auto* table = dialog->findChild<QTableWidget*>();
        QTRY_COMPARE(table->rowCount(), 3);
        QVERIFY(save->isEnabled());
        for (const QLabel* label : dialog->findChildren<QLabel*>()) { // defect 29
            QVERIFY2(!isChinese || !label->text().contains(QStringLiteral("cores")), qPrintable(label->text()));
        }
        QTest::qWait(100);
        QVERIFY(dialog->grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/bundle-%1.png")
                                        .arg(QLatin1String(QTest::currentDataTag()))));
        dialog->reject();
        ui::applyLanguage(ui::Language::English);
    }

    void namesAreKeptOnlyIfTicked()
    {
        ui::BundleDialog* dialog = openDialog();
        auto* table = dialog->findChild<QTableWidget*>();
        QTRY_COMPARE(table->rowCount(), 3);
        const auto says = [&](const QString& text) {
            const auto labels = dialog->findChildren<QLabel*>();
            return std::any_of(
                labels.begin(), labels.end(), [&](const QLabel* label) { return label->text().contains(text); });
        };
        QVERIFY(says(QStringLiteral("Names of hosts that are left out: 1")));
        auto* keep = dialog->findChild<QCheckBox*>();
        QVERIFY(!keep->isChecked());
        keep->click();
        QTRY_VERIFY(keep->isEnabled() && !says(QStringLiteral("left out")));
        keep->click();
        QTRY_VERIFY(keep->isEnabled() && says(QStringLiteral("left out")));
        const QString place = m_settings.filePath(QStringLiteral("mine.lockstep"));
        QVERIFY(!QFileInfo::exists(place));
        QSignalSpy closed(dialog, &QDialog::finished);
        Q_EMIT dialog->writeRequested(place);
        QTRY_COMPARE(closed.size(), 1);
        QVERIFY(QFileInfo(place).size() > 1000);
    }

    /// Anywhere on the window; the runs are marked as imported.
    void aDroppedBundleIsImported()
    {
        const QTemporaryDir store;
        const auto other = openWindow(store.path());
        other->documents().open(QStringLiteral("collectives"));
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(m_settings.filePath(QStringLiteral("mine.lockstep")))});
        QDragEnterEvent enter(QPoint(700, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(other.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(700, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(other.get(), &drop);
        QTRY_COMPARE(other->controller().table().records().size(), std::size_t{3});
        for (const analysis::RunRecord& run : other->controller().table().records()) {
            QCOMPARE(run.importedFrom, std::string("mine.lockstep"));
        }
        QVERIFY(!other->controller().isBusy());
        // Its experiment is offered, and nothing starts.
        QPushButton* open = nullptr;
        const auto find = [&] {
            for (QPushButton* button : other->findChildren<QPushButton*>()) {
                open = button->text() == QStringLiteral("Open its experiment") ? button : open;
            }
            return open;
        };
        QTRY_VERIFY(find() != nullptr);
        open->click();
        QCOMPARE(other->form().experiment(), std::string("optimizers"));
        QVERIFY(!other->documents().document().isSaved());
        QVERIFY(other->form().problem().isEmpty());
        QCOMPARE(other->form().runs().size(), std::size_t{3});
        QVERIFY(!other->controller().isBusy());
    }

    void theSettingsOfAnyStoredRunAreTakenOver()
    {
        auto* page = m_window->findChild<ui::RunsPage*>();
        ui::RunsActions& actions = page->actions();
        m_window->controller().shown().keepOnly({}); // it need not be drawn
        const auto named
            = [&](const RunId& id) { return m_window->controller().table().record(id)->spec.name == "Adam"; };
        const auto adam = std::find_if(m_ids.begin(), m_ids.end(), named);
        QVERIFY(adam != m_ids.end());
        actions.setSelection(m_ids, 3);
        QVERIFY(!actions.useSettings->isEnabled());
        actions.setSelection({*adam}, 1);
        QVERIFY(actions.useSettings->isEnabled());
        actions.useSettings->trigger();
        QCOMPARE(m_window->form().variants().size(), std::size_t{0});
        QCOMPARE(m_window->form().runs().size(), std::size_t{1});
        QCOMPARE(m_window->form().runs().front().settings, m_window->controller().table().record(*adam)->spec.settings);
        QVERIFY(!m_window->documents().document().isSaved());
    }

    void theDetailsSayWhatDiffersAndWhatItRanOn()
    {
        auto* page = m_window->findChild<ui::RunsPage*>();
        Q_EMIT page->actions().detailsRequested(m_ids.front());
        auto* details = m_window->findChild<QDialog*>(QStringLiteral("run_details"));
        QVERIFY(details != nullptr);
        const auto* line = details->findChild<QLabel*>(QStringLiteral("environment"));
        QTRY_VERIFY2(line->text().startsWith(QStringLiteral("Ran on: cpu")), qPrintable(line->text()));
        QVERIFY(details->grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/run-details.png")));
        details->close();
    }

private:
    ui::BundleDialog* openDialog()
    {
        auto* page = m_window->findChild<ui::RunsPage*>();
        Q_EMIT page->actions().bundleRequested(m_ids);
        return m_window->findChildren<ui::BundleDialog*>().last();
    }

    QTemporaryDir m_settings;
    QTemporaryDir m_store;
    std::unique_ptr<ui::MainWindow> m_window;
    std::vector<RunId> m_ids;
};

LOCKSTEP_WINDOW_TEST(TestBundleDialog)
#include "test_bundle_dialog.moc"
