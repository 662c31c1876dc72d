// One number, wherever it is shown: the figures of every group of repeats, as table, CSV, JSON, report, findings and
// charts have them, are the same digits in both languages. The runs are those of the stores with known truths.
#include "core/truth/truth_stores.h"
#include "program/window_test.h"
#include "ui/models/sample_runs.h"

#include "analysis/figures/figure_estimate.h"
#include "analysis/findings/all_findings.h"
#include "analysis/statistics/run_groups.h"
#include "analysis/study/parameter_study.h"
#include "analysis/table/run_table.h"
#include "exchange/export/run_json.h"
#include "exchange/report/compose.h"
#include "exchange/report/writers.h"
#include "language/language.h"
#include "language/wording.h"
#include "ui/models/charts/chart_model.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <map>

// Their own namespace: other tests of one compilation have helpers of the same names.
namespace same_digits {

using namespace lockstep;
using namespace lockstep::tests;
using namespace Qt::StringLiterals;
using analysis::Figure;
using analysis::Group;
using analysis::MeanEstimate;
using analysis::RunRecord;
using language::TextLanguage;

namespace {

/// The figures that are shown somewhere.
std::vector<const Figure*> shownFigures()
{
    std::vector<const Figure*> shown;
    for (const Figure& figure : analysis::figures()) {
        if (!figure.label.empty()) {
            shown.push_back(&figure);
        }
    }
    return shown;
}

/// Collects what is shown of a figure and a group, and compares it with what was shown first.
class Digits {
public:
    /// A text as it is shown: `95.2 % [94.6, 95.7]`.
    void add(const Figure& figure, const std::string& group, const QString& where, const QString& text)
    {
        const QString& first = m_first.try_emplace({figure.name, group}, text).first->second;
        ++m_count;
        if (first != text) {
            m_different += u"%1 of %2: %3 in %4, not %5"_s.arg(
                QString::fromUtf8(figure.name.data()), QString::fromStdString(group), text, where, first);
        }
    }
    void add(const Figure& figure, const std::string& group, const QString& where, const MeanEstimate& estimate)
    {
        add(figure, group, where, QString::fromStdString(estimateText(figure, estimate)));
    }
    /// A mean alone, in the digits of the interval that was shown first.
    void addMean(const Figure& figure, const std::string& group, const QString& where, const QString& mean)
    {
        add(figure, group, where, mean + first(figure, group).mid(meanIn(first(figure, group)).size()));
    }
    /// The mean of what was shown first; empty where nothing was.
    [[nodiscard]] QString meanOf(const Figure& figure, const std::string& group) const
    {
        return meanIn(first(figure, group));
    }

    [[nodiscard]] int count() const { return m_count; }
    [[nodiscard]] const QStringList& different() const { return m_different; }

private:
    [[nodiscard]] QString first(const Figure& figure, const std::string& group) const
    {
        const auto found = m_first.find({figure.name, group});
        return found == m_first.end() ? QString() : found->second;
    }
    [[nodiscard]] static QString meanIn(const QString& text) { return text.section(u" ["_s, 0, 0).remove(u" %"_s); }

    std::map<std::pair<std::string_view, std::string>, QString> m_first;
    QStringList m_different;
    int m_count = 0;
};

/// The runs of a store, and the groups of those that count.
struct Store {
    explicit Store(std::vector<TruthRun> made)
        : runs(std::move(made))
        , records(recordsOf(runs))
    {
        for (const RunRecord& record : records) {
            if (record.status == analysis::RunStatus::Finished && !record.summary.interference.any()
                && !experiment::isSweep(record.spec)) {
                counted.push_back(record);
            }
        }
        groups = analysis::groupsOf(counted);
    }

    /// The group in which these count, by its name; empty: they are none.
    [[nodiscard]] std::string groupOf(const std::vector<RunId>& ids) const
    {
        const auto found = std::ranges::find(groups, ids, &Group::ids);
        return found == groups.end() ? std::string() : found->name;
    }

