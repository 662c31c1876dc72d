// Tables as CSV that no spreadsheet runs, as LaTeX that compiles, and for a terminal.
#include "analysis/plain_text.h"
#include "analysis/run_record.h"
#include "analysis/table/text_table.h"
#include "program/test_class.h"

#include <QTest>

using namespace lockstep;
using analysis::TextTable;

class TestTextTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void csvCells_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("cell");
        const auto add = [](const char* text, const char* cell) {
            QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(cell);
        };
        add("SGD", "SGD");
        add("a,b", "\"a,b\"");
        add("say \"x\"", "\"say \"\"x\"\"\"");
        add("=1+1", "\"'=1+1\"");
        add("+cmd", "\"'+cmd\"");
        add("-cmd|x", "\"'-cmd|x\"");
        add("@SUM(A1)", "\"'@SUM(A1)\"");
        add("\tx", "\"' x\"");
        add("a\x1b[31m\nb", "a\xEF\xBF\xBD[31m↵b");
        add("-0.5", "-0.5");
        add("+3.5", "+3.5");
        add("-1e-05", "-1e-05");
        add("-", "\"'-\"");
        add("++1", "\"'++1\"");
        add("", "");
    }
    void csvCells()
    {
        QFETCH(QString, text);
        QTEST(QString::fromStdString(analysis::csvCell(text.toStdString())), "cell");
    }

    void csvHasAllRows()
    {
        const TextTable table{{{"run"}, {"loss", true}}, {{"SGD", "0.1"}, {"a\nb", "0.2"}}};
        QCOMPARE(analysis::toCsv(table), "run,loss\nSGD,0.1\na↵b,0.2\n");
    }

    void latexIsEscaped()
    {
        QCOMPARE(analysis::latexEscaped("a_b & 5 % {x} #1 $2 ~ ^ \\cmd <>"),
            "a\\_\\allowbreak{}b \\& 5 \\% \\{x\\} \\#1 \\$2 \\textasciitilde{} \\textasciicircum{} "
            "\\textbackslash{}cmd "
            "\\textless{}\\textgreater{}");
        QCOMPARE(analysis::latexEscaped("95.1 ± 0.3 – 变体"), "95.1 \\ensuremath{\\pm} 0.3 \\textendash{} 变体");
        const TextTable table{{{"run"}, {"loss", true}}, {{"[x]", "0.1"}}};
        QCOMPARE(analysis::toLatex(table),
            "% \\usepackage{booktabs}\n\\begin{tabular}{lr}\n  \\toprule\n  run & loss \\\\\n  \\midrule\n"
            "  {[}x{]} & 0.1 \\\\\n  \\bottomrule\n\\end{tabular}\n");
    }

    void columnsAreAligned()
    {
        const TextTable table{{{"name"}, {"n", true}, {"note"}}, {{"变体", "10", "x"}, {"b", "9", ""}}};
        QCOMPARE(analysis::toColumns(table), "name   n  note\n变体  10  x\nb      9\n");
        // A terminal obeys nothing in it, and a row stays a row.
        QCOMPARE(analysis::toColumns({{{"a"}, {"b"}}, {{"x\x1b[2J\n", "y"}}}), "a        b\nx\xEF\xBF\xBD[2J↵  y\n");
    }

    void tagsAreReadFromText()
    {
        const std::vector<std::string> expected{"paper", "final figure"};
        QCOMPARE(analysis::tagsFromText(" paper, final figure ,, paper"), expected);
        QVERIFY(analysis::tagsFromText("  ").empty());
    }
};

LOCKSTEP_TEST(TestTextTable)
#include "test_text_table.moc"
