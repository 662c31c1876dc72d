// The answer to what each store asks is the first thing that its findings say, and claims no more than is true.
#include "analysis/findings/all_findings.h"
#include "core/truth/headline_check.h"
#include "language/wording.h"
#include "program/test_class.h"

#include <QTest>

#include <algorithm>

using namespace lockstep;
using namespace lockstep::tests;
using analysis::Finding;
using analysis::Role;

namespace {

std::vector<Finding> findingsOf(const TruthRow& row)
{
    return analysis::findings(recordsOf(*truthRuns(row)));
}

/// What is read before the evidence: what is left out, and the answer.
QString headOf(const std::vector<Finding>& findings)
{
    QString text;
    for (const Finding& finding : findings) {
        if (finding.role == Role::Evidence) {
            break;
        }
        text += (text.isEmpty() ? QString() : QStringLiteral(" "))
            + QString::fromStdString(language::findingSentence(finding));
    }
    return text;
}

} // namespace

class TestAnswers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { language::installTexts(language::TextLanguage::English); }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void theFirstSentenceAnswers_data()
    {
        QTest::addColumn<const TruthRow*>("row");
        QTest::addColumn<bool>("isChinese");
        for (const TruthRow& row : truthTable()) {
            const QByteArray name(row.name.data(), static_cast<qsizetype>(row.name.size()));
            QTest::addRow("%s", name.constData()) << &row << false;
            QTest::addRow("%s, zh", name.constData()) << &row << true;
        }
    }

    void theFirstSentenceAnswers()
    {
        QFETCH(const TruthRow*, row);
        QFETCH(bool, isChinese);
        const auto which = isChinese ? language::TextLanguage::Chinese : language::TextLanguage::English;
        const language::TextsIn texts(which);
        const auto runs = truthRuns(*row);
        QVERIFY(runs.isOk());
        const QString head = headOf(analysis::findings(recordsOf(*runs)));
        const QStringList wrong = wrongIn({*row, variantsOf(*runs), which, head});
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n') + QStringLiteral("\n  ") + head));
    }

    void answersAreFewAndFirst()
    {
        for (const TruthRow& row : truthTable()) {
            const std::vector<Finding> said = findingsOf(row);
            const auto isHeadline = [](const Finding& finding) { return finding.role == Role::Headline; };
            QVERIFY(std::ranges::count_if(said, isHeadline) <= 3);
            const auto first = std::ranges::find_if(said, isHeadline);
            for (const Finding& finding : said) {
                QVERIFY2(!finding.runs.empty(), finding.kind.data()); // of something that ran
            }
            QVERIFY(std::none_of(
                said.begin(), first, [](const Finding& finding) { return finding.role == Role::Evidence; }));
        }
    }
};

LOCKSTEP_TEST(TestAnswers)
#include "test_answers.moc"
