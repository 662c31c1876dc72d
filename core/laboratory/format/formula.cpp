#include "laboratory/laboratory_key.h"

#include "base/translate.h"
#include "experiment/parameter.h"
#include "plan/net.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>

namespace lockstep::laboratory {

namespace {

constexpr int DeepestBrackets = 64;
constexpr double BytesOfANumber = 4.0; ///< float32

std::optional<double> numberOf(const experiment::Value& value)
{
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        return static_cast<double>(*whole);
    }
    if (const auto* real = std::get_if<double>(&value)) {
        return *real;
    }
    return std::nullopt;
}

std::optional<double> namedValue(const std::string& name, const experiment::RunSpec& run)
{
    if (name == "n") {
        const auto ranks = experiment::worldSizeOf(run);
        return ranks ? std::optional<double>(*ranks) : std::nullopt;
    }
    if (name == "parameters" || name == "bytes") {
        const auto count = static_cast<double>(plan::parametersOf(plan::netUnits(run)));
        return name == "bytes" ? BytesOfANumber * count : count;
    }
    const experiment::Assignment& settings = run.settings;
    const auto found = settings.find(name);
    return found == settings.end() ? std::nullopt : numberOf(found->second);
}

/// Recursive descent: sum of products of powers of values.
class FormulaReader {
public:
    FormulaReader(std::string_view text, const experiment::RunSpec& run)
        : m_text(text)
        , m_run(run)
    { }

    Result<double> whole()
    {
        const double value = sum();
        skipBlanks();
        if (!m_error && m_at < m_text.size()) {
            fail();
        }
        if (!m_error && !std::isfinite(value)) { // such as a division by 0
            m_error = failure(LS_TR("Messages", "the formula %1 has no value here"), {verbatim(m_text)});
        }
        return m_error ? Result<double>(*m_error) : Result<double>(value);
    }

private:
    void skipBlanks()
    {
        while (m_at < m_text.size() && m_text[m_at] == ' ') {
            ++m_at;
        }
    }
    bool takes(char sign)
    {
        skipBlanks();
        const bool isThere = m_at < m_text.size() && m_text[m_at] == sign;
        m_at += isThere ? 1 : 0;
        return isThere;
    }
    double fail()
    {
        m_error = m_error ? m_error
                          : std::optional<Error>(failure(LS_TR("Messages", "the formula %1 cannot be read at place %2"),
                              {verbatim(m_text), static_cast<std::int64_t>(m_at + 1)}));
        m_at = m_text.size();
        return 0.0;
    }
    double sum()
    {
        double value = product();
        for (;;) {
            if (takes('+')) {
                value += product();
            } else if (takes('-')) {
                value -= product();
            } else {
                return value;
            }
        }
    }
    double product()
    {
        double value = signedPower();
        for (;;) {
            if (takes('*')) {
                value *= signedPower();
            } else if (takes('/')) {
                value /= signedPower();
            } else {
                return value;
            }
        }
    }
    double signedPower()
    {
        if (takes('-')) {
            return nested([this] { return -signedPower(); });
        }
        const double base = single();
        return takes('^') ? nested([&] { return std::pow(base, signedPower()); }) : base;
    }
    template <typename Read>
    double nested(Read read)
    {
        if (++m_depth > DeepestBrackets) {
            return fail();
        }
        const double value = read();
        --m_depth;
        return value;
    }
    double single()
    {
        skipBlanks();
        if (takes('(')) {
            const double value = nested([this] { return sum(); });
            return takes(')') ? value : fail();
        }
        if (m_at < m_text.size() && (std::isdigit(static_cast<unsigned char>(m_text[m_at])) != 0)) {
            double value = 0.0;
            const auto read = std::from_chars(m_text.data() + m_at, m_text.data() + m_text.size(), value);
            m_at = static_cast<std::size_t>(read.ptr - m_text.data());
            return read.ec == std::errc() ? value : fail();
        }
        return named();
    }
    double named()
    {
        const std::size_t begin = m_at;
        while (m_at < m_text.size()
            && ((std::isalnum(static_cast<unsigned char>(m_text[m_at])) != 0) || m_text[m_at] == '_'
                || m_text[m_at] == '.')) {
            ++m_at;
        }
        const std::string name(m_text.substr(begin, m_at - begin));
        if (name.empty()) {
            return fail();
        }
        if (takes('(')) {
            return called(name);
        }
        const auto value = namedValue(name, m_run);
        const experiment::Parameter* parameter = experiment::findParameter(name);
        if (value == 0.0 && parameter != nullptr && !parameter->zero.empty() && !m_error) { // such as "all samples"
            m_error
                = failure(LS_TR("Messages",
                              "the formula has %1, which is 0 here and no amount: set the number in the experiment"),
                    {verbatim(name)});
        }
        if (!value && !m_error) {
            m_error = failure(
                LS_TR("Messages", "the formula has %1, which is no number of this experiment"), {verbatim(name)});
        }
        return value.value_or(0.0);
    }
    double called(const std::string& name)
    {
        const double first = nested([this] { return sum(); });
        const bool hasTwo = name == "min" || name == "max";
        const double second = !hasTwo ? 0.0 : takes(',') ? nested([this] { return sum(); }) : fail();
        if (!takes(')')) {
            return fail();
        }
        return name == "sqrt" ? std::sqrt(first)
            : name == "log2"  ? std::log2(first)
            : name == "ceil"  ? std::ceil(first)
            : name == "floor" ? std::floor(first)
            : name == "min"   ? std::min(first, second)
            : name == "max"   ? std::max(first, second)
                              : fail();
    }

    std::string_view m_text;
    const experiment::RunSpec& m_run;
    std::size_t m_at = 0;
    int m_depth = 0;
    std::optional<Error> m_error;
};

} // namespace

Result<double> formulaValue(std::string_view formula, const experiment::RunSpec& run)
{
    return FormulaReader(formula, run).whole();
}

} // namespace lockstep::laboratory
