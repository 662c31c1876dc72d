// Random figures as PDF: what a reader of the page sees, from the boxes of its words. A sample in every run of the
// tests; LOCKSTEP_FIGURES=300 draws 300, and lists those that have a fault. All are kept beside the screenshots.
#include "language/language.h"
#include "program/window_test.h"
#include "ui/export/figure_boxes.h"
#include "ui/export/render.h"
#include "ui/models/palette.h"
#include "ui/shell/desktop.h"

#include <QDir>
#include <QFile>
#include <QFontDatabase>
#include <QProcess>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <vector>

using namespace lockstep;
using namespace lockstep::test;

namespace {

QString randomName(QRandomGenerator& random, int curve)
{
    static const QStringList Words{QStringLiteral("resnet18"), QStringLiteral("lr=0.1"), QStringLiteral("batch128"),
        QStringLiteral("seed"), QStringLiteral("AdamW"), QStringLiteral("warm-up"), QStringLiteral("ring_all_reduce"),
        QStringLiteral("学习率"), QStringLiteral("4 ranks"), QStringLiteral("Wörter")};
    static const QStringList Joints{
        QStringLiteral(" "), QStringLiteral("-"), QStringLiteral(", "), QStringLiteral("/")};
    const int most = random.bounded(1, 80);
    QString name;
    while (name.size() < most) {
        const QString& word = Words[random.bounded(10)]; // one draw a statement: operands have no order
        name += name.isEmpty() ? QString() : Joints[random.bounded(4)];
        name += word;
    }
    // The number tells it from the others, at the beginning, in the middle, or at the end.
    const int place = random.bounded(3);
    name = name.left(std::max(1, most - 3));
    return name.insert(place == 0 ? 0 : place == 1 ? name.size() / 2 : name.size(), QString::number(curve));
}

double randomPower(QRandomGenerator& random, double low, double high)
{
    return std::pow(10.0, low + (high - low) * random.generateDouble());
}

ui::ChartSpec randomChart(QRandomGenerator& random, const std::vector<QString>& names)
{
    ui::ChartSpec chart;
    chart.id = QStringLiteral("random");
    chart.title = QStringLiteral("Training loss of the mini-batches").left(random.bounded(4, 34));
    chart.x.label = QStringLiteral("Step");
    chart.x.isCount = random.bounded(2) == 0;
    chart.y.label = QStringLiteral("Batch loss");
    chart.y.unit = random.bounded(3) == 0 ? QStringLiteral("ms") : QString();
    chart.y.scale = random.bounded(3) == 0 ? ui::Scale::Log : ui::Scale::Linear;
    const double steps = std::ceil(randomPower(random, 0.5, 9.0));
    const double first = random.bounded(4) == 0 ? std::floor(randomPower(random, 0.0, 9.0)) : 0.0;
    const double size = randomPower(random, -12.0, 12.0);
    const double change = random.bounded(4) == 0 ? randomPower(random, -7.0, -1.0) : 1.0; // hardly moves
    for (std::size_t i = 0; i < names.size(); ++i) {
        ui::SeriesSpec series;
        series.key = QStringLiteral("r%1/loss").arg(i);
        series.name = names[i];
        series.setLook(ui::lookOf(ui::PaletteName::Vibrant, i));
        for (int point = 0; point < 40; ++point) {
            series.x.push_back(first + std::round(steps * point / 39.0));
            series.y.push_back(size * (1.0 + change * (1.0 / (point + 1.0) + 0.05 * static_cast<double>(i))));
        }
        chart.series.push_back(std::move(series));
    }
    return chart;
}

struct RandomFigure {
    ui::Picture picture;
    ui::PaperOptions options;
    std::vector<QString> names;
};

RandomFigure randomFigure(quint32 seed)
{
    QRandomGenerator random(seed);
    RandomFigure figure;
    const int curves = random.bounded(3) == 0 ? random.bounded(1, 51) : random.bounded(1, 9);
    for (int i = 0; i < curves; ++i) {
        figure.names.push_back(randomName(random, i + 1));
    }
    std::vector<ui::ChartSpec> panels;
    for (int left = random.bounded(1, 7); left > 0; --left) {
        panels.push_back(randomChart(random, figure.names));
    }
    figure.options.widthMm = random.bounded(85, 184);
    figure.options.heightMm = random.bounded(50, 121);
    figure.options.fontPt = random.bounded(6, 10);
    figure.options.legend = random.bounded(2) == 0 ? ui::LegendPlace::Above : ui::LegendPlace::Below;
    const int columns = random.bounded(1, 4);
    figure.picture = panels.size() == 1 ? ui::Picture(panels.front()) : ui::panelsOf(std::move(panels), columns);
    return figure;
}

struct PdfWords {
    QRectF page;
    std::vector<std::pair<QString, QRectF>> words;
};

/// As poppler reads the page; nothing where it is not installed.
PdfWords wordsOf(const QString& pdf)
{
    QProcess reader;
    reader.start(QStringLiteral("pdftotext"), {QStringLiteral("-bbox"), pdf, QStringLiteral("-")});
    PdfWords read;
    if (!reader.waitForFinished(-1) || reader.exitCode() != 0) {
        return read;
    }
    const QString text = QString::fromUtf8(reader.readAllStandardOutput());
    static const QRegularExpression page(QStringLiteral("<page width=\"([0-9.]+)\" height=\"([0-9.]+)\""));
    static const QRegularExpression word(QStringLiteral(
        "<word xMin=\"([-0-9.]+)\" yMin=\"([-0-9.]+)\" xMax=\"([-0-9.]+)\" yMax=\"([-0-9.]+)\">([^<]*)</word>"));
    const auto size = page.match(text);
    read.page = QRectF(0.0, 0.0, size.captured(1).toDouble(), size.captured(2).toDouble());
    auto each = word.globalMatch(text);
    while (each.hasNext()) {
        const auto found = each.next();
        const auto number = [&](int capture) { return found.captured(capture).toDouble(); };
        read.words.emplace_back(
            found.captured(5), QRectF(QPointF(number(1), number(2)), QPointF(number(3), number(4))));
    }
    return read;
}

/// Its letters, without the room that a font has around them. A number of two digits may be higher than wide.
QRectF lettersOf(const QString& text, const QRectF& word)
{
    const bool isShortNumber = text.size() <= 2 && std::ranges::all_of(text, [](QChar each) { return each.isDigit(); });
    if (isShortNumber || word.width() >= word.height()) {
        const double across = 0.22 * word.height();
        return word.adjusted(0.3, across, -0.3, -across);
    }
    const double across = 0.22 * word.width();
    return word.adjusted(across, 0.3, -across, -0.3);
}

/// Whether paper has one of the fonts with which the bounds below were measured: others have higher lines.
bool hasMeasuredFont()
{
    for (const char* family : {"Arial", "Liberation Sans", "Helvetica Neue", "Noto Sans", "DejaVu Sans"}) {
        if (const QLatin1StringView name(family); QFontDatabase::hasFamily(name)) { // in the order of paperFont()
            return name == "Arial" || name == "Liberation Sans" || name == "DejaVu Sans";
        }
    }
    return false;
}

QStringList faultsOfPdf(const PdfWords& pdf)
{
    QStringList faults;
    const QRectF page = pdf.page.adjusted(-0.5, -0.5, 0.5, 0.5);
    for (std::size_t i = 0; i < pdf.words.size(); ++i) {
        const auto& [text, place] = pdf.words[i];
        if (!page.contains(lettersOf(text, place))) {
            faults += QStringLiteral("'%1' leaves the page").arg(text);
        }
        if (std::min(place.width(), place.height()) < 5.0 && text.size() > 1) {
            faults += QStringLiteral("'%1' is below 5 pt").arg(text);
        }
        for (std::size_t j = 0; j < i; ++j) {
            const auto& [other, otherPlace] = pdf.words[j];
            if (lettersOf(text, place).intersects(lettersOf(other, otherPlace))) {
                faults += QStringLiteral("'%1' lies on '%2'").arg(text, other);
            }
        }
    }
    return faults;
}

/// No two curves share a look or a name, and the name is in the legend.
QStringList faultsOfCurves(const RandomFigure& figure, const ui::FigureBoxes& boxes)
{
    QStringList faults;
    std::set<std::tuple<QRgb, ui::Dash, int>> looks;
    for (std::size_t i = 0; i < figure.names.size(); ++i) {
        const ui::Look look = ui::lookOf(ui::PaletteName::Vibrant, i);
        if (!looks.insert({look.color.rgb(), look.dash, look.marker}).second) {
            faults += QStringLiteral("curve %1 looks like another").arg(i);
        }
    }
    const bool isShared = std::ranges::any_of(boxes.texts, [](const ui::FigureText& text) { return text.panel < 0; });
    std::set<QString> entries;
    for (const ui::FigureText& text : boxes.texts) {
        const bool isCandidate = isShared ? text.panel < 0 : boxes.panels.size() == 1;
        if (isCandidate) {
            entries.insert(text.text);
        }
    }
    if (entries.size() < figure.names.size()) {
        faults += QStringLiteral("%1 names of %2 curves").arg(entries.size()).arg(figure.names.size());
    }
    return faults;
}

QString textsOf(const ui::FigureBoxes& boxes)
{
    QStringList texts;
    for (const ui::FigureText& text : boxes.texts) {
        texts += text.text;
    }
    return texts.join(u'|');
}

} // namespace

