// Names that look like markup, or that a terminal would obey, in every place that the window has: whatever is shown is
// text. Runs are made up; no rank is started.
#include "program/window_test.h"
#include "store/run_store.h"
#include "ui/export/preset_feeds.h"
#include "ui/models/charts/chart_kind.h"
#include "ui/models/runs/log_model.h"
#include "ui/models/shown_text.h"
#include "ui/shell/document_actions.h"
#include "ui/shell/window_fixture.h"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QTextBrowser>
#include <QTextDocument>

using namespace lockstep;
using namespace lockstep::tests;
using analysis::RunStatus;

namespace {

const std::string Hostile = "<img src=\"/dev/zero\"> a&b \x1b[31m\x07\xE2\x80\xAE";
constexpr std::size_t Variants = 3;
constexpr int MostRows = 40; ///< of a model that are looked at

/// What a terminal obeys, or what turns the direction of text.
bool isObeyed(const QString& text)
{
    return text.contains(QChar(0x1B)) || text.contains(QChar(0x07)) || text.contains(QChar(0x202E));
}

/// What is wrong with a tool tip; empty if nothing.
QString faultOfTip(const QString& tip)
{
    const bool isMarkup = Qt::mightBeRichText(tip) && tip.contains(QStringLiteral("<img"));
    return isMarkup || isObeyed(tip) ? QStringLiteral("tool tip: ") + tip : QString();
}

void lookAt(const QAbstractItemModel& model, const QModelIndex& parent, QStringList& faults)
{
    const int rows = std::min(MostRows, model.rowCount(parent));
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < model.columnCount(parent); ++column) {
            const QModelIndex index = model.index(row, column, parent);
            faults += faultOfTip(index.data(Qt::ToolTipRole).toString());
            if (isObeyed(index.data(Qt::DisplayRole).toString())) {
                faults += QStringLiteral("cell: ") + index.data(Qt::DisplayRole).toString();
            }
            if (column == 0) {
                lookAt(model, index, faults);
            }
        }
    }
}

QStringList faultsOf(QWidget& widget)
{
    QStringList faults{faultOfTip(widget.toolTip())};
    if (const auto* label = qobject_cast<QLabel*>(&widget); label != nullptr && !label->inherits("QTipLabel")) {
        faults += label->textFormat() == Qt::PlainText ? QString() : QStringLiteral("a label that is not plain");
        faults += isObeyed(label->text()) ? QStringLiteral("label: ") + label->text() : QString();
    }
    if (const auto* view = qobject_cast<QAbstractItemView*>(&widget); view != nullptr && view->model() != nullptr) {
        lookAt(*view->model(), {}, faults);
        for (int column = 0; column < view->model()->columnCount(); ++column) {
            faults += faultOfTip(view->model()->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString());
        }
    }
    if (const auto* box = qobject_cast<QComboBox*>(&widget)) {
        for (int i = 0; i < box->count(); ++i) {
            faults += isObeyed(box->itemText(i)) ? QStringLiteral("choice: ") + box->itemText(i) : QString();
        }
    }
    if (const auto* page = qobject_cast<QTextBrowser*>(&widget)) {
        faults += page->document()->toHtml().contains(QStringLiteral("<img")) ? QStringLiteral("an image") : QString();
        faults += isObeyed(page->toPlainText()) ? QStringLiteral("page: ") + page->toPlainText() : QString();
    }
    for (const QAction* action : widget.actions()) {
        faults += isObeyed(action->text()) ? QStringLiteral("action: ") + action->text() : QString();
    }
    faults.removeAll(QString());
    for (QString& fault : faults) {
        fault = QStringLiteral("%1 %2: %3").arg(widget.metaObject()->className(), widget.objectName(), fault);
    }
    return faults;
}

/// All widgets of the process, also those of pages that are not open.
QStringList faultsNow()
{
    QStringList faults;
    for (QWidget* widget : QApplication::allWidgets()) {
        widget->ensurePolished();
        faults += faultsOf(*widget);
    }
    return faults;
}

