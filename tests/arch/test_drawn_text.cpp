// Text that may come onto paper is not clipped to its rectangle: after a text that is higher than its place, as Chinese
// ones are, Qt 6.4 writes a PDF in which that clip stays, and what is drawn after it is absent.
#include "program/test_class.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;

class TestDrawnText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textOnPaperIsNotClipped()
    {
        static const QRegularExpression Call(u"drawText(\\((?:[^()]++|(?1))*\\))"_s);
        const QDir root(QStringLiteral(LOCKSTEP_SOURCE_DIR) + u"/ui"_s);
        QStringList clipped;
        int calls = 0;
        for (const QString& folder : {u"charts"_s, u"export"_s, u"net"_s, u"ring"_s, u"timeline"_s}) {
            QDirIterator walk(root.filePath(folder), {u"*.cpp"_s}, QDir::Files, QDirIterator::Subdirectories);
            while (walk.hasNext()) {
                QFile file(walk.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                for (auto each = Call.globalMatch(QString::fromUtf8(file.readAll())); each.hasNext();) {
                    const QString call = each.next().captured();
                    const bool hasPlace = call.contains(u"Qt::Align"_s);
                    calls += hasPlace ? 1 : 0;
                    if (hasPlace && !call.contains(u"Qt::TextDontClip"_s)) {
                        clipped += root.relativeFilePath(file.fileName()) + u": "_s + call;
                    }
                }
            }
        }
        QVERIFY(calls > 20);
        QVERIFY2(clipped.isEmpty(), qPrintable(clipped.join(u'\n')));
    }
};

LOCKSTEP_TEST(TestDrawnText)
#include "test_drawn_text.moc"
