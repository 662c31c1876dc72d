// Result<T>: a value or an Error, for failures that are expected (bad input, a lost peer, a full disk).
// Broken internal invariants are asserted, not returned. GCC 12 has no std::expected in C++20.
#pragma once

#include "base/ids.h"
#include "base/text.h"

#include <cassert>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lockstep {

/// What went wrong, as one line for the user: what was given, what is allowed, what to do. text() is the whole of it in
/// English, Text(error) the whole as data for a reader of another language.
struct Error {
    std::string message; ///< in English: subject, what is wrong, variant
    std::string subject{}; ///< the parameter that it is about: `train.batch`
    std::string pattern{}; ///< of the catalogue: `%1 is more than the %2 training samples`
    std::vector<Text> arguments{}; ///< for %1, %2, ...
    std::string variant{}; ///< of the experiment's variants, the one it is about, if not all
    Text cause{}; ///< why, where `message` says only what failed
    std::optional<Rank> rank{}; ///< the rank that reports it

    /// `message`, with the cause and the rank: `rank 2: all_reduce: rank 1 has left the group`.
    [[nodiscard]] std::string text() const;
    /// Without subject, variant, cause and rank: `9000 is more than the 8000 training samples`.
    [[nodiscard]] Text what() const;
};

/// LS_TR("Messages", "%1 cannot be read: %2"), with the arguments in the places of %1, %2, ...
[[nodiscard]] Error failure(std::string_view pattern, std::vector<Text> arguments = {});
/// That text as an error: what a rank, a thread or a file says.
[[nodiscard]] Error failureOf(const Text& text);
/// The subject of an error that has become a text; empty if there is none, or if the text has come without its data.
[[nodiscard]] std::string subjectOf(const Text& ofError);
/// `subject: pattern`; an empty subject is left out.
[[nodiscard]] Error refusal(std::string subject, std::string_view pattern, std::vector<Text> arguments = {});
/// `... (variant name)`
[[nodiscard]] Error ofVariant(Error error, const std::string& name);
/// `rank 2: ...`; keeps the rank that the error already has.
[[nodiscard]] Error ofRank(Error error, Rank rank);
/// `what: ...`, with the whole text of `error` as the cause.
[[nodiscard]] Error during(const Text& what, const Error& error);

template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value)
        : m_state(std::in_place_index<0>, std::move(value))
    { }
    Result(Error error)
        : m_state(std::in_place_index<1>, std::move(error))
    { }

    [[nodiscard]] bool isOk() const { return m_state.index() == 0; }
    explicit operator bool() const { return isOk(); }

    [[nodiscard]] T& value() &
    {
        assert(isOk());
        return std::get<0>(m_state);
    }
    [[nodiscard]] const T& value() const&
    {
        assert(isOk());
        return std::get<0>(m_state);
    }
    [[nodiscard]] T&& value() &&
    {
        assert(isOk());
        return std::get<0>(std::move(m_state));
    }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    [[nodiscard]] const Error& error() const
    {
        assert(!isOk());
        return std::get<1>(m_state);
    }

private:
    std::variant<T, Error> m_state;
};

/// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error)
        : m_error(std::move(error))
        , m_failed(true)
    { }

    [[nodiscard]] bool isOk() const { return !m_failed; }
    explicit operator bool() const { return isOk(); }
    [[nodiscard]] const Error& error() const
    {
        assert(m_failed);
        return m_error;
    }

private:
    Error m_error;
    bool m_failed = false;
};

} // namespace lockstep

#define LOCKSTEP_JOINED(a, b) a##b
#define LOCKSTEP_NAMED(name, line) LOCKSTEP_JOINED(name, line)

/// Evaluates an expression that gives a Result; on an error, returns it from the enclosing function.
#define LOCKSTEP_TRY(...)                                                                                              \
    do {                                                                                                               \
        if (const auto LOCKSTEP_NAMED(tried, __LINE__) = (__VA_ARGS__); !LOCKSTEP_NAMED(tried, __LINE__)) {            \
            return LOCKSTEP_NAMED(tried, __LINE__).error();                                                            \
        }                                                                                                              \
    } while (false)

/// LOCKSTEP_TRY_ASSIGN(const auto run, parseRunSpec(json)): the same, and gives the value a name. Not for the body of
/// an `if` without braces: it is more than one statement.
#define LOCKSTEP_TRY_ASSIGN(declaration, ...)                                                                          \
    auto LOCKSTEP_NAMED(tried, __LINE__) = (__VA_ARGS__);                                                              \
    if (!LOCKSTEP_NAMED(tried, __LINE__)) {                                                                            \
        return LOCKSTEP_NAMED(tried, __LINE__).error();                                                                \
    }                                                                                                                  \
    declaration = *std::move(LOCKSTEP_NAMED(tried, __LINE__))
