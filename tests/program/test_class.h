// Puts a test class into its room's program: LOCKSTEP_TEST(TestDigits) at the end of test_digits.cpp runs as
// `tests_engine test_digits`, followed by Qt Test's arguments.
#pragma once

#include <QCoreApplication>
#include <QTest>

#include <string>

/// So that a failed QCOMPARE of two std::string shows them.
template <>
inline char* QTest::toString(const std::string& text)
{
    return QTest::toString(QString::fromStdString(text));
}

namespace lockstep::test {

/// Longer than what a test waits for takes on a busy machine; Qt Test's 5 s are not.
constexpr int PatienceMs = 60'000;

using RunTest = int (*)(int argc, char** argv);

/// `file`, as __FILE__ has it, names the test. Returns true.
bool addTest(const char* file, RunTest run);

/// Returns SkippedTest where a function was skipped and none failed, so that ctest does not count it as passed.
int execute(QObject& test, int argc, char** argv);
constexpr int SkippedTest = 77;

template <typename Application, typename Test>
int runTest(int argc, char** argv)
{
    Application application(argc, argv);
    Application::setAttribute(Qt::AA_Use96Dpi, true);
    Test test;
    return execute(test, argc, argv);
}

} // namespace lockstep::test

#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(condition) QTRY_VERIFY_WITH_TIMEOUT((condition), lockstep::test::PatienceMs)
#define QTRY_VERIFY2(condition, text) QTRY_VERIFY2_WITH_TIMEOUT((condition), (text), lockstep::test::PatienceMs)
#define QTRY_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT((actual), (expected), lockstep::test::PatienceMs)

#define LOCKSTEP_TEST_BY(Class, run) static const bool isAdded##Class = lockstep::test::addTest(__FILE__, run);
#define LOCKSTEP_TEST_WITH(Application, Class) LOCKSTEP_TEST_BY(Class, (lockstep::test::runTest<Application, Class>))
#define LOCKSTEP_TEST(Class) LOCKSTEP_TEST_WITH(QCoreApplication, Class)
