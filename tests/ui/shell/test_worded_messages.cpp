// What ranks, stores and this machine say, in Chinese: no English sentence is left of those that are known.
#include "program/test_class.h"
#include "source_patterns.h"

#include "analysis/run_record.h"
#include "experiment/spec.h"
#include "language/language.h"
#include "language/shown_names.h"
#include "language/wording.h"
#include "rendezvous/host_list.h"
#include "ui/shell/desktop.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cstdint>
#include <string>

using namespace lockstep;

class TestWordedMessages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { ui::loadResources(); }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        language::installTexts(language::TextLanguage::English);
    }

    void knownMessagesAreWorded_data()
    {
        QTest::addColumn<QString>("english");
        QTest::addColumn<QString>("data");
        QTest::addColumn<QString>("chinese");
        const auto row = [](const char* name, const Text& text, const char* english, const char* chinese) {
            QTest::newRow(name) << QString::fromUtf8(english) << QString::fromStdString(packed(text))
                                << QString::fromUtf8(chinese);
        };
        const Text killed(LS_TR("Messages", "was killed by signal %1 (%2)"), {9, verbatim("Killed")});
        row("killed", {LS_TR("Messages", "%1 after step %2"), {Text(LS_TR("Messages", "rank %1 %2"), {1, killed}), 12}},
            "rank 1 was killed by signal 9 (Killed) after step 12", "rank 1 被信号 9（Killed）终止（在第 12 步之后）");
        Text facts(LS_TR("Messages", "loss %1"), {verbatim("0.5312")});
        for (const Text& each : {Text(LS_TR("Messages", "learning rate %1"), {verbatim("0.1")}),
                 Text(LS_TR("Messages", "data %1 %"), {5}), Text(LS_TR("Messages", "forward %1 %"), {31}),
                 Text(LS_TR("Messages", "%1 samples/s"), {verbatim("12,345")})}) {
            facts = {LS_TR("Messages", "%1, %2"), {facts, each}};
        }
        row("log line", {LS_TR("Messages", "step %1 of %2: %3"), {100, 625, facts}},
            "step 100 of 625: loss 0.5312, learning rate 0.1, data 5 %, forward 31 %, 12,345 samples/s",
            "第 100/625 步：损失 0.5312，学习率 0.1，数据 5 %，前向 31 %，12,345 样本/s");
        row("evaluation",
            {LS_TR("Messages", "step %1: test accuracy %2 of %3 images"), {625, verbatim("95.1 %"), 2000}},
            "step 625: test accuracy 95.1 % of 2000 images", "第 625 步：测试准确率 95.1 %（2000 张图像）");
        row("cause in a cause",
            during(LS_TR("Messages", "the run could not be stored"),
                failure(LS_TR("Messages", "run store: %1 does not exist"), {verbatim("/x")})),
            "the run could not be stored: run store: /x does not exist", "无法保存运行：运行库：/x 不存在");
        row("status", analysis::nameOf(analysis::RunStatus::Interrupted), "interrupted", "已中断");
        row("folder",
            refusal("dataset.path",
                LS_TR("Refusals", "the folder \"%1\" does not exist; choose the folder with the four IDX files"),
                {verbatim("/nowhere")}),
            "dataset.path: the folder \"/nowhere\" does not exist; choose the folder with the four IDX files",
            "dataset.path：文件夹“/nowhere”不存在；请选择含有四个 IDX 文件的文件夹");
        const Text grid(LS_TR("Messages", "%1 is %2"),
            {verbatim("strategy.name"), Text(LS_TR("Messages", "%1 or %2"), {verbatim("zero"), verbatim("grid")})});
        const Text gpu(LS_TR("Messages", "%1 is not %2"), {verbatim("device"), verbatim("cpu")});
        row("conditions",
            refusal("zero.stage", LS_TR("Messages", "has no effect in this experiment: it applies where %1"),
                {Text(LS_TR("Messages", "%1 and %2"), {grid, gpu})}),
            "zero.stage: has no effect in this experiment: it applies where strategy.name is zero or grid and device "
            "is not cpu",
            "zero.stage：在此实验中不起作用：适用条件为 strategy.name 为 zero 或 grid 且 device 不是 cpu");
        row("line of a file", rendezvous::parseHosts("n1\nn2 slots=x\n").error(),
            "line 2: `slots=x` is not slots=N with N from 1 to 4096",
            "第 2 行：`slots=x` 不是 slots=N（N 为 1 到 4096）");
        row("of others", verbatim("something of a library"), "something of a library", "something of a library");
        row("of an earlier version", Text("rank 1 did what it did"), "rank 1 did what it did",
            "rank 1 did what it did");
    }

    void knownMessagesAreWorded()
    {
        QFETCH(QString, english);
        QFETCH(QString, data);
        QFETCH(QString, chinese);
        const Text text = unpacked(english.toStdString(), data.toStdString());
        QCOMPARE(packed(text), data.toStdString());
        QCOMPARE(QString::fromStdString(language::worded(text)), english);
        const language::TextsIn texts(language::TextLanguage::Chinese);
        QCOMPARE(QString::fromStdString(language::worded(text)), chinese);
    }

    void everyPatternIsInTheCatalogue()
    {
        const language::TextsIn texts(language::TextLanguage::Chinese);
        QStringList wrong;
        const auto patterns = test::patternsOfSources();
        for (const test::Pattern& each : patterns) {
            const auto chinese = language::catalogued(each.text.toStdString());
            if (!chinese) {
                wrong += each.where + QStringLiteral(": not in the catalogue: ") + each.text;
            } else if (test::placesOf(each.text) != test::placesOf(QString::fromStdString(*chinese))) {
                wrong += each.where + QStringLiteral(": other places: ") + QString::fromStdString(*chinese);
            }
        }
        QVERIFY2(patterns.size() > 500, qPrintable(QString::number(patterns.size())));
        QVERIFY2(wrong.isEmpty(), qPrintable(u'\n' + wrong.join(u'\n')));
    }

    /// As subjects of a Chinese sentence: a verb for what is off, brackets for further parts, of every value.
    void namesOfVariantsReadAsChinese_data()
    {
        QTest::addColumn<QString>("experiment");
        QTest::addColumn<QString>("variant");
        QTest::addColumn<QString>("chinese");
        const auto row = [](const char* experiment, const char* variant, const char* chinese) {
            QTest::newRow(variant) << QString::fromUtf8(experiment) << QString::fromUtf8(variant)
                                   << QString::fromUtf8(chinese);
        };
        row("offload", "none", "不卸载优化器状态");
        row("schedules", "constant", "恒定学习率");
        row("mixed-precision", "float32", "不用混合精度");
        row("scaling", "2-weak", "2 个 rank（弱扩展）");
        row("aggregation", "ring-slow", "环形（rank 1 +5 ms）");
        row("aggregation", "ring world_size=2", "环形（2 个 rank）");
        row("aggregation", "ring world_size=2 lr=0.3", "环形（2 个 rank、学习率 0.3）");
    }
    void namesOfVariantsReadAsChinese()
    {
        QFETCH(QString, experiment);
        QFETCH(QString, variant);
        QFETCH(QString, chinese);
        const language::TextsIn texts(language::TextLanguage::Chinese);
        const std::string name = variant.toStdString();
        const auto spec = experiment::preset(experiment.toStdString());
        const auto own = std::ranges::find(spec->variants, name.substr(0, name.find(' ')), &experiment::Variant::name);
        experiment::Assignment settings = experiment::withDefaults(spec->base, own->values);
        for (const auto& [key, value] :
            experiment::Assignment{{"world_size", std::int64_t{2}}, {"optimizer.lr", 0.3}}) {
            settings[key] = value;
        }
        QCOMPARE(QString::fromStdString(language::shownName(experiment.toStdString(), name, settings)), chinese);
    }

    /// Two words of English in a row that are no command are a sentence that is not translated.
    void noEnglishIsLeftBesideVerbatimParts()
    {
        // What one types, or a parameter and its value.
        static const QRegularExpression Commands(
            QStringLiteral("`[^`]*`|lockstep[a-z -]*|pip install [a-z-]*|--index-url https|lab [a-z-]+|mpirun "
                           "-n|apt-get install [a-z0-9 -]+|python3 "
                           "[a-z.]+|--[a-z]+ [a-z-]+|"
                           "[a-z]+\\.[a-z_]+ [a-z_]+|device cpu|\\([a-z.]+ x [a-z.]+ x [a-z.]+\\)"));
        static const QRegularExpression English(QStringLiteral("[A-Za-z]{2,} [a-z]{2,}"));
        const language::TextsIn texts(language::TextLanguage::Chinese);
        QStringList left;
        for (const test::Pattern& each : test::patternsOfSources()) {
            const std::vector<Text> arguments(9, verbatim("7"));
            const QString chinese = QString::fromStdString(language::worded(Text(each.text.toStdString(), arguments)));
            if (QString(chinese).remove(Commands).contains(English)) {
                left += each.where + QStringLiteral(": ") + chinese;
            }
        }
        QVERIFY2(left.isEmpty(), qPrintable(u'\n' + left.join(u'\n')));
    }

    /// A text that is put together where it is reported cannot be worded by a reader of another language.
    void noErrorIsMadeOfTextAlone()
    {
        QVERIFY2(test::errorsOfText().isEmpty(), qPrintable(u'\n' + test::errorsOfText().join(u'\n')));
    }

    void aTextIsWordedPartByPart()
    {
        const Text cause(LS_TR("Messages", "%1 cannot be read: %2"), {verbatim("No such file"), "it is a folder"});
        const Text text(LS_TR("Messages", "rank %1: %2"), {2, cause});
        QCOMPARE(language::worded(text), std::string("rank 2: No such file cannot be read: it is a folder"));
        const language::TextsIn texts(language::TextLanguage::Chinese);
        QCOMPARE(language::worded(text), std::string("rank 2：无法读取 No such file：这是一个文件夹"));
        // What came over the wire, and a pattern of a later version.
        QCOMPARE(language::worded(unpacked(text.english, packed(text))), language::worded(text));
        const Text later("rank %1 did what this version does not know: %2", {2, cause});
        QCOMPARE(language::worded(later), later.english);
        QCOMPARE(language::worded(verbatim("running")), std::string("running"));
        QCOMPARE(language::worded("running"), std::string("运行中"));
    }

    void languagesAreNamed()
    {
        QCOMPARE(language::languageFromName(u"zh_CN"), language::TextLanguage::Chinese);
        QCOMPARE(language::languageFromName(u"en-GB"), language::TextLanguage::English);
        QVERIFY(!language::languageFromName(u"fr"));
        QVERIFY(!language::languageFromName(u"english"));
        QStringList words{
            QStringLiteral("runs"), QStringLiteral("--lang"), QStringLiteral("zh"), QStringLiteral("--json")};
        const auto language = language::takeLanguage(words);
        QVERIFY(language.isOk());
        QCOMPARE(*language, language::TextLanguage::Chinese);
        QCOMPARE(words, (QStringList{QStringLiteral("runs"), QStringLiteral("--json")}));
        QStringList without{QStringLiteral("runs"), QStringLiteral("--lang")};
        QVERIFY(!language::takeLanguage(without).isOk());
    }

    void aFiguresLanguageEndsWithIt()
    {
        {
            const language::TextsIn outer(language::TextLanguage::Chinese);
            {
                const language::TextsIn inner(language::TextLanguage::English);
                QCOMPARE(language::textLanguage(), language::TextLanguage::English);
            }
            QCOMPARE(language::translated("ChartModel", "Loss"), std::string("损失"));
        }
        QCOMPARE(language::translated("ChartModel", "Loss"), std::string("Loss"));
    }

    void columnsCountWideCharacters()
    {
        QCOMPARE(language::inColumn(QStringLiteral("系统"), -6), QStringLiteral("系统  "));
        QCOMPARE(language::inColumn(QStringLiteral("12"), 4), QStringLiteral("  12"));
    }
};

LOCKSTEP_TEST(TestWordedMessages)
#include "test_worded_messages.moc"
