#include "program/error_parts.h"

#include "base/result.h"

#include <QFile>
#include <QString>
#include <QXmlStreamReader>

#include <atomic>
#include <cstdio>
#include <map>
#include <mutex>
#include <set>
#include <string>

// The linker's --wrap: calls of failure() arrive at __wrap_failure(), and __real_failure() is the function itself.
// Weak, because not every program of tests has it.
#define LOCKSTEP_MANGLED_FAILURE                                                                                       \
    "_ZN8lockstep7failureESt17basic_string_viewIcSt11char_traitsIcEESt6vectorINS_4TextESaIS5_EE"
#define LOCKSTEP_MANGLED_REFUSAL                                                                                       \
    "_ZN8lockstep7refusalENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESt17basic_string_viewIcS3_ESt6vectorINS" \
    "_4TextESaIS9_EE"
#define LOCKSTEP_MANGLED_FAILURE_OF "_ZN8lockstep9failureOfERKNS_4TextE"

namespace lockstep::test {

Error realFailure(std::string_view pattern, std::vector<Text> arguments) asm("__real_" LOCKSTEP_MANGLED_FAILURE)
    __attribute__((weak));
Error realRefusal(std::string subject, std::string_view pattern, std::vector<Text> arguments) asm(
    "__real_" LOCKSTEP_MANGLED_REFUSAL) __attribute__((weak));
Error realFailureOf(const Text& text) asm("__real_" LOCKSTEP_MANGLED_FAILURE_OF) __attribute__((weak));
Error checkedFailure(std::string_view pattern, std::vector<Text> arguments) asm("__wrap_" LOCKSTEP_MANGLED_FAILURE);
Error checkedRefusal(std::string subject, std::string_view pattern, std::vector<Text> arguments) asm(
    "__wrap_" LOCKSTEP_MANGLED_REFUSAL);
Error checkedFailureOf(const Text& text) asm("__wrap_" LOCKSTEP_MANGLED_FAILURE_OF);

namespace {

std::set<std::string> readCatalogue()
{
    std::set<std::string> entries;
    QFile file(QStringLiteral(LOCKSTEP_SOURCE_DIR "/translations/lockstep_zh_CN.ts"));
    if (!file.open(QIODevice::ReadOnly)) {
        return entries;
    }
    QXmlStreamReader reader(&file);
    bool isOfErrors = false;
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement) {
            continue;
        }
        if (reader.name() == QStringLiteral("name")) {
            const QString context = reader.readElementText();
            isOfErrors = context == QStringLiteral("Messages") || context == QStringLiteral("Refusals")
                || context == QStringLiteral("ErrorText");
        } else if (isOfErrors && reader.name() == QStringLiteral("source")) {
            entries.insert(reader.readElementText().toStdString());
        }
    }
    return entries;
}

bool isInCatalogue(const std::string& text)
{
    static const std::set<std::string> entries = readCatalogue();
    return entries.contains(text);
}

std::mutex mutex;
std::atomic<bool> areIgnored = false;
std::map<std::string, std::string> unworded; ///< the part, and an error that has it

void check(const Text& part, const std::string& whole)
{
    for (const Text& each : part.arguments) {
        check(each, whole);
    }
    const std::string& entry = part.pattern.empty() ? part.english : part.pattern;
    if (!part.isVerbatim && !entry.empty() && entry != "%1" && !isInCatalogue(entry)) {
        unworded.emplace(entry, whole);
    }
}

Error checked(Error error)
{
    const std::lock_guard lock(mutex);
    Text what; // not error.what(), which some programs of tests do not have
    what.english = error.message;
    what.pattern = error.pattern;
    what.arguments = error.arguments;
    check(what, error.message);
    return error;
}

} // namespace

Error checkedFailure(std::string_view pattern, std::vector<Text> arguments)
{
    return checked(realFailure(pattern, std::move(arguments)));
}

Error checkedRefusal(std::string subject, std::string_view pattern, std::vector<Text> arguments)
{
    return checked(realRefusal(std::move(subject), pattern, std::move(arguments)));
}

Error checkedFailureOf(const Text& text)
{
    const bool isData = !text.pattern.empty(); // what a rank of an earlier version says is not
    return isData ? checked(realFailureOf(text)) : realFailureOf(text);
}

void ignoreUnwordedParts()
{
    areIgnored = true;
}

int printUnwordedParts()
{
    const std::lock_guard lock(mutex);
    if (areIgnored) {
        return 0;
    }
    int left = 20; // a test of damaged files provokes thousands
    for (const auto& [part, whole] : unworded) {
        if (left-- == 0) {
            break;
        }
        std::fprintf(stderr, "an error has a part that no other language can word: \"%s\" of \"%s\"\n", part.c_str(),
            whole.c_str());
    }
    return static_cast<int>(unworded.size());
}

} // namespace lockstep::test
