// "Does momentum or batch size matter more on the CNN at 4 ranks": from a new experiment to a heat map with intervals
// and a saved experiment, with the keyboard and the mouse as a person has them; and the command line gives the same
// numbers.
#include "program/programs.h"
#include "program/window_test.h"
#include "store/account/run_account.h"
#include "ui/export/render.h"
#include "ui/forms/vary_dialog.h"
#include "ui/models/charts/chart_model.h"
#include "ui/models/form/form_model.h"
#include "ui/shell/window_fixture.h"

#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QProcess>
#include <QRegularExpression>
#include <QSettings>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>

#include <map>
#include <tuple>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

/// Momentum, batch size, seed.
using AskedSetting = std::tuple<double, int, int>;

/// Keys go to the widget that has the focus, which they may change.
void typeKeys(QWidget& window, const QString& text)
{
    for (const QChar key : text) {
        QCoreApplication::processEvents(); // as between two keys of a person
        QVERIFY(key != u',' || QApplication::activePopupWidget() == nullptr); // it would get the keys
        QWidget* focus = window.window()->focusWidget();
        QVERIFY(focus != nullptr);
        QTest::keyClick(focus, key.toLatin1());
    }
}

} // namespace

class TestQuestion : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!QFileInfo(RealRank).isExecutable()) {
            QSKIP("lockstep-rank is not built here: the question was not asked");
        }
        qputenv("LOCKSTEP_RANK", RealRank.toUtf8());
        isolate(m_settings);
        QSettings().setValue(QStringLiteral("experiments/mine"), m_settings.filePath(QStringLiteral("mine")));
        ui::applyLanguage(ui::Language::English);
        QVERIFY(QDir().mkpath(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots")));
        m_window = openWindow(m_store.path());
    }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)"))); }
    void cleanupTestCase() { m_window.reset(); }

    void fromAnEmptyWindowToAHeatMap()
    {
        press(Qt::Key_N, Qt::ControlModifier);
        makeRunsShort();
        choose("net.name", "CNN");
        choose("strategy.name", "Data");
        type("world_size", "4");
        choose("optimizer.name", "Momentum");
        vary("optimizer.momentum=0.5,0.9,0.99");
        vary("train.batch=16,32,64");
        type(*m_window->findChild<QSpinBox*>(QStringLiteral("repeats")), QStringLiteral("3"));
        QCOMPARE(form().problem(), QString());
        QCOMPARE(form().runs().size(), std::size_t{27});
        for (const experiment::RunSpec& run : form().runs()) {
            QCOMPARE(std::string(nameOf(run.settings->net.name)), std::string("cnn"));
            const auto ranks = experiment::worldSizeOf(run);
            QVERIFY(ranks && *ranks == 4);
        }
        press(Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(controller().isBusy());
        QTRY_VERIFY_WITH_TIMEOUT(!controller().isBusy(), 240'000);
        choose(m_window->tabs().picker(), QStringLiteral("Heat")); // a space would open the list
        ++m_interactions;
        save();
        checkHeatMap();
        QVERIFY2(m_interactions < 15, qPrintable(QString::number(m_interactions)));
    }

    void theCommandLineGivesTheSameNumbers()
    {
        QVERIFY(QFileInfo(m_saved).isFile());
        QFile file(m_saved);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QJsonObject spec = QJsonDocument::fromJson(file.readAll()).object();
        QCOMPARE(spec["repeats"].toInt(), 3);
        spec["repeats"] = 1; // a third of the time: seeds do not know of each other
        const QTemporaryDir store;
        QFile once(store.filePath(QStringLiteral("once.json")));
        QVERIFY(once.open(QIODevice::WriteOnly) && once.write(QJsonDocument(spec).toJson()) > 0 && once.flush());
        QProcess process;
        process.start(Lockstep,
            {QStringLiteral("run"), once.fileName(), QStringLiteral("--json"), QStringLiteral("--store"),
                store.filePath(QStringLiteral("runs"))});
        QVERIFY(process.waitForFinished(120'000));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        const QJsonArray runs = QJsonDocument::fromJson(process.readAllStandardOutput()).object()["runs"].toArray();
        QCOMPARE(runs.size(), 9);
        const auto inWindow = lossesInWindow();
        QCOMPARE(inWindow.size(), std::size_t{27});
        for (const auto& each : runs) {
            const QJsonObject run = each.toObject();
            const QJsonObject settings = run["spec"].toObject()["base"].toObject();
            const AskedSetting setting{settings["optimizer.momentum"].toDouble(), settings["train.batch"].toInt(),
                settings["train.seed"].toInt()};
            QVERIFY(inWindow.contains(setting));
            QVERIFY(run["summary"].toObject()["final_loss"].toDouble() == inWindow.at(setting)); // to the last bit
        }
    }

private:
    ui::FormModel& form() { return m_window->form(); }
    ui::RunController& controller() { return m_window->controller(); }

    /// So that the test takes seconds; no part of the question.
    void makeRunsShort()
    {
        for (const auto& [name, text] : std::initializer_list<std::pair<const char*, const char*>>{{"train.steps", "4"},
                 {"dataset.train_samples", "256"}, {"dataset.test_samples", "100"}, {"measure.interleave", "false"}}) {
            form().setText(name, QLatin1String(text));
        }
    }
    /// One shortcut.
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers)
    {
        m_window->activateWindow(); // as a window manager does once a dialog is closed
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTest::keyClick(m_window.get(), key, modifiers);
        ++m_interactions;
    }
    /// One typed field: the beginning of an entry.
    static void choose(QComboBox& box, const QString& entry)
    {
        box.setFocus();
        QTest::keyClicks(&box, entry);
        QVERIFY2(box.currentText().startsWith(entry, Qt::CaseInsensitive), qPrintable(box.currentText()));
    }
    void choose(const char* field, const char* entry)
    {
        auto* box = m_window->findChild<QComboBox*>(QLatin1String(field));
        QVERIFY(box != nullptr);
        choose(*box, QLatin1String(entry));
        ++m_interactions;
    }
    /// One typed field.
    void type(QWidget& field, const QString& text)
    {
        field.setFocus();
        QTest::keyClick(&field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(&field, text);
        ++m_interactions;
    }
    void type(const char* field, const char* text)
    {
        auto* edit = m_window->findChild<QLineEdit*>(QLatin1String(field));
        QVERIFY(edit != nullptr);
        type(*edit, QLatin1String(text));
        QCOMPARE(form().row(field)->text, QLatin1String(text));
    }
    /// A click on the button, and what is typed into the dialog.
    void vary(const char* assignment)
    {
        auto* button = m_window->findChild<QToolButton*>(QStringLiteral("vary"));
        QTest::mouseClick(button, Qt::LeftButton);
        const auto dialogs = m_window->findChildren<ui::VaryDialog*>();
        QVERIFY(!dialogs.isEmpty() && dialogs.last()->isVisible());
        typeKeys(*dialogs.last(), QLatin1String(assignment));
        QTest::keyClick(dialogs.last()->focusWidget(), Qt::Key_Return);
        QCOMPARE(dialogs.last()->result(), static_cast<int>(QDialog::Accepted));
        m_interactions += 2;
    }
    /// The shortcut, and the name of the file.
    void save()
    {
        QTimer::singleShot(500, this, [] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog != nullptr);
            auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
            name->selectAll();
            QTest::keyClicks(name, QStringLiteral("question"));
            QTest::keyClick(name, Qt::Key_Return);
        });
        press(Qt::Key_S, Qt::ControlModifier);
        ++m_interactions;
        m_saved = m_settings.filePath(QStringLiteral("mine/question.json"));
        QVERIFY(QFileInfo(m_saved).isFile());
    }
    void checkHeatMap()
    {
        ui::ChartModel model(*ui::findChart(u"heat-map"));
        model.setFeeds(controller().feeds());
        const QList<QByteArray> lines = ui::chartCsv(model.fullChart()).trimmed().split('\n');
        QCOMPARE(lines.size(), 10);
        for (const QByteArray& line : lines.mid(1)) {
            const QList<QByteArray> cell = line.trimmed().split(',');
            const double mean = cell[4].toDouble();
            QVERIFY2(cell[5].toDouble() <= mean && mean <= cell[6].toDouble() && !cell[5].isEmpty(), line.constData());
            QCOMPARE(cell[7], QByteArray("3"));
        }
        QTest::qWait(300);
        QVERIFY(m_window->grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/question.png")));
    }
    std::map<AskedSetting, double> lossesInWindow()
    {
        std::map<AskedSetting, double> losses;
        for (const ui::RunFeed* feed : controller().feeds()) {
            const experiment::RunSpec& spec = feed->record().spec;
            losses[{spec.settings->optimizer.momentum, static_cast<int>(spec.settings->train.batch),
                static_cast<int>(spec.settings->train.seed)}]
                = feed->record().summary.finalLoss;
        }
        return losses;
    }

    QTemporaryDir m_settings;
    QTemporaryDir m_store;
    std::unique_ptr<ui::MainWindow> m_window;
    QString m_saved;
    int m_interactions = 0;
};

LOCKSTEP_WINDOW_TEST(TestQuestion)
#include "test_question.moc"
