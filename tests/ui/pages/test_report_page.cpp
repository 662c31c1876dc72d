// The window's report: parts are left out, moved and changed, and the changes are there again with other runs.
#include "program/window_test.h"

#include "ui/models/sample_runs.h"
#include "ui/pages/report_page.h"
#include "ui/pages/report_preview.h"

#include <QComboBox>
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

std::unique_ptr<RunFeed> optimizerFeed(std::size_t variant)
{
    auto spec = experiment::preset("optimizers");
    spec->repeats = 1;
    analysis::RunRecord record;
    record.spec = experiment::expand(*spec)->at(variant);
    record.id.text = "20261123-120000-v" + std::to_string(variant);
    record.status = analysis::RunStatus::Finished;
    auto delta = std::make_shared<session::Delta>();
    wire::StepBatch batch;
    for (std::int64_t step = 1; step <= 50; ++step) {
        batch.rows.push_back({.step = step,
            .endNs = SampleRun::StartNs + step * 400'000,
            .wallNs = 400'000,
            .samples = step * 64,
            .batch = 64,
            .loss = 1.0 / static_cast<double>(step),
            .learningRate = 0.1,
            .phaseNs = {20'000, 120'000, 200'000, 0, 0, 40'000, 0}});
    }
    delta->steps.push_back({0, batch});
    delta->statuses.push_back({analysis::RunStatus::Finished, "", 0});
    auto queue = std::make_shared<std::deque<session::DeltaPtr>>();
    queue->push_back(std::move(delta));
    auto feed = std::make_unique<RunFeed>(record, std::make_unique<ScriptedSource>(queue));
    feed->setColor(Qt::blue);
    feed->pull();
    return feed;
}

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
        m_feeds.push_back(optimizerFeed(1));
    }

    void aPageOfTheRunsTemplate()
    {
        ReportPage page(m_folder->path());
        page.setFeeds(shown());
        page.resize(1100, 700);
        QCOMPARE(page.draft().templateName(), QStringLiteral("optimizers"));
        QCOMPARE(page.findChild<QComboBox*>()->currentText(), QStringLiteral("Laboratory 1: Optimizers"));
        const auto* list = page.findChild<QListWidget*>();
        QVERIFY(rowOf(*list, QStringLiteral("Training loss over steps")) > 0);
        const auto* preview = page.findChild<ReportPreview*>();
        QTRY_VERIFY(preview->pageCount() >= 3);
        QVERIFY(page.grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/report-page.png")));
    }

    void partsAreLeftOutAndComeBack()
    {
        ReportPage page(m_folder->path());
        page.setFeeds(shown());
        auto* list = page.findChild<QListWidget*>();
        const int row = rowOf(*list, QStringLiteral("Training loss over epochs"));
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
        const int row = rowOf(*list, QStringLiteral("Training loss over epochs"));
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
        m_feeds.push_back(optimizerFeed(2));
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
    [[nodiscard]] std::vector<RunFeed*> shown() const
    {
        std::vector<RunFeed*> list;
        for (const auto& feed : m_feeds) {
            list.push_back(feed.get());
        }
        return list;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::vector<std::unique_ptr<RunFeed>> m_feeds;
};

LOCKSTEP_WINDOW_TEST(TestReportPage)
#include "test_report_page.moc"
