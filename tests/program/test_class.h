// Puts a test class into its room's program: LOCKSTEP_TEST(TestDigits) at the end of test_digits.cpp runs as
// `tests_engine test_digits`, followed by Qt Test's arguments.
#pragma once

#include <QCoreApplication>
#include <QTest>

namespace lockstep::test {

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

#define LOCKSTEP_TEST_BY(Class, run) static const bool isAdded##Class = lockstep::test::addTest(__FILE__, run);
#define LOCKSTEP_TEST_WITH(Application, Class) LOCKSTEP_TEST_BY(Class, (lockstep::test::runTest<Application, Class>))
#define LOCKSTEP_TEST(Class) LOCKSTEP_TEST_WITH(QCoreApplication, Class)
