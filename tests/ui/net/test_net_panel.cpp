// The picture of a net as a widget: dragging a cut or moving it with keys changes the form.
#include "program/window_test.h"
#include "ui/models/form/form_model.h"
#include "ui/models/pipeline_run.h"
#include "ui/models/sample_runs.h"
#include "ui/net/net_panel.h"
#include "ui/net/net_view.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>

#include <memory>

using namespace lockstep;
using test::PipelineRun;
using test::ScriptedSource;
using ui::FormModel;
using ui::NetPanel;

namespace {

QWidget* cutOf(NetPanel& panel, int number)
{
    return panel.findChild<QWidget*>(QStringLiteral("cut%1").arg(number));
}

/// From the middle of the cut's line over `layers` layers.
void drag(NetPanel& panel, int number, int layers)
{
    QWidget* cut = cutOf(panel, number);
    const QPoint from = cut->rect().center();
    const QPoint to = from + QPoint(0, layers * panel.view().layerRect(0).height());
    const QPoint global = cut->mapToGlobal(to);
    QTest::mousePress(cut, Qt::LeftButton, {}, from);
    // In several moves, as by hand: the line follows, so the place is recomputed each time.
    for (int part = 1; part <= 4; ++part) {
        const QPoint at = cut->mapFromGlobal(cut->mapToGlobal(from) + (global - cut->mapToGlobal(from)) * part / 4);
        QMouseEvent move(QEvent::MouseMove, at, cut->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(cut, &move);
    }
    const QPoint at = cut->mapFromGlobal(global);
    QMouseEvent move(QEvent::MouseMove, at, global, Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(cut, &move);
    QTest::mouseRelease(cut, Qt::LeftButton, {}, at);
}

} // namespace

class TestNetPanel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
        m_form = std::make_unique<FormModel>();
        auto spec = experiment::preset("model-parallel");
        QVERIFY(spec.isOk());
        // Of those that divide the net, the two that cut it.
        std::erase_if(
            spec->variants, [](const auto& variant) { return variant.name == "tensor" || variant.name == "grid"; });
        m_form->setSpec(*spec);
        m_panel = std::make_unique<NetPanel>(*m_form);
        m_panel->resize(760, 480);
        m_panel->show();
    }
    void cleanup()
    {
        m_panel.reset();
        m_form.reset();
    }

    void aDraggedCutStandsInTheForm()
    {
        QCOMPARE(counts(), (std::vector<int>{2, 6}));
        QCOMPARE(m_form->row("pipeline.cut")->text, QString());
        drag(*m_panel, 1, 2);
        QCOMPARE(m_form->row("pipeline.cut")->text, QStringLiteral("4,4"));
        QCOMPARE(counts(), (std::vector<int>{4, 4}));
        QVERIFY(m_form->row("pipeline.cut")->isModified());
        QVERIFY2(m_form->problem().isEmpty(), qPrintable(m_form->problem()));
        for (const experiment::RunSpec& run : m_form->runs()) {
            const bool isCut
                = run.settings->rank.strategy == experiment::Strategy::Pipeline; // elsewhere it does not apply
            QCOMPARE(
                run.settings->pipeline.cut, isCut ? (std::vector<std::int64_t>{4, 4}) : std::vector<std::int64_t>());
        }
        m_form->reset("pipeline.cut");
        QCOMPARE(counts(), (std::vector<int>{2, 6}));
    }

    void aPartKeepsALayer()
    {
        drag(*m_panel, 1, 40);
        QCOMPARE(m_form->row("pipeline.cut")->text, QStringLiteral("7,1"));
        drag(*m_panel, 1, -40);
        QCOMPARE(m_form->row("pipeline.cut")->text, QStringLiteral("1,7"));
    }

    void keysMoveIt()
    {
        m_form->setText("pipeline.stages", QStringLiteral("3"));
        QCOMPARE(counts().size(), std::size_t(3));
        const std::vector<int> before = counts();
        QWidget* first = cutOf(*m_panel, 1);
        QWidget* second = cutOf(*m_panel, 2);
        QCOMPARE(first->focusPolicy(), Qt::StrongFocus);
        QTest::keyClick(first, Qt::Key_Down);
        QCOMPARE(counts(), (std::vector<int>{before[0] + 1, before[1] - 1, before[2]}));
        QTest::keyClick(first, Qt::Key_Up);
        QCOMPARE(counts(), before);
        QTest::keyClick(second, Qt::Key_End);
        QCOMPARE(counts(), (std::vector<int>{before[0], before[1] + before[2] - 1, 1}));
        QTest::keyClick(second, Qt::Key_Home);
        QCOMPARE(counts(), (std::vector<int>{before[0], 1, before[1] + before[2] - 1}));
        QVERIFY(first->accessibleName().contains(QStringLiteral("1")) && !first->accessibleDescription().isEmpty());
        const QString place = second->accessibleDescription();
        QTest::keyClick(second, Qt::Key_Down);
        // All inner layers of this net have one name; the last one has its own.
        QTest::keyClick(second, Qt::Key_End);
        QVERIFY(second->accessibleDescription() != place);
    }

    void balanceGivesItBack()
    {
        auto* balance = m_panel->findChild<QPushButton*>(QStringLiteral("balance"));
        QVERIFY(!balance->isEnabled());
        QTest::keyClick(cutOf(*m_panel, 1), Qt::Key_Down);
        QVERIFY(balance->isEnabled());
        QTest::mouseClick(balance, Qt::LeftButton);
        QCOMPARE(m_form->row("pipeline.cut")->text, QString());
        QCOMPARE(counts(), (std::vector<int>{2, 6}));
    }