    std::vector<TruthRun> runs;
    std::vector<RunRecord> records;
    std::vector<RunRecord> counted;
    std::vector<Group> groups;
};

std::vector<RunId> idsIn(const std::vector<const RunRecord*>& runs)
{
    std::vector<RunId> ids;
    std::ranges::transform(runs, std::back_inserter(ids), &RunRecord::id);
    return ids;
}

/// The table of groups, as a reader sees it and as CSV.
void addTables(const Store& store, Digits& digits)
{
    std::vector<const RunRecord*> all;
    std::ranges::transform(store.records, std::back_inserter(all), [](const RunRecord& run) { return &run; });
    const auto rows = analysis::groupRuns(all, {}, analysis::Interfered::LeaveOut);
    analysis::TableLayout layout;
    for (const Figure* figure : shownFigures()) {
        layout.columns.push_back(analysis::findColumn(figure->columnName()));
    }
    const auto readable = analysis::tableOfGroups(rows, nullptr, layout);
    layout.form = analysis::TableForm::Raw;
    const QStringList csv = QString::fromStdString(toCsv(analysis::tableOfGroups(rows, nullptr, layout)))
                                .split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(static_cast<std::size_t>(csv.size()), rows.size() + 1);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::string group = store.groupOf(idsIn(rows[row].counted));
        const QStringList cells = csv[static_cast<qsizetype>(row) + 1].split(u',');
        for (std::size_t i = 0; i < layout.columns.size() && !group.empty(); ++i) {
            const Figure& figure = *layout.columns[i]->figure;
            digits.add(figure, group, u"table"_s, QString::fromStdString(readable.rows[row][2 + i]));
            const auto number = [&](std::size_t part) {
                const QString& cell = cells[static_cast<qsizetype>(2 + 4 * i + part)];
                return cell.isEmpty() ? analysis::NotMeasured : cell.toDouble();
            };
            digits.add(figure, group, u"CSV"_s,
                MeanEstimate{number(0), number(1), number(2), static_cast<std::size_t>(number(3))});
        }
    }
}

/// The runs' summaries as JSON has them, and the means of these.
void addJson(const Store& store, Digits& digits)
{
    const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(exchange::runsAsJson(store.counted)));
    std::vector<RunRecord> read = store.counted;
    for (std::size_t i = 0; i < read.size(); ++i) {
        const QJsonObject summary = json[u"runs"_s][static_cast<qsizetype>(i)][u"summary"_s].toObject();
        read[i].summary = {};
        for (const Figure& figure : analysis::figures()) {
            if (figure.member != nullptr) {
                read[i].summary.*figure.member = figure.isInResults
                    ? summary[QString::fromUtf8(figure.name.data())].toDouble(analysis::NotMeasured)
                    : store.counted[i].summary.*figure.member;
            }
        }
        read[i].summary.steps = summary[u"steps"_s].toInteger();
        for (const QJsonValue& rank : summary[u"memory_by_rank"_s].toArray()) {
            MemoryBytes kept{}; // but for activations, which are those of the peak there
            for (std::size_t kind = 0; kind < MemoryKindCount; ++kind) {
                const std::string name = std::string(MemoryKindNames[kind]) + "_bytes";
                kept[kind] = rank[QString::fromStdString(name)].toInteger();
            }
            read[i].summary.memory.push_back({.rank = static_cast<std::int32_t>(rank[u"rank"_s].toInt()),
                .afterStep = kept,
                .highest = rank[u"peak_bytes"_s].toInteger()});
        }
    }
    for (const Group& group : analysis::groupsOf(read)) {
        for (const Figure* figure : shownFigures()) {
            digits.add(*figure, store.groupOf(group.ids()), u"JSON"_s, estimateOf(*figure, group.runs));
        }
    }
}

