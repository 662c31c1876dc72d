#include "experiment/value.h"

#include "base/text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace lockstep::experiment {

namespace {

std::string numberText(std::int64_t number)
{
    return std::to_string(number);
}

std::string numberText(double number)
{
    // std::to_chars would write a million as 1e+06.
    if (number == std::floor(number) && std::fabs(number) < 1e15) {
        return numberText(static_cast<std::int64_t>(number));
    }
    std::array<char, 32> text{};
    const auto [end, status] = std::to_chars(text.data(), text.data() + text.size(), number);
    return status == std::errc{} ? std::string(text.data(), end) : std::string("nan");
}

template <typename T>
std::string listText(const std::vector<T>& items)
{
    return listed(
        items, [](T item) { return numberText(item); }, ",");
}

struct ToText {
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return numberText(value); }
    std::string operator()(double value) const { return numberText(value); }
    std::string operator()(const std::string& value) const { return value; }
    std::string operator()(const std::vector<std::int64_t>& value) const { return listText(value); }
    std::string operator()(const std::vector<double>& value) const { return listText(value); }
};

} // namespace

std::string toText(const Value& value)
{
    return std::visit(ToText{}, value);
}

} // namespace lockstep::experiment
