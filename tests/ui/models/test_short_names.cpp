// Names that are too long: what is cut is never the part in which they differ.
#include "program/test_class.h"
#include "ui/models/chart_axes.h"
#include "ui/models/short_names.h"

#include <QTest>

using namespace lockstep;

class TestShortNames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatFitsStays()
    {
        const QStringList names{"Ring, 2 ranks", "Ring, 4 ranks"};
        QCOMPARE(ui::shortNames(names, [](const QString&) { return true; }), names);
    }

    void sharedPartsGoFirst()
    {
        QCOMPARE(ui::shortNames({"Ring, 2 ranks", "Ring, 4 ranks"}, atMost(8)), (QStringList{"2 ranks", "4 ranks"}));
        QCOMPARE(ui::shortNames({QStringLiteral("环形，2 个 rank"), QStringLiteral("环形，4 个 rank")}, atMost(8)),
            (QStringList{QStringLiteral("2 个 rank"), QStringLiteral("4 个 rank")}));
    }

    /// In any room, down to none.
    void namesThatDifferStayDifferent()
    {
        const QList<QStringList> all{{"All-reduce, 2 ranks", "All-reduce, 4 ranks", "Ring, 2 ranks", "Ring, 4 ranks"},
            {"Adam, learning rate 0.0001", "Adam, learning rate 0.0003", "Adam, learning rate 0.001"},
            {"Ring", "Ring, 4 ranks", "Ring, rank 3 +5 ms"}, {"a, b", "b, a"}, {"One"},
            {"Single process", "Single process", "Data parallel"}};
        for (const QStringList& names : all) {
            for (int room = 0; room < 40; ++room) {
                const QStringList shorter = ui::shortNames(names, atMost(room));
                QCOMPARE(shorter.size(), names.size());
                for (qsizetype i = 0; i < names.size(); ++i) {
                    for (qsizetype j = 0; j < i; ++j) {
                        QVERIFY2((names[i] == names[j]) == (shorter[i] == shorter[j]), qPrintable(shorter.join(u'|')));
                    }
                }
            }
        }
    }

    /// Two bars of one label cannot be told apart.
    void namesOfBarsStayApart()
    {
        ui::AxisSpec axis;
        axis.categories = {QStringLiteral("Parameter server, synchronous, rank 1 +5 ms"),
            QStringLiteral("Parameter server, asynchronous, rank 1 +5 ms"), QStringLiteral("2\nRing"),
            QStringLiteral("All-reduce")};
        const std::vector<QString> names = ui::categoryNames(axis, Qt::Horizontal);
        QVERIFY2(names[0] != names[1], qPrintable(names[0]));
        QVERIFY2(names[0].size() < 35, qPrintable(names[0]));
        QCOMPARE(names[2], QStringLiteral("2\nRing"));
        QCOMPARE(names[3], QStringLiteral("All-reduce"));
    }

private:
    static std::function<bool(const QString&)> atMost(int length)
    {
        return [length](const QString& text) { return text.size() <= length; };
    }
};

LOCKSTEP_TEST(TestShortNames)
#include "test_short_names.moc"