/// Runs of one experiment, the last of which failed, that have the name wherever a run has one.
bool storeHostileRuns(const QString& folder)
{
    const auto store = store::RunStore::open(folder);
    for (std::size_t variant = 0; store && variant < Variants; ++variant) {
        const RunStatus status = variant + 1 == Variants ? RunStatus::Failed : RunStatus::Finished;
        analysis::RunRecord record = test::presetRecord("optimizers", variant);
        record.spec.name = Hostile + std::to_string(variant);
        record.label = variant == 0 ? Hostile : std::string();
        record.createdNs = static_cast<std::int64_t>(variant) + 1;
        record.marks.tags = {Hostile};
        record.marks.note = Hostile;
        const auto delta = test::presetDelta(record, variant, status);
        store::RunAccount account;
        account.add(*delta);
        const auto writer = (*store)->create(record);
        if (!writer || !(*writer)->add(*delta)
            || !(*writer)->finish(status, status == RunStatus::Failed ? Hostile : std::string(), account.summary())) {
            return false;
        }
    }
    return store.isOk();
}

} // namespace

class TestHostileNames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_fresh.begin(); }
    void init() { m_fresh.renew(); }

    void aTipIsText()
    {
        const QString name = QString::fromStdString(Hostile);
        QVERIFY(Qt::mightBeRichText(name));
        QVERIFY(!ui::tipText(name).contains(QStringLiteral("<img")));
        QTextDocument shown;
        shown.setHtml(ui::tipText(name)); // what the tool tip does
        QVERIFY(shown.toPlainText().startsWith(QStringLiteral("<img src=\"/dev/zero\"> a&b ")));
        QCOMPARE(ui::tipText(QStringLiteral("a < b & c")), QStringLiteral("a < b & c"));
        QCOMPARE(ui::menuText(QStringLiteral("a&b")), QStringLiteral("a&&b"));
        QCOMPARE(ui::titleText(QStringLiteral("a[*]")), QStringLiteral("a[*][*]"));
        QVERIFY(ui::tipText(QString(10'000, u'x')).size() <= 4'000);
    }

    void everyPageShowsText()
    {
        QVERIFY(storeHostileRuns(m_fresh.store()));
        const auto window = openWindow(m_fresh.store());
        ui::RunController& controller = window->controller();
        QTRY_COMPARE(controller.table().rowCount(), static_cast<int>(Variants));
        std::vector<RunId> ids;
        for (const analysis::RunRecord& record : controller.table().records()) {
            ids.push_back(record.id);
        }
        ui::showBesideKept(controller, ids);
        QTRY_COMPARE(controller.shown().list().size(), Variants);
        for (int page = 0; page < ui::PageCount; ++page) {
            window->tabs().showPage(page);
            for (int view = 0; view < window->tabs().count(); ++view) {
                if (window->tabs().pageOf(view) == page) {
                    window->tabs().setCurrentIndex(view);
                    controller.shown().tick();
                    QCoreApplication::processEvents();
                }
            }
            const QStringList faults = faultsNow();
            QVERIFY2(faults.isEmpty(), qPrintable(QStringLiteral("page %1\n").arg(page) + faults.join(u'\n')));
        }
    }

    void formAndMessagesShowText()
    {
        const auto window = openWindow(m_fresh.store());
        auto spec = *experiment::preset("optimizers");
        spec.about.title.en = spec.about.question.en = spec.about.description.en = Hostile;
        for (std::size_t i = 0; i < spec.variants.size(); ++i) {
            spec.variants[i].name = Hostile + std::to_string(i);
        }
        window->documents().openSpec(spec);
        const QString name = QString::fromStdString(Hostile);
        noticesOf(*window).showMessage(ui::Tone::Error, name, {name});
        const QStringList faults = faultsNow();
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
        QVERIFY(noticesOf(*window).text().startsWith(QStringLiteral("<img")));
    }

private:
    FreshWindows m_fresh;
};

LOCKSTEP_WINDOW_TEST(TestHostileNames)
#include "test_hostile_names.moc"
