// What ranks, stores and this machine say, in Chinese: no English sentence is left of those that are known.
#include "program/test_class.h"
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
            << "第 100/625 步：损失 0.5312，学习率 0.1，数据 5 %，前向 31 %，反向 55 %，优化 9 "
               "%，12,345 样本/s";
        QTest::addRow("evaluation") << "step 625: test accuracy 95.1 % of 2000 images"
                                    << "第 625 步：测试准确率 95.1 %（2000 张图像）";
        QTest::addRow("cause in a cause") << "the run could not be stored: run store: /x is not there"
                                          << "无法保存运行：运行库：/x 不存在";
        QTest::addRow("status") << "interrupted"
                                << "已中断";
        QTest::addRow("folder") << "dataset.path: the folder \"/nowhere\" does not exist; choose the folder with the "
                                   "four IDX files"
                                << "dataset.path：文件夹“/nowhere”不存在；请选择含有四个 IDX 文件的文件夹";
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