report::Source sourceOf(const Store& store, TextLanguage language)
{
    report::Source source;
    source.runs = store.records;
    source.language = language == TextLanguage::Chinese ? report::Language::Chinese : report::Language::English;
    source.translate = [](std::string_view context, std::string_view text) {
        return language::translated(std::string(context).c_str(), text);
    };
    source.version = "1";
    return source;
}

/// Cells of a line of a table in Markdown.
QStringList cellsOf(QString line)
{
    static const QRegularExpression Escape(u"\\\\([^A-Za-z0-9\\s])"_s);
    line.replace(Escape, u"\\1"_s);
    QStringList cells = line.split(u" | "_s);
    cells.front().remove(u"| "_s);
    cells.back().remove(u" |"_s);
    return cells;
}

/// The table of results of a report in Markdown; of the figures that some group has, in their order.
void addReport(const Store& store, TextLanguage language, Digits& digits)
{
    report::Item item;
    item.kind = report::ItemKind::Table;
    item.name = "results";
    std::vector<const Figure*> had;
    for (const Figure* figure : shownFigures()) {
        if (analysis::findFigure(std::string(figure->name) + "_typical") != nullptr) {
            continue; // by this name a report shows the typical one
        }
        item.columns.emplace_back(figure->name);
        if (std::ranges::any_of(
                store.groups, [&](const Group& group) { return estimateOf(*figure, group.runs).n > 0; })) {
            had.push_back(figure);
        }
    }
    report::Template results;
    results.name = "results";
    results.sections.push_back({.id = "results", .heading = {}, .content = {item}});
    const auto files = report::write(
        report::compose(results, sourceOf(store, language)), {}, report::TextFormat::Markdown, "report");
    QVERIFY(files.isOk());
    const QStringList lines
        = QString::fromStdString(files->front().bytes).split(u'\n').filter(QRegularExpression(u"^\\|"_s));
    QCOMPARE(static_cast<std::size_t>(lines.size()), store.groups.empty() ? 0 : store.groups.size() + 2);
    for (std::size_t row = 0; row < store.groups.size(); ++row) {
        const QStringList cells = cellsOf(lines[static_cast<qsizetype>(row) + 2]);
        QVERIFY2(cells.front().startsWith(QString::fromStdString(store.groups[row].name)), qPrintable(cells.front()));
        QCOMPARE(static_cast<std::size_t>(cells.size()), had.size() + 2);
        for (std::size_t i = 0; i < had.size(); ++i) {
            digits.add(*had[i], store.groups[row].name, u"Markdown"_s, cells[static_cast<qsizetype>(i) + 2]);
        }
    }
}

/// Whether a number of a finding is this group's figure: of a finding about the group of its first argument, or about
/// each group of which a number's name has the name at its end. One about some of the repeats is not about the group,
/// and `steps` are those to a loss.
bool isFigureOf(const analysis::Finding& finding, const std::string& name, const Figure& figure, const Group& group)
{
    const bool isOfAll = std::ranges::all_of(
        group.ids(), [&](const RunId& id) { return std::ranges::find(finding.runs, id) != finding.runs.end(); });
    const bool isOfFirst = name == figure.name && !finding.arguments.empty() && finding.arguments.front() == group.name;
    return isOfAll && figure.member != nullptr && (isOfFirst || name == std::string(figure.name) + '_' + group.key);
}

