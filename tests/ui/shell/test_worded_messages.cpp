// What ranks, stores and this machine say, in Chinese: no English sentence is left of those that are known.
#include "program/test_class.h"
#include "source_errors.h"

#include "session/language.h"
#include "session/messages.h"
#include "ui/shell/desktop.h"

#include <QRegularExpression>
#include <QTest>

using namespace lockstep;

class TestWordedMessages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { ui::loadResources(); }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        session::installTexts(session::TextLanguage::English);
    }

    void knownMessagesAreWorded_data()
    {
        QTest::addColumn<QString>("english");
        QTest::addColumn<QString>("chinese");
        QTest::addRow("killed") << "rank 1 was killed by signal 9 (Killed) after step 12"
                                << "rank 1 在第 12 步之后被信号 9（Killed）终止";
        QTest::addRow("log line")
            << "step 100 of 625: loss 0.5312, learning rate 0.1, data 5 %, forward 31 %, backward "
               "55 %, optimize 9 %, 12,345 samples/s"
            << "第 100/625 步：损失 0.5312，学习率 0.1，数据 5 %，前向 31 %，反向 55 %，更新 9 "
               "%，12,345 样本/s";
        QTest::addRow("evaluation") << "step 625: test accuracy 95.1 % of 2000 images"
                                    << "第 625 步：测试准确率 95.1 %（2000 张图像）";
        QTest::addRow("cause in a cause") << "the run could not be stored: run store: /x does not exist"
                                          << "无法保存运行：运行库：/x 不存在";
        QTest::addRow("status") << "interrupted"
                                << "已中断";
        QTest::addRow("folder") << "dataset.path: the folder \"/nowhere\" does not exist; choose the folder with the "
                                   "four IDX files"
                                << "dataset.path：文件夹“/nowhere”不存在；请选择含有四个 IDX 文件的文件夹";
        QTest::addRow("conditions")
            << "zero.stage: has no effect in this experiment: it applies where strategy.name is zero or grid and "
               "device is not cpu"
            << "zero.stage：在此实验中不起作用：适用条件为 strategy.name 为 zero 或 grid 且 device 不为 cpu";
        QTest::addRow("rank in a collective") << "rank 2: all_reduce: rank 1 (process 12) has left the group"
                                              << "rank 2：all_reduce：rank 1（进程 12）已离开组";
        QTest::addRow("value") << "train.batch: 0 is outside [1, inf)"
                               << "train.batch：0 超出范围 [1, inf)";
        QTest::addRow("line of a file") << "line 2: `slots=x` is not slots=N with N from 1 to 1024"
                                        << "第 2 行：`slots=x` 不是 slots=N（N 为 1 到 1024）";
        QTest::addRow("system") << "/x/report.docx cannot be written: No space left on device"
                                << "无法写入 /x/report.docx：磁盘空间不足";
        QTest::addRow("of others") << "something of a library"
                                   << "something of a library";
    }

    void knownMessagesAreWorded()
    {
        QFETCH(QString, english);
        QFETCH(QString, chinese);
        QCOMPARE(QString::fromStdString(session::worded(english.toStdString())), english);
        const session::TextsIn texts(session::TextLanguage::Chinese);
        QCOMPARE(QString::fromStdString(session::worded(english.toStdString())), chinese);
    }

    void everyErrorOfTheSourcesIsWorded()
    {
        // Two words of English in a row that are no command: a sentence that is not translated.
        static const QRegularExpression Commands(QStringLiteral("`[^`]*`|lockstep[a-z -]*|mpirun -n"));
        static const QRegularExpression English(QStringLiteral("[A-Za-z]{2,} [a-z]{2,}"));
        const session::TextsIn texts(session::TextLanguage::Chinese);
        std::size_t count = 0;
        QStringList left;
        for (const char* room : {"/core", "/ui", "/app"}) {
            const auto errors = test::errorsOfSources(QStringLiteral(LOCKSTEP_SOURCE_DIR) + QLatin1String(room));
            count += errors.size();
            for (const test::SourceError& error : errors) {
                const QString chinese = QString::fromStdString(session::worded(error.text.toStdString()));
                if (QString(chinese).remove(Commands).contains(English)) {
                    left += error.where + QStringLiteral(": ") + chinese;
                }
            }
        }
        QVERIFY2(count > 200, qPrintable(QString::number(count)));
        QVERIFY2(left.isEmpty(), qPrintable(u'\n' + left.join(u'\n')));
    }

    void languagesAreNamed()
    {
        QCOMPARE(session::languageFromName(u"zh_CN"), session::TextLanguage::Chinese);
        QCOMPARE(session::languageFromName(u"en-GB"), session::TextLanguage::English);
        QVERIFY(!session::languageFromName(u"fr"));
        QVERIFY(!session::languageFromName(u"english"));
        QStringList words{
            QStringLiteral("runs"), QStringLiteral("--lang"), QStringLiteral("zh"), QStringLiteral("--json")};
        const auto language = session::takeLanguage(words);
        QVERIFY(language.isOk());
        QCOMPARE(*language, session::TextLanguage::Chinese);
        QCOMPARE(words, (QStringList{QStringLiteral("runs"), QStringLiteral("--json")}));
        QStringList without{QStringLiteral("runs"), QStringLiteral("--lang")};
        QVERIFY(!session::takeLanguage(without).isOk());
    }

    void aFiguresLanguageEndsWithIt()
    {
        {
            const session::TextsIn outer(session::TextLanguage::Chinese);
            {
                const session::TextsIn inner(session::TextLanguage::English);
                QCOMPARE(session::textLanguage(), session::TextLanguage::English);
            }
            QCOMPARE(session::translated("ChartModel", "Loss"), std::string("损失"));
        }
        QCOMPARE(session::translated("ChartModel", "Loss"), std::string("Loss"));
    }

    void columnsCountWideCharacters()
    {
        QCOMPARE(session::inColumn(QStringLiteral("系统"), -6), QStringLiteral("系统  "));
        QCOMPARE(session::inColumn(QStringLiteral("12"), 4), QStringLiteral("  12"));
    }
};

LOCKSTEP_TEST(TestWordedMessages)
#include "test_worded_messages.moc"
