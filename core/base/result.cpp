#include "base/result.h"

#include "base/text.h"

#include <fmt/format.h>

namespace lockstep {

Error refusal(std::string subject, std::string_view pattern, std::vector<std::string> arguments)
{
    std::string message = subject + (subject.empty() ? "" : ": ") + filled(pattern, arguments);
    return {std::move(message), std::move(subject), pattern, std::move(arguments)};
}

std::string Error::text() const
{
    return (rank ? fmt::format("rank {}: ", rank->number) : "") + message + (cause.empty() ? "" : ": " + cause);
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

Error during(std::string what, const Error& error)
{
    Error outer{std::move(what)};
    outer.cause = error.text();
    return outer;
}

} // namespace lockstep
