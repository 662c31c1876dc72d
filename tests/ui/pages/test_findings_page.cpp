// The page of findings: runs changed by hand, and the check in float64 in one click.
#include "core/analysis/table/table_runs.h"
#include "experiment/spec.h"
#include "program/window_test.h"
#include "ui/models/sample_runs.h"
#include "ui/pages/report/findings_page.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// A finished run of two ranks whose losses were compared with a single process's.
std::unique_ptr<ui::RunFeed> verifiedFeed(const char* type, double difference)
{
    auto spec = *experiment::preset("aggregation");
    spec.repeats = 1;
    const std::vector<experiment::Override> overrides{{"train.dtype", type}, {"verify", "true"}};
    analysis::RunRecord record;
    record.id = {"20261123-120000-abcd"};
    record.spec
        = experiment::expand(*experiment::customise(spec, overrides, std::vector<std::string>{"ring"}))->front();
    record.status = analysis::RunStatus::Finished;
    store::Delta delta;
    wire::Hello hello;
    hello.worldSize = 1;
    delta.hellos.push_back({0, hello});
    delta.verifications.push_back({0, {25, difference, 7, {0.01, 0.02, 0.005}}});
    auto deltas = std::make_shared<std::deque<store::DeltaPtr>>();
    deltas->push_back(std::make_shared<store::Delta>(delta));
    auto feed = std::make_unique<ui::RunFeed>(record, std::make_unique<ScriptedSource>(deltas));
    feed->pull();
    return feed;
}

} // namespace

class TestFindingsPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    { // The offscreen platform complains about every window; nothing else may be said.
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void float64IsOneClick()
    {
        const auto feed = verifiedFeed("float32", 0.9);
        ui::FindingsPage page;
        page.setFeeds({feed.get()}, true);
        QVERIFY2(page.toPlainText().contains(QStringLiteral("45.0 times as much")), qPrintable(page.toPlainText()));
        QVERIFY(page.toPlainText().contains(QStringLiteral("Compare in float64")));
        QSignalSpy requests(&page, &ui::FindingsPage::float64Requested);
        const QTextCursor link = page.document()->find(QStringLiteral("Compare in float64"));
        Q_EMIT page.anchorClicked(QUrl(link.charFormat().anchorHref()));
        QCOMPARE(requests.size(), 1);
        QCOMPARE(requests.front().front().value<RunId>().text, feed->id().text);
        page.setFeeds({feed.get()}, false); // a run is on
        QVERIFY(!page.toPlainText().contains(QStringLiteral("Compare in float64")));
    }

    void float64NeedsNoOffer()
    {
        const auto feed = verifiedFeed("float64", 1e-14);
        ui::FindingsPage page;
        page.setFeeds({feed.get()}, true);
        QVERIFY(page.toPlainText().contains(QStringLiteral("learns as a single process does")));
        QVERIFY(!page.toPlainText().contains(QStringLiteral("Compare in float64")));
    }

    void repeatsAreOneRow()
    {
        std::vector<std::unique_ptr<ui::RunFeed>> feeds;
        std::vector<ui::RunFeed*> shown;
        const auto add = [&](const char* name, std::int64_t seed, double loss, const char* label) {
            analysis::RunRecord record = tests::tableRun(name, seed, loss, 0.9);
            record.id.text = "20261123-12000" + std::to_string(feeds.size()) + "-abcd";
            record.label = label;
            auto none = std::make_shared<std::deque<store::DeltaPtr>>();
            feeds.push_back(std::make_unique<ui::RunFeed>(record, std::make_unique<ScriptedSource>(none)));
            shown.push_back(feeds.back().get());
        };
        for (std::int64_t seed = 1; seed <= 3; ++seed) {
            add("SGD", seed, 0.1 * double(seed), "");
        }
        add("Adam", 1, 0.5, "mine");
        ui::FindingsPage page;
        page.setFeeds(shown, false);
        const QString text = page.toPlainText();
        QVERIFY2(text.contains(QStringLiteral("SGD (n = 3)")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("0.20 [0.06, 0.69]")), qPrintable(text)); // Student's t, two degrees
        QVERIFY2(!text.contains(QStringLiteral("SGD #2")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("mine")), qPrintable(text)); // a rename reaches the page
        QVERIFY2(text.contains(QStringLiteral("Optimizer Adam")), qPrintable(text)); // labels, not keys
    }

    void exportHasWhatIsSeen()
    {
        ui::FindingsPage page;
        QVERIFY(!page.drawing().has_value());
        const auto feed = verifiedFeed("float32", 0.9);
        page.setFeeds({feed.get()}, true);
        const auto drawing = page.drawing();
        QVERIFY(drawing.has_value());
        ui::PaperOptions options;
        options.heightMm = drawing->fittingHeight(options.widthMm, options.fontPt);
        const auto svg = ui::render(*drawing, ui::PaperFormat::Svg, options);
        QVERIFY(svg.isOk());
        QVERIFY(svg->contains("What the numbers say") && !svg->contains("Compare in float64"));
        const QImage image = ui::renderImage(*drawing, options, 110);
        QVERIFY(image.save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/export_findings.png")));
        QVERIFY(drawing->csv().startsWith("finding,sentence,figure,value\r\n"));
        QVERIFY(drawing->csv().contains("verif"));
    }

    void runsChangedByHandAreNamed()
    {
        const auto feed = verifiedFeed("float32", 0.001);
        ui::FindingsPage page;
        store::Delta delta;
        delta.applied.push_back({0, {wire::Command::Pause, 5, SampleRun::StartNs, -1, 0.0}});
        auto deltas = std::make_shared<std::deque<store::DeltaPtr>>();
        wire::Hello hello;
        hello.worldSize = 1;
        delta.hellos.push_back({0, hello});
        deltas->push_back(std::make_shared<store::Delta>(delta));
        ui::RunFeed paused(feed->record(), std::make_unique<ScriptedSource>(deltas));
        paused.pull();
        page.setFeeds({&paused}, false);
        QVERIFY(page.toPlainText().contains(QStringLiteral("Ring was paused and is left out.")));
        page.setInterfered(analysis::Interfered::Include);
        QVERIFY(page.toPlainText().contains(QStringLiteral("Ring was paused; it counts as you asked.")));
    }
};

LOCKSTEP_WINDOW_TEST(TestFindingsPage)
#include "test_findings_page.moc"
