// The filter of the table: what it matches, and what it says of what it cannot read.
#include "analysis/table/filter.h"
#include "core/analysis/table/table_runs.h"
#include "program/test_class.h"

#include <fmt/format.h>

#include <QTest>

#include <ctime>

using namespace lockstep;
using namespace lockstep::tests;
using analysis::Filter;
using analysis::RunRecord;

namespace {

constexpr std::int64_t Now = 1'763'640'000'000'000'000 + 3'600'000'000'000;

RunRecord markedRun()
{
    RunRecord run = tableRun("Adam", 2, 0.0921, 0.9512);
    run.spec.settings["net.name"] = std::string("cnn");
    run.spec.settings["optimizer.lr"] = 0.01;
    run.label = "My best";
    run.marks = {{"paper", "final figure"}, "looks converged", true};
    return run;
}

QString errorOf(const char* text)
{
    const auto filter = Filter::parse(text, Now);
    return filter ? QStringLiteral("no error") : QString::fromStdString(filter.error().message);
}

void addFilter(const char* text, bool expected)
{
    QTest::newRow(text) << QByteArray(text) << expected;
}

/// In wide characters, by the columns' shown names, in Chinese.
void addFiltersInOtherWords()
{
    addFilter("accuracy＞０．９４ and net＝cnn", true);
    addFilter("accuracy ＞ ９６ ％", false);
    addFilter("（net＝mlp or net＝cnn）　and　loss＜0.1", true);
    addFilter("net ！＝ mlp", true);
    addFilter("accuracy ≥ 95 %", true);
    addFilter("name ＝ “my best”", true);
    addFilter("test accuracy > 0.94", true);
    addFilter("best test accuracy > 0.94", false);
    addFilter("\"Test accuracy\" > 0.94", true);
    addFilter("learning rate = 0.01 and net = cnn", true);
    addFilter("accuracy > 0.9 且 net = cnn", true);
    addFilter("accuracy > 0.99 或 net = cnn", true);
    addFilter("非 net = cnn", false);
    addFilter("accuracy = –", false);
}

} // namespace

