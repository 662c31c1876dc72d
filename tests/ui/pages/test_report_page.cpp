// The window's report: parts are left out, moved and changed, and the changes are there again with other runs.
#include "program/full_disk.h"
#include "program/window_test.h"
#include "ui/export/preset_feeds.h"

#include "exchange/report/edits.h"
#include "ui/pages/report/report_page.h"
#include "ui/pages/report/report_preview.h"

#include <QComboBox>
#include <QDir>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace lockstep;
using namespace lockstep::test;
using namespace lockstep::ui;

namespace {

int rowOf(const QListWidget& list, const QString& words)
{
    for (int row = 0; row < list.count(); ++row) {
        if (list.item(row)->text().contains(words)) {
            return row;
        }
    }
    return -1;
}

} // namespace

class TestReportPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
        m_folder = std::make_unique<QTemporaryDir>();
        m_feeds.clear();
        m_feeds.push_back(presetFeed("optimizers", 1));
    }

    void aPageOfTheRunsTemplate()
    {
        ReportPage page(m_folder->path());
        page.setFeeds(shown());
        page.resize(1100, 700);
        QCOMPARE(page.draft().templateName(), QStringLiteral("optimizers"));
        QCOMPARE(page.findChild<QComboBox*>()->currentText(), QStringLiteral("Laboratory 1: Optimizers"));
        const auto* list = page.findChild<QListWidget*>();
        QVERIFY(rowOf(*list, QStringLiteral("Loss of each batch over steps")) > 0);
        const auto* preview = page.findChild<ReportPreview*>();
        QTRY_VERIFY(preview->pageCount() >= 3);
        QVERIFY(QDir().mkpath(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots")));
        QVERIFY(page.grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/report-page.png")));
    }

    /// Defect 15: the former experiment's report does not stand under the new one's title.
    void anotherExperimentHasItsOwnReport()
    {
        ReportPage page(m_folder->path());
        page.setFeeds(shown());
        const auto* preview = page.findChild<ReportPreview*>();
        QTRY_VERIFY(preview->pageCount() > 0);
        const auto other = presetFeed("aggregation", 1);
        page.setFeeds({other.get()});
        QCOMPARE(page.draft().templateName(), QStringLiteral("aggregation"));
        QCOMPARE(preview->pageCount(), 0);
        QTRY_VERIFY(preview->pageCount() > 0);
    }

    void partsAreLeftOutAndComeBack()
    {
        ReportPage page(m_folder->path());
        page.setFeeds(shown());
        auto* list = page.findChild<QListWidget*>();
        const int row = rowOf(*list, QStringLiteral("Loss of each batch over epochs"));
        const std::size_t before = page.draft().report().blocks.size();
        list->item(row)->setCheckState(Qt::Unchecked);
        QCOMPARE(page.draft().report().blocks.size(), before - 1);
        QCOMPARE(page.draft().blocks().size(), before);
        list->item(row)->setCheckState(Qt::Checked);
        QCOMPARE(page.draft().report().blocks.size(), before);
    }

    void partsAreMoved()
    {
        ReportPage page(m_folder->path());
        page.setFeeds(shown());
        auto* list = page.findChild<QListWidget*>();
        const int row = rowOf(*list, QStringLiteral("Loss of each batch over epochs"));
        const QString text = list->item(row)->text();
        list->setCurrentRow(row);
        for (auto* button : page.findChildren<QPushButton*>()) {
            if (button->text() == QStringLiteral("Up")) {
                button->click();
            }
        }
        QCOMPARE(list->item(row - 1)->text(), text);
        QCOMPARE(list->currentRow(), row - 1);
        QCOMPARE(page.draft().edits().order.size(), page.draft().blocks().size());
    }

    void wordsSurviveNewRuns()
    {
        {
            ReportPage page(m_folder->path());
            page.setFeeds(shown());
            auto* list = page.findChild<QListWidget*>();
            list->setCurrentRow(rowOf(*list, QStringLiteral("noisy are the three")));
            page.findChild<QPlainTextEdit*>()->setPlainText(QStringLiteral("Samples make noise."));
        }
        m_feeds.push_back(presetFeed("optimizers", 2));
        ReportPage page(m_folder->path());
        page.setFeeds(shown());
        auto* list = page.findChild<QListWidget*>();
        list->setCurrentRow(rowOf(*list, QStringLiteral("noisy are the three")));
        QCOMPARE(page.findChild<QPlainTextEdit*>()->toPlainText(), QStringLiteral("Samples make noise."));
        bool isThere = false;
        for (const report::Block& block : page.draft().report().blocks) {
            const auto* question = std::get_if<report::Question>(&block.content);
            isThere = isThere || (question != nullptr && question->answer == "Samples make noise.");
        }
        QVERIFY(isThere);
        page.draft().resetAll();
        QVERIFY(page.draft().edits().texts.empty());
    }

    void filesOfAllFormats_data()
    {
        QTest::addColumn<QString>("suffix");
        for (const char* suffix : {"docx", "pdf", "html", "md", "tex"}) {
            QTest::addRow("%s", suffix) << QString::fromLatin1(suffix);
        }
    }
    void filesOfAllFormats()
    {
        QFETCH(QString, suffix);
        ReportDraft draft(m_folder->path());
        draft.setFeeds(shown(), analysis::Interfered::LeaveOut);
        const QString path = m_folder->filePath(QStringLiteral("mine.") + suffix);
        QVERIFY(draft.write(path).isOk());
        QVERIFY(QFileInfo(path).size() > 1000);
    }

    /// Of a run that diverges, every file says so with the words that the page shows.
    void captionsAreThoseOfThePage()
    {
        const analysis::RunRecord record = presetRecord("optimizers", 2);
        const auto delta = presetDelta(record, 2, analysis::RunStatus::Finished);
        for (auto& [rank, batch] : delta->steps) {
            for (auto& row : batch.rows) {
                row.loss *= 1000.0;
            }
        }
        auto queue = std::make_shared<std::deque<store::DeltaPtr>>();
        queue->push_back(delta);
        m_feeds.push_back(std::make_unique<RunFeed>(record, std::make_unique<ScriptedSource>(queue)));
        m_feeds.back()->setLook(lookOf(PaletteName::Vibrant, 2));
        m_feeds.back()->pull();
        ReportDraft draft(m_folder->path());
        draft.setFeeds(shown(), analysis::Interfered::LeaveOut);
        qsizetype wanted = 0;
        for (const report::Block& block : draft.report().blocks) {
            wanted += QString::fromStdString(report::textOf(block)).count(QStringLiteral("beyond the axis"));
        }
        QVERIFY(wanted > 0);
        const QString path = m_folder->filePath(QStringLiteral("mine.md"));
        QVERIFY(draft.write(path).isOk());
        QFile written(path);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(written.readAll()).count(QStringLiteral("beyond the axis")), wanted);
    }

    void aFullDiskLeavesNothing()
    {
        ReportDraft draft(m_folder->path());
        draft.setFeeds(shown(), analysis::Interfered::LeaveOut);
        const QString path = m_folder->filePath(QStringLiteral("mine.docx"));
        {
            const FullDisk disk(10'000);
            QVERIFY(!draft.write(path));
        }
        QVERIFY(!QFileInfo::exists(path));
        QVERIFY(draft.write(path).isOk());
    }

    void ownTemplatesAreOpened()
    {
        const QString path = m_folder->filePath(QStringLiteral("mine.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"version": 1, "name": "../../escape", "title": "Mine",
            "sections": [{"id": "a", "heading": "Aim", "content": [{"text": "why"}]}]})");
        file.close();
        const QString edits = m_folder->filePath(QStringLiteral("edits"));
        ReportDraft draft(edits);
        draft.setFeeds(shown(), analysis::Interfered::LeaveOut);
        draft.setTemplate(path);
        QCOMPARE(draft.report().title, std::string("Mine"));
        draft.setText("a/text", "because");
        QCOMPARE(QDir(edits).entryList(QDir::Files).size(), 1);
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files), QStringList{QStringLiteral("mine.json")});
        // What cannot be read is reported, and the template stays.
        QSignalSpy failed(&draft, &ReportDraft::failed);
        draft.setTemplate(m_folder->filePath(QStringLiteral("absent.json")));
        QCOMPARE(failed.count(), 1);
        QCOMPARE(draft.report().title, std::string("Mine"));
    }

    void anotherSuffixIsRefused()
    {
        ReportDraft draft(m_folder->path());
        draft.setFeeds(shown(), analysis::Interfered::LeaveOut);
        const auto written = draft.write(m_folder->filePath(QStringLiteral("mine.rtf")));
        QVERIFY(!written);
        QVERIFY(QString::fromStdString(written.error().text()).contains(QStringLiteral("docx, pdf, html, md, tex")));
    }

    void changesThatCannotBeReadAreReported()
    {
        QFile file(m_folder->filePath(QStringLiteral("optimizers.json")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{") == 1);
        file.close();
        ReportDraft draft(m_folder->path());
        QSignalSpy failed(&draft, &ReportDraft::failed);
        draft.setFeeds(shown(), analysis::Interfered::LeaveOut);
        QCOMPARE(failed.count(), 1);
    }

private:
    [[nodiscard]] std::vector<RunFeed*> shown() const { return pointersTo(m_feeds); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::vector<std::unique_ptr<RunFeed>> m_feeds;
};

LOCKSTEP_WINDOW_TEST(TestReportPage)
#include "test_report_page.moc"
