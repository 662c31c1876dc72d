// Settings of a program of one's own: its command line, its parameters, and what does not reach it.
#include "experiment/choices.h"
#include "experiment/parameter.h"
#include "experiment/spec.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

using namespace lockstep;
using namespace lockstep::experiment;

namespace {

Result<RunSpec> ownRun(const std::string& settings)
{
    return parseRunSpec(R"({"version":1,"experiment":"own","base":{)" + settings + "}}");
}

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words) {
        text += '[' + word + ']';
    }
    return text;
}

} // namespace

class TestOwnSettings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void wordsOfACommand_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("words");
        QTest::addRow("blanks") << "  python3\ttrain.py  a "
                                << "[python3][train.py][a]";
        QTest::addRow("single quotes") << "python3 'my file.py' '\\n'"
                                       << "[python3][my file.py][\\n]";
        QTest::addRow("double quotes") << "python3 \"a b\"c \"\" \"\\\"x\\\"\""
                                       << "[python3][a bc][][\"x\"]";
        QTest::addRow("backslash") << "python3 my\\ file.py"
                                   << "[python3][my file.py]";
        QTest::addRow("no shell") << "python3 $HOME;rm *.py"
                                  << "[python3][$HOME;rm][*.py]";
    }
    void wordsOfACommand()
    {
        QFETCH(QString, command);
        QFETCH(QString, words);
        const auto read = programWords(command.toStdString());
        QVERIFY2(read, read ? "" : read.error().text().c_str());
        QCOMPARE(QString::fromStdString(joined(*read)), words);
    }

    void noWords()
    {
        for (const char* command : {"", "   ", "''", "python3 'x", "python3 \"x"}) {
            const auto read = programWords(command);
            QVERIFY2(!read && read.error().text().starts_with("rank.program: "), command);
        }
    }

    void aProgramSaysWhichStrategyItNeeds()
    {
        const auto run = ownRun(R"("rank.program":"python3 x.py","own.lr":1,"own.name":"a","own.on":true,"own.x":0.5)");
        QVERIFY2(run, run ? "" : run.error().text().c_str());
        QVERIFY(is(*run, Strategy::Own));
        QCOMPARE(*worldSizeOf(*run), 1); // world_size 0
        QVERIFY(run->settings.at("own.lr") == Value(std::int64_t{1}));
        QVERIFY(run->settings.at("own.name") == Value(std::string("a")));
        QVERIFY(run->settings.at("own.on") == Value(true));
        QVERIFY(run->settings.at("own.x") == Value(0.5));
        const auto again = parseRunSpec(toJson(*run));
        QVERIFY(again && again->settings == run->settings);
    }

    void textsOfOwnParameters()
    {
        const Parameter* row = findParameter("own.any_name");
        QVERIFY(row != nullptr && row == findParameter("own.any_name"));
        QVERIFY(*parseValue(*row, "7") == Value(std::int64_t{7}));
        QVERIFY(*parseValue(*row, "0.5") == Value(0.5));
        QVERIFY(*parseValue(*row, "true") == Value(true));
        QVERIFY(*parseValue(*row, "some text") == Value(std::string("some text")));
        for (const char* name : {"own.", "own.1x", "own.a b", "own.a-b", "own", "owner.x"}) {
            QVERIFY2(findParameter(name) == nullptr, name);
        }
        QVERIFY(findParameter("own." + std::string(65, 'a')) == nullptr);
    }

    void refused_data()
    {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<QString>("message");
        QTest::addRow("own without a program") << R"("own.lr":1)"
                                               << "own.lr: only your own program .*";
        QTest::addRow("own of collectives") << R"("strategy.name":"collectives","own.lr":1)"
                                            << "own.lr: only your own program .*";
        QTest::addRow("no program") << R"("strategy.name":"own")"
                                    << "rank.program: .*needs the command.*";
        QTest::addRow("a list") << R"("rank.program":"x","own.lr":[1])"
                                << "own.lr: \\[1\\] is not true, false, .*";
        QTest::addRow("null") << R"("rank.program":"x","own.lr":null)"
                              << "own.lr: null is not .*";
    }
    void refused()
    {
        QFETCH(QString, settings);
        QFETCH(QString, message);
        const auto run = ownRun(settings.toStdString());
        QVERIFY(!run);
        const QString said = QString::fromStdString(run.error().text());
        QVERIFY2(
            QRegularExpression(QRegularExpression::anchoredPattern(message)).match(said).hasMatch(), qPrintable(said));
    }

    void parametersOfLockstepRankDoNotReachIt()
    {
        const auto spec = parseSpec(
            R"({"version":1,"experiment":"own","base":{"rank.program":"x","optimizer.lr":0.5,"device":"cpu"}})");
        QVERIFY2(spec, spec ? "" : spec.error().text().c_str());
        const std::vector<std::string> asked{"optimizer.lr", "device", "rank.program"};
        const auto without = settingsWithoutEffect(*spec, asked);
        QCOMPARE(without.size(), std::size_t{2});
        QCOMPARE(without[0].name, std::string("optimizer.lr"));
        QCOMPARE(without[1].name, std::string("device"));
        QVERIFY(!refuseWithoutEffect(without));
    }
};

LOCKSTEP_TEST(TestOwnSettings)
#include "test_own_settings.moc"
