// Text of others is never markup: labels, tool tips and dialogs of the window take the one way
// (ui/widgets/plain_label.h, ui/models/shown_text.h), and few places, whose text is escaped, build markup.
#include "program/test_class.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace Qt::StringLiterals;

namespace {

struct Rule {
    QRegularExpression wrong;
    QSet<QString> allowed; ///< files, with the reason behind each
};

QList<Rule> rules()
{
    const QSet<QString> pagesOfMarkup{
        u"ui/export/scaled_paint.cpp"_s, // what findings_page.cpp shows
        u"ui/pages/machine/doctor_dialog.cpp"_s, // every text by toHtmlEscaped()
        u"ui/pages/laboratory/lesson_view.cpp"_s, // Markdown without HTML and without remote pictures
        u"ui/pages/report/findings_page.cpp"_s, // every text by toHtmlEscaped()
        u"ui/shell/help_window.cpp"_s, // our own help, by toHtmlEscaped()
    };
    return {
        {QRegularExpression(u"\\bnew QLabel\\b|\\bQLabel [a-z]\\w*[;({]"_s),
            {u"ui/widgets/plain_label.cpp"_s}}, // makes the labels of all others
        {QRegularExpression(u"\\b(setHtml|insertHtml|appendHtml|setMarkdown)\\("_s), pagesOfMarkup},
        {QRegularExpression(u"Qt::(RichText|MarkdownText|AutoText)\\b"_s),
            {u"ui/theme/window_style.cpp"_s}}, // makes labels of Qt's dialogs plain
        {QRegularExpression(u"\\bQTextEdit\\b(?!::)|\\bQErrorMessage\\b|\\bQToolTip\\b|\\bQWhatsThis\\b"_s), {}},
        {QRegularExpression(u"\\bQMessageBox::(information|warning|critical|question|about)\\("_s), {}},
        {QRegularExpression(u"\\b(setWhatsThis|setStatusTip|setTabToolTip)\\("_s), {}},
    };
}

/// The statement around `at`: from the last `;`, `{` or `}` before it to the next `;`.
QString statementAt(const QString& text, qsizetype at)
{
    qsizetype begin = at;
    while (begin > 0 && !u";{}"_s.contains(text[begin - 1])) {
        --begin;
    }
    const qsizetype end = text.indexOf(u';', at);
    return text.mid(begin, (end < 0 ? text.size() : end) - begin);
}

/// Tool tips that are set without tipText(), and are neither empty nor one text of ours.
QStringList tipsIn(const QString& text)
{
    static const QRegularExpression Set(u"setToolTip\\(\\s*((?:0|column), )?(\\w*\\(?\\{?)"_s);
    static const QRegularExpression Role(u"\\bToolTipRole\\b"_s);
    static const QRegularExpression OwnText(
        u"(setToolTip\\(|return )tr\\((\\s*\"(?:[^\"\\\\]|\\\\.)*\")+\\)\\s*\\)?$"_s);
    QStringList found;
    for (auto each = Set.globalMatch(text); each.hasNext();) {
        const QRegularExpressionMatch match = each.next();
        const QString statement = statementAt(text, match.capturedStart());
        const bool isSafe = match.captured(2) == u"tipText("_s || match.captured(2) == u"{"_s;
        if (!isSafe && !OwnText.match(statement).hasMatch()) {
            found += statement.trimmed();
        }
    }
    for (auto each = Role.globalMatch(text); each.hasNext();) {
        const QString statement = statementAt(text, each.next().capturedStart());
        // The first statement of the branch, where the role opens one.
        const QString whole = statement + text.mid(text.indexOf(statement) + statement.size(), 1);
        if (!whole.contains(u"tipText("_s) && !OwnText.match(statement.trimmed()).hasMatch()) {
            found += statement.trimmed();
        }
    }
    return found;
}

} // namespace

class TestOutsideText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theScannerFindsTips()
    {
        QCOMPARE(tipsIn(u"x->setToolTip(tipText(name));"_s), QStringList());
        QCOMPARE(tipsIn(u"x->setToolTip({}); y.setToolTip(0, tipText(a));"_s), QStringList());
        QCOMPARE(tipsIn(u"x->setToolTip(tr(\"A; \\\"b\\\".\"\n \"C.\"));"_s).size(), 1); // a `;` in it: say it apart
        QCOMPARE(tipsIn(u"x->setToolTip(tr(\"Ours.\"\n  \"Too.\"));"_s), QStringList());
        QCOMPARE(tipsIn(u"x->setToolTip(name);"_s).size(), 1);
        QCOMPARE(tipsIn(u"x->setToolTip(tr(\"%1\").arg(name));"_s).size(), 1);
        QCOMPARE(tipsIn(u"case Qt::ToolTipRole:\n return name;"_s).size(), 1);
        QCOMPARE(tipsIn(u"case Qt::ToolTipRole:\n return tipText(name);"_s), QStringList());
        QCOMPARE(tipsIn(u"if (role == Qt::ToolTipRole) {\n return name;\n}"_s).size(), 1);
        QCOMPARE(tipsIn(u"if (role == Qt::ToolTipRole) {\n return tipText(name);\n}"_s), QStringList());
        QCOMPARE(tipsIn(u"box.setItemData(1, tipText(name), Qt::ToolTipRole);"_s), QStringList());
    }

    void allTextTakesTheOneWay()
    {
        const QDir root(QStringLiteral(LOCKSTEP_SOURCE_DIR));
        const QString ownTip = u"ui/pages/rank_strip.cpp"_s; // with a swatch a phase; every text by toHtmlEscaped()
        const auto all = rules();
        QStringList found;
        int files = 0;
        QDirIterator walk(root.filePath(u"ui"_s), {u"*.h"_s, u"*.cpp"_s}, QDir::Files, QDirIterator::Subdirectories);
        while (walk.hasNext()) {
            QFile file(walk.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QString name = root.relativeFilePath(file.fileName());
            const QString text = QString::fromUtf8(file.readAll());
            ++files;
            for (const Rule& rule : all) {
                const auto match = rule.wrong.match(text);
                if (match.hasMatch() && !rule.allowed.contains(name)) {
                    found += name + u": "_s + match.captured();
                }
            }
            if (name != ownTip) {
                for (const QString& tip : tipsIn(text)) {
                    found += name + u": "_s + tip;
                }
            }
        }
        QVERIFY(files > 200);
        QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
    }
};

LOCKSTEP_TEST(TestOutsideText)
#include "test_outside_text.moc"
