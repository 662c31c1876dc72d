#include "program/window_test.h"
#include "ui/widgets/elided_combo_box.h"

#include <QStyleOptionComboBox>
#include <QTest>

using namespace lockstep;

class TestElidedComboBox : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// At the width that it asks for, the field of the longest text is as wide as the text and the style's margin.
    void theLongestTextHasRoom_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addRow("English") << QStringLiteral("Memory per rank (PSS)");
        QTest::addRow("Chinese") << QStringLiteral("每个 rank 的内存（PSS）");
        QTest::addRow("one letter") << QStringLiteral("x");
    }

    void theLongestTextHasRoom()
    {
        QFETCH(QString, text);
        ui::ElidedComboBox box;
        box.setSizeAdjustPolicy(QComboBox::AdjustToContents);
        box.addItems({QStringLiteral("i"), text});
        box.resize(box.sizeHint());
        QStyleOptionComboBox option;
        option.initFrom(&box);
        option.frame = box.hasFrame();
        const QRect field
            = box.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box);
        const QString shown = option.fontMetrics.elidedText(text, Qt::ElideRight, field.width() - 4);
        QCOMPARE(shown, text);
    }
};

LOCKSTEP_WINDOW_TEST(TestElidedComboBox)
#include "test_elided_combo_box.moc"
