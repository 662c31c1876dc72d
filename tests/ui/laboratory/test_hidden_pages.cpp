// No page, log or table gives away what a laboratory hides, until its questions are sealed; then it is shown.
#include "program/window_test.h"
#include "ui/models/feeds/run_feed.h"
#include "ui/pages/laboratory/laboratory_page.h"
#include "ui/shell/document_actions.h"
#include "ui/shell/runs/run_controller.h"
#include "ui/shell/window_fixture.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QRadioButton>

#include <algorithm>
#include <memory>
#include <utility>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

/// No other number of the window has these digits.
const QString Secret = QStringLiteral("987653");

const QByteArray HidingLaboratory = R"({
    "version": 1, "id": "hiding", "revision": 1, "title": { "en": "Hidden" },
    "steps": [
        { "id": "run", "kind": "experiment", "title": { "en": "Run" },
          "experiment": { "version": 1, "experiment": "own",
            "base": { "strategy.name": "data", "world_size": 2, "train.steps": 50 },
            "variants": [ { "name": "X right" }, { "name": "X faulty", "fault.skip_collective": 987653 } ],
            "repeats": 1 },
          "hidden": ["fault."] },
        { "id": "what", "kind": "question", "form": "choice", "title": { "en": "What" },
          "choices": [ { "id": "a", "text": { "en": "One" } }, { "id": "b", "text": { "en": "Other" } } ],
          "about": { "step": "run" } }
    ] })";

QString writeHidingLaboratory(const QString& folder)
{
    const QDir place(folder + QStringLiteral("/hiding"));
    place.mkpath(QStringLiteral("texts"));
    for (const char* name : {"laboratory.json", "texts/run.en.md", "texts/what.en.md"}) {
        QFile file(place.filePath(QLatin1String(name)));
        if (file.open(QIODevice::WriteOnly)) {
            file.write(file.fileName().endsWith(QStringLiteral(".json")) ? HidingLaboratory : "Look.\n");
        }
    }
    return place.path();
}

void addCells(const QAbstractItemModel& model, const QModelIndex& parent, QStringList& texts)
{
    for (int row = 0; row < model.rowCount(parent); ++row) {
        for (int column = 0; column < model.columnCount(parent); ++column) {
            const QModelIndex cell = model.index(row, column, parent);
            texts << cell.data().toString() << cell.data(Qt::ToolTipRole).toString();
        }
        addCells(model, model.index(row, 0, parent), texts);
    }
    for (int column = 0; column < model.columnCount(parent); ++column) {
        texts << model.headerData(column, Qt::Horizontal).toString();
    }
}

/// All that the window's widgets and actions say, on pages that are not in front too.
QStringList textsOf(const QWidget& window)
{
    QStringList texts{window.windowTitle()};
    const auto widgets = window.findChildren<QWidget*>();
    for (const QWidget* each : widgets) {
        texts << each->toolTip() << each->accessibleName() << each->accessibleDescription() << each->whatsThis();
        for (const char* property : {"text", "plainText", "title", "placeholderText"}) {
            texts << each->property(property).toString();
        }
        if (const auto* view = qobject_cast<const QAbstractItemView*>(each); view != nullptr && view->model()) {
            addCells(*view->model(), {}, texts);
        }
    }
    const auto actions = window.findChildren<QAction*>();
    for (const QAction* each : actions) {
        texts << each->text() << each->toolTip();
    }
    return texts;
}

} // namespace

class TestHiddenPages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_windows.begin(); }

    void init()
    {
        m_windows.renew();
        m_folder = std::make_unique<QTemporaryDir>();
        m_laboratory = writeHidingLaboratory(m_folder->path());
        openAgain();
        m_window->documents().addDropped({m_laboratory});
        QVERIFY2(page() != nullptr, qPrintable(noticesOf(*m_window).text()));
    }

    void cleanup()
    {
        m_window.reset();
        m_folder.reset();
    }

    void nothingIsGivenAwayBeforeTheSeal()
    {
        button("run_step")->click();
        QTRY_COMPARE(controller().feeds().size(), std::size_t(2));
        verifyHidden();
        QTRY_VERIFY(!controller().isBusy());
        QTRY_COMPARE(controller().table().records().size(), std::size_t(2));
        verifyHidden();
        // Also without the laboratory, and in the next session.
        button("close_laboratory")->click();
        QTRY_VERIFY(page() == nullptr);
        verifyHidden();
        openAgain();
        QTRY_COMPARE(controller().table().records().size(), std::size_t(2));
        verifyHidden();

        m_window->documents().addDropped({m_laboratory});
        QTRY_VERIFY(page() != nullptr);
        page()->findChild<QListWidget*>(QStringLiteral("steps"))->setCurrentRow(1);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QCoreApplication::processEvents();
        page()->findChild<QRadioButton*>(QStringLiteral("a"))->click();
        button("seal_answer")->click();
        QTRY_VERIFY(isKnown());
        for (const ui::RunFeed* feed : controller().feeds()) {
            QTRY_COMPARE(feed->record().spec.settings->fault.skippedCollective,
                feed->record().spec.name == "X faulty" ? std::int64_t(987653) : std::int64_t(0));
        }
    }

private:
    void openAgain()
    {
        m_window.reset();
        m_window = openWindow(m_folder->filePath(QStringLiteral("store")));
        QTRY_VERIFY(!m_window->form().rows().empty());
    }

    [[nodiscard]] bool isKnown()
    {
        return std::ranges::any_of(controller().table().records(),
            [](const analysis::RunRecord& each) { return each.spec.settings->fault.skippedCollective == 987653; });
    }

    void verifyHidden()
    {
        QVERIFY(!isKnown());
        for (const ui::RunFeed* feed : controller().feeds()) {
            QCOMPARE(feed->record().spec.settings->fault.skippedCollective, std::int64_t(0));
        }
        QStringList texts = textsOf(*m_window);
        addCells(controller().log(), {}, texts);
        for (const QString& text : std::as_const(texts)) {
            QVERIFY2(!text.contains(Secret), qPrintable(text));
        }
    }

    [[nodiscard]] ui::RunController& controller() { return m_window->controller(); }
    [[nodiscard]] ui::LaboratoryPage* page() { return m_window->findChild<ui::LaboratoryPage*>(); }
    [[nodiscard]] QAbstractButton* button(const char* name)
    {
        return page()->findChild<QAbstractButton*>(QLatin1String(name));
    }

    FreshWindows m_windows;
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_laboratory;
    std::unique_ptr<ui::MainWindow> m_window;
};

LOCKSTEP_WINDOW_TEST(TestHiddenPages)
#include "test_hidden_pages.moc"