class TestFilter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        qputenv("TZ", "UTC");
        tzset();
    }

    void matches_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("expected");
        addFilter("", true);
        addFilter("accuracy > 0.94 and net = cnn", true);
        addFilter("accuracy > 0.96 and net = cnn", false);
        addFilter("accuracy > 0.96 or net = cnn", true);
        addFilter("accuracy > 94 % net=CNN", true);
        addFilter("accuracy>95.2%", false);
        addFilter("accuracy <= 0.9512", true);
        addFilter("accuracy < 0.9512", false);
        addFilter("optimizer.lr = 0.01", true);
        addFilter("lr != 0.01", false);
        addFilter("lr >= 1e-2", true);
        addFilter("not net = cnn", false);
        addFilter("not not net = cnn", true);
        addFilter("net = mlp or net = cnn and loss < 0.05", false);
        addFilter("(net = mlp or net = cnn) and loss < 0.1", true);
        addFilter("net != mlp", true);
        addFilter("net ~ nn", true);
        addFilter("net !~ nn", false);
        addFilter("name = \"my best\"", true);
        addFilter("name ~ best", true);
        addFilter("BEST", true);
        addFilter("'y b'", true);
        addFilter("best adam", true);
        addFilter("best sgd", false);
        addFilter("not best", false);
        addFilter("tag = paper", true);
        addFilter("tag = figure", false);
        addFilter("tags ~ figure", true);
        addFilter("tag != draft", true);
        addFilter("note ~ converged", true);
        addFilter("pinned = yes", true);
        addFilter("pinned = false", false);
        addFilter("status = finished", true);
        addFilter("seed = 2", true);
        addFilter("repeat = 2 and ranks = 1", true);
        addFilter("best_loss > 0", false);
        addFilter("not best_loss > 0", true);
        addFilter("best_loss = none", true);
        addFilter("loss = none", false);
        addFilter("loss != none", true);
        addFilter("optimizer.momentum > 0", false);
        addFilter("started = 2025-11-20", true);
        addFilter("started = today", true);
        addFilter("started > 2025-11-20", false);
        addFilter("started >= 2025-11-20T12:00", true);
        addFilter("started < 2025-12", true);
        addFilter("started = yesterday", false);
        addFilter("experiment = optimizers", true);
        addFilter("experiment = \"Optimizers\"", true);
        addFiltersInOtherWords();
    }
    void matches()
    {
        QFETCH(QByteArray, text);
        const auto filter = Filter::parse(text.toStdString(), Now);
        QVERIFY2(filter.isOk(), filter ? "" : filter.error().message.c_str());
        QTEST(filter->matches(markedRun()), "expected");
    }

    /// As the window of another language calls columns, choices, states and units.
    void knowsWhatIsShown()
    {
        const auto shown = [](std::string_view context, std::string_view text) {
            return text == "Time per step (typical)" || text == "Time per step" ? std::string("每步耗时")
                : text == "Net"                                                 ? std::string("网络")
                : text == "CNN"                                                 ? std::string("卷积网络")
                : text == "ms"                                                  ? std::string("毫秒")
                : text == "finished"                                            ? std::string("已完成")
                                                                                : std::string(context) + "~";
        };
        const auto matches = [&](const char* text) {
            const auto filter = Filter::parse(text, Now, shown);
            return filter && filter->matches(markedRun());
        };
        QVERIFY(matches("网络＝卷积网络"));
        QVERIFY(!matches("网络！＝卷积网络"));
        QVERIFY(matches("status＝已完成"));
        const auto wrong = Filter::parse("网络＝循环网络", Now, shown);
        QVERIFY(!wrong && wrong.error().message.find("循环网络") != std::string::npos);
        for (const char* text :
            {"每步耗时 > 3 ms", "每步耗时＞３毫秒", "每步耗时 > 3ms", "peak_memory < 100 MiB", "steps < 60,000"}) {
            const auto filter = Filter::parse(text, Now, shown);
            QVERIFY2(filter.isOk(), text);
        }
        QVERIFY(!Filter::parse("steps < 6,00", Now, shown));
        QVERIFY(!Filter::parse("每步耗时 > 3 apples = 4", Now, shown));
    }

    void whatIsShownIsSearchedToo()
    {
        const auto filter = Filter::parse("Fertig", Now);
        QVERIFY(!filter->matches(markedRun()));
        QVERIFY(filter->matches(markedRun(), analysis::searchText(markedRun()) + "run ist fertig"));
        QVERIFY(filter->looksForText());
        QVERIFY(!Filter::parse("loss > 1", Now)->looksForText());
    }

    void errorsSayWhatIsAllowed_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("message");
        const auto add = [](const char* text, const char* message) {
            QTest::newRow(text) << QByteArray(text) << QString::fromUtf8(message);
        };
        add("acuracy > 0.9", "column: \"acuracy\" is unknown; did you mean accuracy?");
        add("warmupp > 3", "column: \"warmupp\" is unknown; did you mean sweep.warmup?");
        add("accuracy >", "filter: \"accuracy >\" needs a value after it, as in accuracy > 0.94");
        add("> 3", "filter: \">\" needs a column before it, as in accuracy > 0.94");
        add("accuracy > high", "filter: accuracy holds numbers, but \"high\" is not a number");
        add("accuracy > 94", "filter: accuracy is a share from 0 to 1; \"94\" may mean 94 %");
        add("loss > 3%", "filter: loss is not a share, so \"3%\" has no meaning; write a number without %");
        add("net = cnm", "filter: net.name is never \"cnm\"; allowed are logistic, mlp, cnn, lenet5, deep-mlp, gpt");
        add("net > cnn", "filter: net.name holds text; allowed are =, !=, ~ and !~, not \">\"");
        add("loss ~ 3", "filter: loss holds numbers; \"~\" is for text");
        add("(loss > 3", "filter: a \"(\" has no \")\" after it");
        add("loss > 3)", "filter: a \")\" has no \"(\" before it");
        add("loss > 3 and", "filter: something is missing after \"and\"");
        add("or loss > 3", "filter: something is missing before \"or\"");
        add("name = \"x", "filter: the quotation mark before \"x\" is not closed");
        add("started > monday",
            "filter: started is a date, but \"monday\" is not; write 2026-11-23, 2026-11-23T14:05, today or "
            "yesterday");
        add("pinned = maybe", "filter: pinned is yes or no, not \"maybe\"");
        add("lr > 0.1 rank > 3", "column: \"rank\" is unknown; did you mean ranks?");
    }
    void errorsSayWhatIsAllowed()
    {
        QFETCH(QByteArray, text);
        QTEST(errorOf(text.constData()), "message");
    }

    void deepNestingIsRefused()
    {
        const std::string deep(100'000, '(');
        QVERIFY(!Filter::parse(deep, Now).isOk());
        const std::string fine = fmt::format("{:(>20}loss > 0{:)>20}", "", "");
        QVERIFY(Filter::parse(fine, Now)->matches(markedRun()));
    }

    void shortNamesAreUnique()
    {
        QCOMPARE((*analysis::columnNamed("lr"))->name, std::string_view("optimizer.lr"));
        QCOMPARE((*analysis::columnNamed("net"))->name, std::string_view("net.name"));
        QCOMPARE((*analysis::columnNamed("data"))->name, std::string_view("dataset.name"));
        const auto every = analysis::columnNamed("every");
        QVERIFY(!every.isOk());
        QVERIFY(every.error().message.find("write the whole name") != std::string::npos);
        for (const analysis::Column& column : analysis::columns()) {
            QVERIFY2(analysis::columnNamed(column.name).isOk(), std::string(column.name).c_str());
            QVERIFY2(!column.label.empty() && !column.help.empty(), std::string(column.name).c_str());
        }
    }
};

LOCKSTEP_TEST(TestFilter)
#include "test_filter.moc"