/// The numbers of findings, and that the sentences and tables have them in these digits.
void addFindings(const Store& store, Digits& digits)
{
    for (const analysis::Finding& finding : analysis::findings(store.records)) {
        QString sentence = QString::fromStdString(language::findingSentence(finding));
        for (const std::vector<std::string>& row : finding.table.rows) {
            for (const std::string& text : row) {
                sentence += u' ' + QString::fromStdString(text);
            }
        }
        const QString where = QString::fromUtf8(finding.kind.data());
        if (finding.role == analysis::Role::Headline || finding.kind.starts_with("answer.")) {
            continue; // it has differences and ends of a line; test_answers reads it
        }
        for (const auto& [name, value] : finding.figures) {
            if (finding.kind == "machine.busy" && name != finding.figures.front().first) {
                continue; // "up to": it says the largest alone
            }
            for (const Figure* figure : shownFigures()) {
                // By this name findings say the typical one.
                const Figure* typical = analysis::findFigure(std::string(figure->name) + "_typical");
                const Figure& said = typical == nullptr ? *figure : *typical;
                for (const Group& group : store.groups) {
                    if (!isFigureOf(finding, name, *figure, group)) {
                        continue;
                    }
                    const MeanEstimate all = estimateOf(said, group.runs);
                    const auto texts = estimateTexts(said, {value, all.low, all.high, all.n});
                    digits.addMean(said, group.name, where, QString::fromStdString(texts.mean));
                    const QString mean = digits.meanOf(said, group.name);
                    digits.addMean(
                        said, group.name, u"the sentence of "_s + where, sentence.contains(mean) ? mean : sentence);
                }
            }
        }
    }
}

using Feeds = std::vector<std::unique_ptr<ui::RunFeed>>;

Feeds feedsOf(const Store& store)
{
    Feeds feeds;
    for (const TruthRun& run : store.runs) {
        auto sent = std::make_shared<std::deque<store::DeltaPtr>>();
        sent->push_back(std::make_shared<store::Delta>(run.sent));
        feeds.push_back(std::make_unique<ui::RunFeed>(run.record, std::make_unique<test::ScriptedSource>(sent)));
        feeds.back()->pull();
    }
    return feeds;
}

ui::ChartSpec chartOf(const char16_t* id, const Feeds& feeds, int choice)
{
    ui::ChartModel model(*ui::findChart(id));
    ui::ChartOptions options;
    options.choice = choice;
    model.setOptions(options);
    std::vector<ui::RunFeed*> all;
    std::ranges::transform(feeds, std::back_inserter(all), [](const auto& feed) { return feed.get(); });
    model.setFeeds(all);
    return model.fullChart();
}

/// Of a point of a series, in the summary's unit.
MeanEstimate pointOf(const ui::SeriesSpec& series, std::size_t i, double scale, std::size_t n)
{
    const auto end = [&](const std::vector<double>& ends) {
        return ends.empty() || n < 2 ? analysis::NotMeasured : ends[i] / scale;
    };
    return {series.y[i] / scale, end(series.low), end(series.high), n};
}

/// A bar a variant. Intervals of single runs are of their blocks, which a table does not show.
void addThroughput(const Store& store, const Feeds& feeds, Digits& digits)
{
    const ui::ChartSpec chart = chartOf(u"throughput", feeds, 0);
    for (std::size_t at = 0; at < chart.x.categories.size(); ++at) {
        const std::string name = chart.x.categories[at].section(u'\n', 0, 0).toStdString();
        const auto group = std::ranges::find(store.groups, name, &Group::name);
        if (group != store.groups.end()) {
            digits.add(*analysis::findFigure("samples_per_s_typical"), name, u"chart of throughput"_s,
                pointOf(chart.series[at], at, 1.0, group->runs.size()));
        }
    }
}

/// A point a value of the one parameter that is varied.
void addParameterChart(const TruthRow& row, const Store& store, const Feeds& feeds, Digits& digits)
{
    if (row.varied.size() != 1) {
        return;
    }
    const auto* column = analysis::findColumn(row.varied.front().substr(0, row.varied.front().find('=')));
    const auto figures = analysis::studyFigures();
    for (std::size_t number = 0; number < figures.size(); ++number) {
        const ui::ChartSpec chart = chartOf(u"parameter", feeds, static_cast<int>(number));
        const std::string label = language::translated("Figures", figures[number]->label);
        if (chart.series.empty() || chart.y.label != QString::fromStdString(label)) {
            continue; // no run has it
        }
        for (const Group& group : store.groups) {
            const double at = analysis::numberOf(analysis::cellOf(*column, *group.runs.front()));
            const ui::SeriesSpec& points = chart.series.front();
            const auto place = static_cast<std::size_t>(std::ranges::find(points.x, at) - points.x.begin());
            QVERIFY(place < points.x.size());
            digits.add(*figures[number], group.name, u"chart against the parameter"_s,
                pointOf(points, place, figures[number]->scale, group.runs.size()));
        }
    }
}

} // namespace
} // namespace same_digits