class TestRandomFigures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        ui::loadResources();
        language::installTexts(language::TextLanguage::English);
    }

    void figuresAreReadable()
    {
        bool isGiven = false;
        const int wanted = qEnvironmentVariableIntValue("LOCKSTEP_FIGURES", &isGiven);
        const int count = isGiven ? wanted : 20;
        const QString kept = QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/random");
        QVERIFY(QDir().mkpath(kept));
        QStringList faulty;
        int refused = 0;
        for (int i = 0; i < count; ++i) {
            const RandomFigure figure = randomFigure(static_cast<quint32>(1000 + i));
            const ui::MendedPaper paper = ui::mended(figure.picture, figure.options);
            QStringList faults;
            for (const Text& fault : paper.faults) {
                faults += QString::fromStdString(fault.english);
            }
            refused += faults.isEmpty() ? 0 : 1;
            const auto pdf = ui::render(paper.picture, ui::PaperFormat::Pdf, paper.options);
            QVERIFY(pdf.isOk());
            const QString path = QStringLiteral("%1/%2.pdf").arg(kept).arg(i);
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(*pdf) == pdf->size());
            file.close();
            faults += faultsOfPdf(wordsOf(path));
            faults += faultsOfCurves(figure, ui::boxesOf(paper.picture, paper.options));
            if (!faults.isEmpty()) {
                faulty += QStringLiteral("%1: %2").arg(i).arg(faults.mid(0, 4).join(QStringLiteral("; ")));
            }
        }
        const QString said = QStringLiteral("%1 of %2 figures have faults, %3 were found before saving\n%4")
                                 .arg(faulty.size())
                                 .arg(count)
                                 .arg(refused)
                                 .arg(faulty.join(u'\n'));
        qInfo("%s", qPrintable(said));
        constexpr int MostFaulty
            = 5; // at most one figure in five: of the narrowest figures with six panels or fifty curves
        if (!hasMeasuredFont()) {
            QSKIP("the bound is measured with Arial, Liberation Sans and DejaVu Sans");
        }
        QVERIFY2(static_cast<int>(faulty.size()) * MostFaulty <= count, qPrintable(said));
    }

    void faultsAreFound()
    {
        ui::FigureBoxes boxes;
        boxes.page = QSizeF(1000, 600);
        boxes.fontPt = 4.0;
        boxes.texts
            = {{QStringLiteral("a"), QRectF(10, 10, 50, 20), 0}, {QStringLiteral("b"), QRectF(40, 20, 50, 20), 0},
                {QStringLiteral("c"), QRectF(980, 10, 50, 20), 0}, {QStringLiteral("d"), QRectF(500, 300, 50, 20), 0}};
        boxes.panels.push_back({QRectF(0, 0, 1000, 600), QRectF(400, 200, 300, 300),
            {QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("3")},
            {QStringLiteral("1"), QStringLiteral("1"), QStringLiteral("1")}});
        std::set<std::string> found;
        for (const Text& fault : ui::faultsOf(boxes)) {
            found.insert(fault.english);
        }
        QCOMPARE(found,
            (std::set<std::string>{"letters are below 5 pt", "the plot (a) has less than 40 % of its place",
                "an axis of the plot (a) has fewer than three distinct labels", "“a” overlaps “b”",
                "“c” leaves the page", "“d” covers the plot"}));
    }

    void aLegendLeavesThePlotItsPlace()
    {
        std::vector<QString> names;
        for (int i = 1; i <= 12; ++i) {
            names.push_back(QStringLiteral("resnet18-cifar10-lr0.1-batch128-seed%1 (imported)").arg(i));
        }
        QRandomGenerator random(7);
        ui::PaperOptions options;
        options.widthMm = 85;
        options.heightMm = 60;
        const ui::Picture picture = randomChart(random, names);
        const ui::MendedPaper paper = ui::mended(picture, options);
        QVERIFY2(paper.faults.empty(), paper.faults.empty() ? "" : paper.faults.front().english.c_str());
        QVERIFY2(paper.options.heightMm <= 70.0 || !hasMeasuredFont(), "shorter names are nearly enough");
        const ui::FigureBoxes boxes = ui::boxesOf(paper.picture, paper.options);
        for (int i = 1; i <= 12; ++i) {
            const QString seed = QStringLiteral("seed%1").arg(i);
            QVERIFY2(std::ranges::any_of(
                         boxes.texts, [&](const ui::FigureText& text) { return text.text.startsWith(seed); }),
                qPrintable(seed + u' ' + textsOf(boxes)));
        }
    }

    void tickLabelsAreDistinct_data()
    {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<QString>("title");
        QTest::newRow("plain") << 0.0 << 100.0 << QStringLiteral("Loss");
        QTest::newRow("fifty millions") << 0.0 << 5e7 << QStringLiteral("Loss (10⁶)");
        QTest::newRow("tiny") << 0.0 << 5e-10 << QStringLiteral("Loss (10⁻¹²)");
        QTest::newRow("far from zero") << 3e10 << 3e10 + 50.0 << QStringLiteral("Loss − 30,000,000,000");
        QTest::newRow("stuck") << 2.302585 << 2.302586 << QStringLiteral("Loss − 2.302585 (10⁻⁶)");
    }

    void tickLabelsAreDistinct()
    {
        QFETCH(const double, low);
        QFETCH(const double, high);
        QFETCH(const QString, title);
        ui::ChartSpec chart;
        chart.x.label = QStringLiteral("Step");
        chart.y.label = QStringLiteral("Loss");
        ui::SeriesSpec series;
        series.key = QStringLiteral("r/loss");
        series.x = {0.0, 1.0, 2.0};
        series.y = {low, (low + high) / 2.0, high};
        chart.series.push_back(series);
        chart.y.minimum = low;
        chart.y.maximum = high;
        const ui::FigureBoxes boxes = ui::boxesOf(chart, ui::PaperOptions());
        const QStringList& labels = boxes.panels.front().yLabels;
        const std::set<QString> distinct(labels.begin(), labels.end());
        QCOMPARE(static_cast<qsizetype>(distinct.size()), labels.size());
        QVERIFY2(labels.size() >= 3, qPrintable(labels.join(u' ')));
        const bool isShort = std::ranges::all_of(labels, [](const QString& label) { return label.size() <= 9; });
        QVERIFY2(isShort, qPrintable(labels.join(u' ')));
        QVERIFY2(std::ranges::any_of(boxes.texts, [&](const ui::FigureText& text) { return text.text == title; }),
            qPrintable(textsOf(boxes)));
    }
};

LOCKSTEP_WINDOW_TEST(TestRandomFigures)
#include "test_random_figures.moc"
