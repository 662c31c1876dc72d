// The main() of every program of tests: its first argument names the class to run.
#include "program/error_parts.h"
#include "program/test_class.h"

#include <QTemporaryFile>

#include <cstdio>
#include <map>
#include <string>
#include <string_view>

namespace lockstep::test {

namespace {

/// A function's own, because classes are added before main() begins.
std::map<std::string, RunTest, std::less<>>& allTests()
{
    static std::map<std::string, RunTest, std::less<>> tests;
    return tests;
}

bool hasSkipped(QFile& log)
{
    while (!log.atEnd()) {
        if (log.readLine().startsWith("SKIP")) {
            return true;
        }
    }
    return false;
}

} // namespace

bool addTest(const char* file, RunTest run)
{
    std::string_view name(file);
    name.remove_prefix(name.rfind('/') + 1);
    return allTests().emplace(name.substr(0, name.rfind('.')), run).second;
}

int execute(QObject& test, int argc, char** argv)
{
    QStringList arguments;
    for (int i = 0; i < argc; ++i) {
        arguments.push_back(QString::fromLocal8Bit(argv[i]));
    }
    QTemporaryFile log;
    if (arguments.contains("-o") || !log.open()) {
        return QTest::qExec(&test, arguments);
    }
    const int failed = QTest::qExec(&test, arguments + QStringList{"-o", "-,txt", "-o", log.fileName() + ",txt"});
    return failed == 0 && hasSkipped(log) ? SkippedTest : failed;
}

} // namespace lockstep::test

int main(int argc, char** argv)
{
    const auto& tests = lockstep::test::allTests();
    const auto found = argc > 1 ? tests.find(argv[1]) : tests.end();
    if (found == tests.end()) {
        std::fprintf(stderr, "usage: %s TEST [ARGUMENTS OF QT TEST]; TEST is one of:\n", argv[0]);
        for (const auto& [name, run] : tests) {
            std::fprintf(stderr, "  %s\n", name.c_str());
        }
        return 2;
    }
    // Campaigns in full take longer than the five minutes that Qt Test gives a function.
    if (qEnvironmentVariableIsSet("LOCKSTEP_LONG") && !qEnvironmentVariableIsSet("QTEST_FUNCTION_TIMEOUT")) {
        qputenv("QTEST_FUNCTION_TIMEOUT", "3500000");
    }
    // Uses the test's name as the program's, by which Qt names settings.
    const int failed = found->second(argc - 1, argv + 1);
    const int unworded = lockstep::test::printUnwordedParts();
    return unworded > 0 && (failed == 0 || failed == lockstep::test::SkippedTest) ? 1 : failed;
}
