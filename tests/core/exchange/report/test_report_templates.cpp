// Templates: the built-in ones, and what is refused in others.
#include "program/test_class.h"

#include "exchange/report/template.h"
#include "experiment/spec.h"

#include <QTest>

#include <algorithm>
#include <array>

using namespace lockstep;
using namespace lockstep::report;

class TestReportTemplates : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void builtInTemplatesAreComplete()
    {
        QVERIFY(templateNames().size() >= 7);
        for (const std::string_view name : templateNames()) {
            const auto made = builtInTemplate(name);
            QVERIFY2(made.isOk(), made ? "" : made.error().text().c_str());
            QCOMPARE(made->name, std::string(name));
            QVERIFY(made->title.english != made->title.chinese);
            int questions = 0;
            for (const Section& section : made->sections) {
                QVERIFY2(section.heading.english != section.heading.chinese, section.id.c_str());
                for (const Item& item : section.content) {
                    QVERIFY2(item.text.english.empty() || item.text.english != item.text.chinese, section.id.c_str());
                    questions += item.kind == ItemKind::Question ? 1 : 0;
                }
            }
            QVERIFY2(questions >= 2, std::string(name).c_str());
        }
    }

    void everyExperimentHasOne()
    {
        for (const std::string_view experiment : experiment::presetNames()) {
            const Template made = templateFor(experiment);
            QVERIFY2(made.name != "comparison", std::string(experiment).c_str());
            QVERIFY(std::ranges::find(made.experiments, experiment) != made.experiments.end());
        }
        QCOMPARE(templateFor("of nobody").name, std::string("comparison"));
    }

    /// As a user's own sections are kept.
    void everySectionReadsBack()
    {
        for (const std::string_view name : templateNames()) {
            const auto made = builtInTemplate(name);
            for (const Section& section : made->sections) {
                const auto again = parseSection(toJson(section));
                QVERIFY2(again.isOk(), again ? "" : again.error().text().c_str());
                QCOMPARE(toJson(*again), toJson(section));
                QCOMPARE(again->content.size(), section.content.size());
            }
        }
        const auto chart = parseSection(R"({"id": "own-0", "heading": "", "content": [
            {"chart": "parameter", "choice": "bubble", "first": "optimizer.lr"}]})");
        QVERIFY2(chart.isOk(), chart ? "" : chart.error().text().c_str());
        QCOMPARE(chart->content.front().choice, std::string("bubble"));
        QCOMPARE(parseSection(toJson(*chart))->content.front().first, std::string("optimizer.lr"));
    }

    void badTemplatesAreRefused_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArray>("said");
        const QByteArray sections = R"("title": "T", "sections": [{"id": "a", "heading": "A", "content": [)";
        const QByteArray head = R"({"version": 1, "name": "x", )" + sections;
        QTest::addRow("no JSON") << QByteArray("{") << QByteArray("not JSON");
        QTest::addRow("version") << QByteArray(R"({"version": 2})") << QByteArray("version");
        QTest::addRow("no title") << QByteArray(R"({"version": 1, "name": "x"})") << QByteArray("needs \"title\"");
        QTest::addRow("unknown key") << QByteArray(R"({"version": 1, "colour": 3})")
                                     << QByteArray("\"colour\" is unknown");
        QTest::addRow("unknown item") << head + R"({"film": 1}]}]})" << QByteArray("needs one of text, chart");
        QTest::addRow("unknown table") << head + R"({"table": "of contents"}]}]})" << QByteArray("allowed: results");
        QTest::addRow("unknown column") << head + R"({"table": "results", "columns": ["weight"]}]}]})"
                                        << QByteArray("\"weight\" is unknown");
        QTest::addRow("unknown axis") << head + R"({"chart": "loss", "x": "miles"}]}]})"
                                      << QByteArray("allowed: step, epoch, seconds");
        QTest::addRow("option of another")
            << head + R"({"text": "t", "log": true}]}]})" << QByteArray("\"log\" is unknown");
        QTest::addRow("language") << head + R"({"text": {"fr": "t"}}]}]})" << QByteArray("allowed: en, zh");
        QTest::addRow("no sections") << QByteArray(R"({"version": 1, "name": "x", "title": "T", "sections": []})")
                                     << QByteArray("at least one section");
        QTest::addRow("twice") << QByteArray(R"({"version": 1, "name": "x", "title": "T", "sections": [
            {"id": "a", "heading": "A", "content": []}, {"id": "a", "heading": "B", "content": []}]})")
                               << QByteArray("appears twice");
    }
    void badTemplatesAreRefused()
    {
        QFETCH(QByteArray, json);
        QFETCH(QByteArray, said);
        const auto made = parseTemplate(json.toStdString());
        QVERIFY(!made);
        QVERIFY2(QByteArray::fromStdString(made.error().text()).contains(said), made.error().text().c_str());
    }

    void oneLanguageStandsInBoth()
    {
        const auto made = parseTemplate(R"({"version": 1, "name": "mine", "title": {"zh": "报告"},
            "sections": [{"id": "a", "heading": "Aim", "content": [{"text": "why"}]}]})");
        QVERIFY2(made.isOk(), made ? "" : made.error().text().c_str());
        QCOMPARE(made->title.english, std::string("报告"));
        QCOMPARE(made->sections.front().heading.chinese, std::string("Aim"));
    }

    void chartsAreChecked()
    {
        const auto made = parseTemplate(R"({"version": 1, "name": "mine", "title": "T",
            "sections": [{"id": "a", "heading": "Aim", "content": [{"chart": "loss"}]}]})");
        constexpr std::array<std::string_view, 1> Known{"loss"};
        constexpr std::array<std::string_view, 1> Other{"accuracy"};
        QVERIFY(checkCharts(*made, Known).isOk());
        QVERIFY(!checkCharts(*made, Other).isOk());
    }
};

LOCKSTEP_TEST(TestReportTemplates)
#include "test_report_templates.moc"
