#include "base/result.h"

#include <fmt/format.h>

namespace lockstep {

namespace {

constexpr std::string_view Joined = LS_TR("Messages", "%1: %2");
constexpr std::string_view OfVariant = LS_TR("ErrorText", "%1 (variant %2)");
constexpr std::string_view OfRank = LS_TR("Messages", "rank %1: %2");

} // namespace

Text::Text(const Error& error)
{
    Text whole = error.what();
    const bool isWhole = error.pattern.empty(); // a message as it is has its subject and variant in it
    if (!isWhole && !error.subject.empty()) {
        whole = {Joined, {verbatim(error.subject), whole}};
    }
    if (!isWhole && !error.variant.empty()) {
        whole = {OfVariant, {whole, verbatim(error.variant)}};
    }
    if (!error.cause.empty()) {
        whole = {Joined, {whole, error.cause}};
    }
    if (error.rank) {
        whole = {OfRank, {error.rank->number, whole}};
    }
    *this = std::move(whole);
}

Error failure(std::string_view pattern, std::vector<Text> arguments)
{
    return refusal({}, pattern, std::move(arguments));
}

Error failureOf(const Text& text)
{
    Error error{text.english};
    error.pattern = text.isVerbatim ? std::string("%1") : text.pattern;
    error.arguments = text.isVerbatim ? std::vector<Text>{text} : text.arguments;
    return error;
}

std::string subjectOf(const Text& ofError)
{
    if (ofError.arguments.size() != 2) {
        return {};
    }
    const Text& first = ofError.arguments[0];
    if (ofError.pattern == OfRank) {
        return subjectOf(ofError.arguments[1]);
    }
    if (ofError.pattern == Joined && first.isVerbatim) {
        return first.english;
    }
    return ofError.pattern == Joined || ofError.pattern == OfVariant ? subjectOf(first) : "";
}

Error refusal(std::string subject, std::string_view pattern, std::vector<Text> arguments)
{
    Text what(pattern, std::move(arguments));
    std::string message = subject + (subject.empty() ? "" : ": ") + what.english;
    return {std::move(message), std::move(subject), std::move(what.pattern), std::move(what.arguments)};
}

std::string Error::text() const
{
    return (rank ? fmt::format("rank {}: ", rank->number) : "") + message + (cause.empty() ? "" : ": " + cause.english);
}

Text Error::what() const
{
    return pattern.empty() ? Text(message) : Text(pattern, arguments);
}

Error ofVariant(Error error, const std::string& name)
{
    error.message += " (variant " + name + ")";
    error.variant = name;
    return error;
}

Error ofRank(Error error, Rank rank)
{
    if (!error.rank) {
        error.rank = rank;
    }
    return error;
}

Error during(const Text& what, const Error& error)
{
    Error outer = failureOf(what);
    outer.cause = error;
    return outer;
}

} // namespace lockstep
