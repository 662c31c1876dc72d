// A real ring with a rank that is stopped in the middle of it: the picture stops, names a rank, and continues when the
// rank does. Needs lockstep-rank.
#include "program/send_signal.h"
#include "program/window_test.h"
#include "ui/models/feeds/ring_model.h"
#include "ui/models/ring_run.h"
#include "ui/ring/ring_panel.h"
#include "ui/ring/ring_view.h"
#include "ui/shell/window_fixture.h"

#include <QDir>

#include <algorithm>
#include <csignal>
#include <unistd.h>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

/// The rank processes of this test.
std::vector<pid_t> rankProcesses()
{
    std::vector<pid_t> found;
    for (const QString& name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        QFile file(QStringLiteral("/proc/%1/stat").arg(name));
        if (name.toInt() > 0 && file.open(QIODevice::ReadOnly)) {
            const QByteArray stat = file.readAll();
            const QList<QByteArray> fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
            if (fields.size() > 1 && fields[1].toInt() == getpid()) {
                found.push_back(name.toInt());
            }
        }
    }
    return found;
}

const ui::RingStep& newestStep(const ui::RunFeed& feed)
{
    return feed.ring().steps().rbegin()->second;
}

/// Stops a rank so that the picture shows another waiting for it; gives the step. On a busy machine it may be stopped
/// before another rank waits for it: tries the next step.
std::int64_t stopWhileWaitedFor(pid_t stopped, const ui::RunFeed& feed, ui::RingView& view)
{
    std::int64_t number = 0;
    for (int attempt = 0; attempt < 20 && view.scene().waitedFor.size() != 1; ++attempt) {
        sendSignal(stopped, SIGCONT);
        QTest::qWait(130 + 17 * attempt);
        sendSignal(stopped, SIGSTOP);
        QTest::qWait(400);
        if (newestStep(feed).isComplete()) {
            continue;
        }
        number = feed.ring().steps().rbegin()->first;
        view.follow();
        while (!view.player().isAtEnd()) {
            view.stepOne();
        }
        QTest::qWait(200);
    }
    return number;
}

} // namespace

class TestLiveRing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(QDir().mkpath(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots"))); }

    void aStoppedRankIsWaitedFor()
    {
        const QString rank = qEnvironmentVariable("LOCKSTEP_RANK", RealRank);
        if (!QFileInfo(rank).isExecutable()) {
            QSKIP("lockstep-rank is needed");
        }
        qputenv("LOCKSTEP_RANK", rank.toUtf8());
        isolate(m_settings);
        const auto window = openWindow(m_store.path());
        experiment::RunSpec spec = test::RingRun(3).record().spec;
        // Slow enough that a stop in the middle of a step is likely.
        spec.settings["link.latency_us"] = 20'000.0;
        QTest::qWait(100);
        window->controller().start({spec});
        ui::RunFeed* feed = window->controller().feeds().front();
        QTRY_VERIFY(feed->ring().steps().size() > 2);
        window->tabs().setCurrentWidget(&window->tabs().ring());
        ui::RingView& view = window->tabs().ring().view();
        const pid_t stopped = rankProcesses().back();
        const std::int64_t number = stopWhileWaitedFor(stopped, *feed, view);
        QCOMPARE(view.scene().waitedFor.size(), std::size_t(1));
        QVERIFY(!newestStep(*feed).isComplete());
        auto before = view.scene().picture.contributions;
        // On a busy machine what the others had sent arrives late.
        QTest::qWait(1000);
        for (int look = 0; look < 30 && view.scene().picture.contributions != before; ++look) {
            before = view.scene().picture.contributions;
            QTest::qWait(1000);
        }
        QVERIFY(window->grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/ring-live.png")));
        const auto drawing = window->tabs().ring().drawing();
        QVERIFY(drawing.has_value() && drawing->csv().contains("run,name,step,rank,message"));
        QVERIFY(ui::renderImage(*drawing, {}, 110)
                    .save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/export_ring.png")));
        QTest::qWait(500);
        QCOMPARE(view.scene().picture.contributions, before);
        sendSignal(stopped, SIGCONT);
        // A busy machine may lose messages of the step in which the rank was stopped; those of later steps arrive.
        const auto hasGoneOn = [&] {
            const auto& steps = feed->ring().steps();
            return std::any_of(
                steps.lower_bound(number), steps.end(), [](const auto& entry) { return entry.second.isComplete(); });
        };
        QTRY_VERIFY(hasGoneOn());
        window->controller().stopAll();
        QTRY_VERIFY(!window->controller().isBusy());
    }

    void otherAlgorithmsAreDrawnFromWhatRanksSend_data()
    {
        QTest::addColumn<std::string>("algorithm");
        QTest::addColumn<int>("ranks");
        QTest::newRow("tree") << std::string("tree") << 4;
        QTest::newRow("halving_doubling") << std::string("halving_doubling") << 3; // one beyond the power of two
        QTest::newRow("parameter_server") << std::string("parameter_server") << 4;
    }

    void otherAlgorithmsAreDrawnFromWhatRanksSend()
    {
        QFETCH(std::string, algorithm);
        QFETCH(int, ranks);
        if (!QFileInfo(RealRank).isExecutable()) {
            QSKIP("lockstep-rank is needed");
        }
        qputenv("LOCKSTEP_RANK", RealRank.toUtf8());
        isolate(m_settings);
        const auto window = openWindow(m_store.path());
        experiment::RunSpec spec = test::RingRun(ranks).record().spec;
        spec.settings["aggregation.algorithm"] = algorithm;
        spec.settings["link.latency_us"] = 2'000.0;
        spec.name = algorithm;
        QTest::qWait(100);
        window->controller().start({spec});
        const ui::RunFeed* feed = window->controller().feeds().front();
        const auto hasWholeStep = [feed] {
            return std::ranges::any_of(feed->ring().steps(), [](const auto& each) { return each.second.isComplete(); });
        };
        QTRY_VERIFY(hasWholeStep());
        window->controller().stopAll();
        QTRY_VERIFY(!window->controller().isBusy());
        const auto& steps = feed->ring().steps();
        const auto whole = std::ranges::find_if(steps, [](const auto& each) { return each.second.isComplete(); });
        window->tabs().setCurrentWidget(&window->tabs().ring());
        ui::RingView& view = window->tabs().ring().view();
        view.choose(whole->first);
        view.stepOne();
        view.togglePlay();
        QTRY_VERIFY(!view.scene().picture.flights.empty());
        view.togglePlay();
        QVERIFY(window->grab().save(
            QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/messages-%1.png").arg(QString::fromStdString(algorithm))));
        while (!view.player().isAtEnd()) {
            view.stepOne();
        }
        const std::vector<int> sums = view.scene().picture.contributions;
        QVERIFY(std::ranges::all_of(sums, [ranks](int sum) { return sum == ranks; }));
    }

private:
    QTemporaryDir m_settings;
    QTemporaryDir m_store;
};

LOCKSTEP_WINDOW_TEST(TestLiveRing)
#include "test_live_ring.moc"