    void thePictureFollowsTheForm()
    {
        m_form->setText("net.depth", QStringLiteral("12"));
        QCOMPARE(m_panel->view().picture().layers.size(), std::size_t(12));
        m_form->setText("pipeline.schedule", QStringLiteral("interleaved"));
        QCOMPARE(m_panel->view().picture().parts.size(), std::size_t(4));
        QCOMPARE(m_panel->view().picture().parts[2].stage, 0);
        m_form->setText("pipeline.cut", QStringLiteral("1,1"));
        QVERIFY(m_panel->view().picture().parts.empty());
        QVERIFY(cutOf(*m_panel, 1) == nullptr);
        QVERIFY(!m_panel->view().picture().problem.isEmpty());
        m_panel->findChild<QPushButton*>(QStringLiteral("balance"))->click();
        QCOMPARE(m_panel->view().picture().parts.size(), std::size_t(4));
        QVERIFY(m_panel->hasDividedNet());
        for (std::size_t i = 0; i < m_form->variants().size(); ++i) {
            m_form->setVariantEnabled(i, m_form->variants()[i].name == QLatin1String("single"));
        }
        QVERIFY(!m_panel->hasDividedNet());
        QVERIFY(m_panel->view().picture().parts.empty());
    }

    /// A variant that sets the cut itself keeps it: what is dragged is its own.
    void aVariantsOwnCutIsItsOwn()
    {
        experiment::Spec spec = m_form->spec();
        spec.variants.push_back({"uneven",
            {{"strategy.name", std::string("pipeline")}, {"pipeline.cut", std::vector<std::int64_t>{1, 7}}}});
        m_form->setSpec(spec);
        auto* picker = m_panel->findChild<QComboBox*>();
        QCOMPARE(picker->count(), 6); // after those of the preset
        picker->setCurrentIndex(5);
        Q_EMIT picker->activated(5);
        QCOMPARE(counts(), (std::vector<int>{1, 7}));
        QTest::keyClick(cutOf(*m_panel, 1), Qt::Key_Down);
        QCOMPARE(counts(), (std::vector<int>{2, 6}));
        QCOMPARE(m_form->row("pipeline.cut")->text, QString());
        QCOMPARE(m_form->variants().back().cells.at("pipeline.cut").text, QStringLiteral("2,6"));
    }

    void aRunsCutIsReadOnly()
    {
        const PipelineRun run(R"("pipeline.cut":[5,3])");
        ui::RunFeed feed(
            run.record(), std::make_unique<ScriptedSource>(std::make_shared<std::deque<store::DeltaPtr>>()));
        m_panel->setFeeds({&feed});
        QCOMPARE(counts(), (std::vector<int>{2, 6})); // still the form's
        auto* picker = m_panel->findChild<QComboBox*>();
        QCOMPARE(picker->count(), 6); // after those of the preset
        picker->setCurrentIndex(5);
        Q_EMIT picker->activated(5);
        QCOMPARE(counts(), (std::vector<int>{5, 3}));
        QCOMPARE(cutOf(*m_panel, 1)->focusPolicy(), Qt::NoFocus);
        QVERIFY(!m_panel->findChild<QPushButton*>(QStringLiteral("balance"))->isVisible());
        drag(*m_panel, 1, -2);
        QTest::keyClick(cutOf(*m_panel, 1), Qt::Key_Up);
        QCOMPARE(counts(), (std::vector<int>{5, 3}));
        QCOMPARE(m_form->row("pipeline.cut")->text, QString());
        m_panel->setFeeds({});
        QCOMPARE(counts(), (std::vector<int>{2, 6}));
    }

    /// Nothing overlaps, in a small window or a large one.
    void columnsHaveRoom()
    {
        m_form->setText("net.name", QStringLiteral("cnn"));
        for (const int width : {480, 556, 640, 760, 1100}) {
            m_panel->resize(width, 480);
            QTest::qWait(10);
            const ui::NetColumns at = m_panel->view().columns();
            QVERIFY(at.nameWidth >= 80.0);
            QVERIFY(at.parametersRight > at.name + at.nameWidth);
            QVERIFY(at.flopsRight > at.parametersRight);
            QVERIFY(at.outputRight > at.flopsRight + at.barWidth);
            QVERIFY2(at.outputRight <= m_panel->view().width(), qPrintable(QString::number(width)));
        }
        QVERIFY(!m_panel->grab().isNull());
    }

    void exportHasWhatIsSeen()
    {
        const auto drawing = m_panel->drawing();
        QVERIFY(drawing.has_value());
        const QImage image = ui::renderImage(*drawing, {}, 110);
        QVERIFY(image.save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/export_net.png")));
        const auto svg = ui::render(*drawing, ui::PaperFormat::Svg, {});
        QVERIFY(svg.isOk());
        QVERIFY(svg->contains("FLOPs per sample"));
        QCOMPARE(drawing->csv().count("\r\n"), static_cast<qsizetype>(m_panel->view().picture().layers.size()) + 1);
    }

private:
    std::vector<int> counts()
    {
        std::vector<int> counts;
        for (const ui::NetPart& part : m_panel->view().picture().parts) {
            counts.push_back(part.count);
        }
        return counts;
    }

    std::unique_ptr<FormModel> m_form;
    std::unique_ptr<NetPanel> m_panel;
};

LOCKSTEP_WINDOW_TEST(TestNetPanel)
#include "test_net_panel.moc"
