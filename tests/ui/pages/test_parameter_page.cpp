// The pages of charts against parameters: what the user chooses, and the files that come of it. Pictures are in
// build/screenshots.
#include "program/window_test.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/read_out.h"
#include "ui/export/render.h"
#include "ui/export/tex/pgfplots.h"
#include "ui/models/charts/chart_model.h"
#include "ui/models/grid_runs.h"
#include "ui/pages/charts/chart_panel.h"
#include "ui/pages/charts/parameter_picker.h"
#include "ui/theme/theme.h"
#include "ui/theme/window_language.h"

#include <QComboBox>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace lockstep;
using namespace lockstep::test;

namespace {

const QString Folder = QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots");

QComboBox* listNamed(const QWidget& panel, const QString& accessibleName)
{
    for (QComboBox* box : panel.findChildren<QComboBox*>()) {
        if (box->accessibleName() == accessibleName) {
            return box;
        }
    }
    return nullptr;
}

void write(const QString& name, const QByteArray& bytes)
{
    QFile file(Folder + u'/' + name);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

} // namespace

class TestParameterPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("lockstep-tests"));
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
        QVERIFY(QDir().mkpath(Folder));
        m_runs = momentumByBatch(3);
    }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
        QSettings().clear();
    }
    void cleanupTestCase()
    {
        ui::applyLanguage(ui::Language::English);
        ui::applyTheme(ui::Theme::Light);
    }

    void pictures_data()
    {
        QTest::addColumn<bool>("isChinese");
        QTest::addColumn<bool>("isDark");
        QTest::newRow("en-light") << false << false;
        QTest::newRow("zh-dark") << true << true;
    }
    void pictures()
    {
        QFETCH(bool, isChinese);
        QFETCH(bool, isDark);
        ui::applyLanguage(isChinese ? ui::Language::Chinese : ui::Language::English);
        ui::applyTheme(isDark ? ui::Theme::Dark : ui::Theme::Light);
        for (const char16_t* id : {u"parameter", u"heat-map"}) {
            ui::ChartModel model(*ui::findChart(id));
            model.setFeeds(feedsOf(m_runs));
            ui::ChartPanel panel(model);
            panel.setTheme(isDark ? ui::darkTheme() : ui::lightTheme());
            panel.setAutoFillBackground(true);
            panel.resize(760, 420);
            panel.show();
            QVERIFY(QTest::qWaitForWindowExposed(&panel));
            QTest::qWait(100);
            QVERIFY(
                panel.grab().save(QStringLiteral("%1/panel_%2_%3.png")
                                      .arg(Folder, QString::fromUtf16(id), QLatin1String(QTest::currentDataTag()))));
        }
    }

    void theUserChoosesParametersAndFigure()
    {
        ui::applyLanguage(ui::Language::English);
        ui::ChartModel model(*ui::findChart(u"heat-map"));
        model.setFeeds(feedsOf(m_runs));
        ui::ChartPanel panel(model);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QComboBox* first = listNamed(panel, QStringLiteral("Parameter on the horizontal axis"));
        QComboBox* second = listNamed(panel, QStringLiteral("Rows"));
        QComboBox* figure = listNamed(panel, QStringLiteral("Which figure to show"));
        QVERIFY(first != nullptr && second != nullptr && figure != nullptr);
        QTRY_COMPARE(first->count(), 2);
        const QString before = first->currentText();
        QVERIFY(before != second->currentText());
        first->setCurrentIndex(1 - first->currentIndex()); // what the rows show: the two change places
        QTRY_COMPARE(second->currentText(), before);
        QVERIFY(first->currentText() != before);
        QCOMPARE(model.fullChart().x.label, first->currentText());
        QCOMPARE(model.fullChart().y.label, before);
        figure->setCurrentIndex(figure->findText(QStringLiteral("Time per step")));
        QTRY_COMPARE(model.fullChart().id, QStringLiteral("heat-map-ms_per_step_typical"));
        // The next window opens with them.
        ui::ChartModel again(*ui::findChart(u"heat-map"));
        again.setFeeds(feedsOf(m_runs));
        const ui::ChartPanel other(again);
        QCOMPARE(again.fullChart().x.label, first->currentText());
        QCOMPARE(again.fullChart().cells.label, QStringLiteral("Time per step"));
    }

    void everyFormatHasIt()
    {
        for (const char16_t* id : {u"parameter", u"heat-map"}) {
            ui::ChartModel model(*ui::findChart(id));
            model.setFeeds(feedsOf(m_runs));
            ui::PaperOptions options;
            options.widthMm = 120;
            options.heightMm = 80;
            const ui::ChartSpec chart = model.fullChart();
            for (const ui::PaperFormat format : {ui::PaperFormat::Pdf, ui::PaperFormat::Svg, ui::PaperFormat::Png}) {
                const auto file = ui::render(chart, format, options);
                QVERIFY(file);
                QVERIFY(file->size() > 3000);
                write(QString::fromUtf16(id) + u'.' + ui::suffixOf(format), *file);
            }
            options.colors = ui::PaperOptions::Colors::Grey;
            write(QString::fromUtf16(id) + QStringLiteral("-grey.png"),
                *ui::render(chart, ui::PaperFormat::Png, options));
        }
    }

    /// A bracket right after a line break would be its length.
    void bracketsAfterALineBreakAreTextInTex()
    {
        ui::ChartModel model(*ui::findChart(u"heat-map"));
        model.setFeeds(feedsOf(m_runs));
        const QByteArray tex = ui::pgfplotsPicture(model.fullChart(), {}, {QStringLiteral("map")}).tex;
        QVERIFY2(tex.contains("\\\\{}{[}"), tex.constData());
        QVERIFY(!tex.contains("\\\\["));
        QVERIFY(tex.contains("{not run}"));
    }

    void csvHasMeansIntervalsAndCounts()
    {
        ui::ChartModel model(*ui::findChart(u"heat-map"));
        ui::ChartOptions options = model.options();
        options.first = QStringLiteral("train.batch");
        options.second = QStringLiteral("optimizer.momentum");
        model.setOptions(options);
        model.setFeeds(feedsOf(m_runs));
        const QList<QByteArray> lines = ui::chartCsv(model.fullChart()).split('\n');
        QCOMPARE(lines.first().trimmed(), QByteArray("run,name,curve,Batch size,Test accuracy (%),low,high,n"));
        const QList<QByteArray> cell = lines[1].trimmed().split(',');
        QCOMPARE(cell[0], QByteArray("optimizer.momentum=0"));
        QCOMPARE(cell[1], QByteArray("Momentum 0"));
        QCOMPARE(cell[2], QByteArray("test_accuracy"));
        QCOMPARE(cell[3], QByteArray("16"));
        QVERIFY(std::fabs(cell[4].toDouble() - 86.8) < 1e-9);
        QVERIFY(cell[5].toDouble() < 86.8 && cell[6].toDouble() > 86.8);
        QCOMPARE(cell[7], QByteArray("3"));
        QVERIFY2(lines[9].contains(",64,,,,0"), lines[9].constData()); // did not run
    }

    void pointingAtAColumnReadsItsCells()
    {
        ui::ChartModel model(*ui::findChart(u"heat-map"));
        model.setFeeds(feedsOf(m_runs));
        const ui::ReadOut read = ui::readOut(model.fullChart(), 1.1);
        QCOMPARE(read.rows.size(), std::size_t{3});
        QVERIFY2(read.rows.front().value.contains(u'['), qPrintable(read.rows.front().value));
        QVERIFY(!read.rows.front().value.contains(u'\n'));
    }

private:
    QTemporaryDir m_folder;
    GridFeeds m_runs;
};

LOCKSTEP_WINDOW_TEST(TestParameterPage)
#include "test_parameter_page.moc"