class TestSameDigits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { lockstep::language::installTexts(lockstep::language::TextLanguage::English); }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void everyNumberIsTheSame_data();
    void everyNumberIsTheSame();
    void anotherEstimatorWouldShow_data();
    void anotherEstimatorWouldShow();
};

void TestSameDigits::everyNumberIsTheSame_data()
{
    QTest::addColumn<const lockstep::tests::TruthRow*>("row");
    for (const lockstep::tests::TruthRow& row : lockstep::tests::truthTable()) {
        QTest::newRow(row.name.data()) << &row;
    }
}

void TestSameDigits::everyNumberIsTheSame()
{
    QFETCH(const lockstep::tests::TruthRow*, row);
    auto runs = lockstep::tests::truthRuns(*row);
    QVERIFY(runs.isOk());
    const same_digits::Store store(std::move(*runs));
    const same_digits::Feeds feeds = same_digits::feedsOf(store);
    same_digits::Digits digits;
    using lockstep::language::TextLanguage;
    for (const TextLanguage language : {TextLanguage::English, TextLanguage::Chinese}) {
        const lockstep::language::TextsIn texts(language);
        same_digits::addTables(store, digits);
        same_digits::addJson(store, digits);
        same_digits::addReport(store, language, digits);
        same_digits::addFindings(store, digits);
        same_digits::addThroughput(store, feeds, digits);
        same_digits::addParameterChart(*row, store, feeds, digits);
    }
    QVERIFY(store.groups.empty() || digits.count() > 0);
    QVERIFY2(digits.different().isEmpty(), qPrintable(QChar(u'\n') + digits.different().join(QChar(u'\n'))));
}

void TestSameDigits::anotherEstimatorWouldShow_data()
{
    QTest::addColumn<int>("estimator");
    QTest::addColumn<int>("other");
    using enum lockstep::analysis::Estimator;
    for (const auto& [one, other] : {std::pair{Arithmetic, Geometric}, {Geometric, Arithmetic}, {Logit, Arithmetic}}) {
        QTest::addRow("%d as %d", static_cast<int>(one), static_cast<int>(other))
            << static_cast<int>(one) << static_cast<int>(other);
    }
}

/// In some store, the mean or interval of another estimator has other digits: so a place that took it would be found.
void TestSameDigits::anotherEstimatorWouldShow()
{
    QFETCH(int, estimator);
    QFETCH(int, other);
    int shown = 0;
    for (const lockstep::tests::TruthRow& row : lockstep::tests::truthTable()) {
        const same_digits::Store store(*lockstep::tests::truthRuns(row));
        for (const lockstep::analysis::Figure* figure : same_digits::shownFigures()) {
            lockstep::analysis::Figure changed = *figure;
            changed.estimator = static_cast<lockstep::analysis::Estimator>(other);
            for (const lockstep::analysis::Group& group : store.groups) {
                const bool isOfKind = figure->estimator == static_cast<lockstep::analysis::Estimator>(estimator);
                shown += isOfKind
                        && estimateText(*figure, estimateOf(*figure, group.runs))
                            != estimateText(*figure, estimateOf(changed, group.runs))
                    ? 1
                    : 0;
            }
        }
    }
    QVERIFY2(shown > 0, qPrintable(QString::number(shown)));
}

LOCKSTEP_WINDOW_TEST(TestSameDigits)
#include "test_same_digits.moc"
