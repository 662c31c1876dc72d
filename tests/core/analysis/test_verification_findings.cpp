// What is said of runs whose losses were compared with a single process's.
#include "analysis/findings/all_findings.h"
#include "analysis/findings/verification.h"
#include "experiment/spec.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <limits>

using namespace lockstep;
using namespace lockstep::analysis;

namespace {

RunRecord verified(const char* strategy, double difference, std::vector<double> drifts, const char* type = "float32")
{
    auto spec = *experiment::preset("optimizers");
    spec.repeats = 1;
    const std::vector<experiment::Override> overrides{
        {"strategy.name", strategy}, {"train.dtype", type}, {"verify", "true"}, {"net.name", "deep-mlp"}};
    RunRecord made;
    made.spec = experiment::expand(*experiment::customise(spec, overrides, std::vector<std::string>{"Adam"}))->front();
    made.id.text = "a run";
    made.status = RunStatus::Finished;
    made.summary.verifyMaxRelativeDifference = difference;
    made.summary.verifyDrifts = std::move(drifts);
    return made;
}

std::vector<Finding> about(const RunRecord& run)
{
    std::vector<Finding> all = findings(std::vector{run});
    std::erase_if(all, [](const Finding& each) { return !isOfVerification(each); });
    return all;
}

} // namespace

class TestVerificationFindings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void roundingIsToldFromAnError_data()
    {
        QTest::addColumn<QString>("strategy");
        QTest::addColumn<double>("difference");
        QTest::addColumn<bool>("isRounding");
        for (const char* strategy : {"data", "tensor", "pipeline", "zero"}) {
            QTest::addRow("%s within", strategy) << strategy << 0.00119 << true;
            QTest::addRow("%s beyond", strategy) << strategy << 0.00124 << false;
        }
    }

    void roundingIsToldFromAnError()
    {
        QFETCH(QString, strategy);
        QFETCH(double, difference);
        QFETCH(bool, isRounding);
        const auto said = about(verified(qPrintable(strategy), difference, {0.0002, 0.0004, 0.0001}));
        QCOMPARE(said.size(), std::size_t{1});
        const QString text = QString::fromStdString(sentence(said.front(), {}));
        QCOMPARE(said.front().kind, std::string_view(isRounding ? "aggregation.verified" : "aggregation.not_verified"));
        QVERIFY2(text.contains(QStringLiteral("0.000200, 0.000400, 0.000100")), qPrintable(text));
        QVERIFY2(text.contains(isRounding ? QStringLiteral("agree to within 0.00119. That is within rounding")
                                          : QStringLiteral("3.10 times as much as")),
            qPrintable(text));
    }

    void driftsThatCouldHideAnErrorTellNothing()
    {
        const auto said = about(verified("tensor", 0.029, {0.004, 0.01, 0.002}));
        QCOMPARE(said.front().kind, std::string_view("aggregation.not_comparable"));
        QCOMPARE(QString::fromStdString(sentence(said.front(), {})),
            QStringLiteral("Whether Adam learns as a single process does cannot be told in float32. Its losses differ "
                           "by up to 2.90 %, those of single processes that sum in other orders by 0.00400, 0.0100, "
                           "0.00200. A comparison in float64 can tell."));
        // Beyond what rounding makes it is an error all the same.
        QCOMPARE(about(verified("tensor", 0.031, {0.004, 0.01, 0.002})).front().kind,
            std::string_view("aggregation.not_verified"));
    }

    void aLastPlaceIsRounding()
    {
        // Another order changed nothing, as with one sample a batch: a few units of the last place are still rounding.
        QCOMPARE(about(verified("data", 2e-7, {0.0, 0.0, 0.0})).front().kind, std::string_view("aggregation.verified"));
        QCOMPARE(
            about(verified("data", 1e-5, {0.0, 0.0, 0.0})).front().kind, std::string_view("aggregation.not_verified"));
    }

    /// Nothing is so many times as much as zero.
    void noRatioToOrdersThatAgree()
    {
        const auto said = about(verified("data", 1e-5, {0.0, 0.0, 0.0}));
        QCOMPARE(QString::fromStdString(sentence(said.front(), {})),
            QStringLiteral("Adam differs from a single process by up to 0.00100 % of the loss. Single processes that "
                           "sum in other orders agree in nearly all digits: they differ by 0, 0, 0. A comparison in "
                           "float64 tells an error from rounding that the optimizer amplifies."));
        QVERIFY(std::ranges::none_of(
            said.front().figures, [](const auto& figure) { return figure.first == "times_largest_drift"; }));
    }

    void float64NeedsNoOtherOrders()
    {
        const RunRecord equal = verified("tensor", 1e-14, {}, "float64");
        QCOMPARE(about(equal).front().kind, std::string_view("aggregation.verified"));
        QVERIFY(isVerified(equal) && !isVerifiedInFloat32(equal));
        QCOMPARE(
            about(verified("tensor", 1e-6, {}, "float64")).front().kind, std::string_view("aggregation.not_verified"));
    }

    void lossesThatAreNotFiniteCannotBeCompared()
    {
        constexpr double None = std::numeric_limits<double>::quiet_NaN();
        QCOMPARE(about(verified("data", None, {0.1, None, 0.2})).front().kind,
            std::string_view("aggregation.not_comparable"));
        QCOMPARE(about(verified("data", 0.01, {0.1, None, 0.2})).front().kind,
            std::string_view("aggregation.not_comparable"));
        QVERIFY(about(verified("data", None, {})).empty()); // not requested
    }

    void earlierVersionsMeasuredNoOrders()
    {
        QCOMPARE(about(verified("data", 5e-5, {})).front().kind, std::string_view("aggregation.verified"));
        const auto said = about(verified("data", 5e-4, {}));
        QCOMPARE(QString::fromStdString(sentence(said.front(), {})),
            QStringLiteral("Adam differs from a single process by up to 0.0500 % of the loss."));
    }
};

LOCKSTEP_TEST(TestVerificationFindings)
#include "test_verification_findings.moc"
