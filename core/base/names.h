// The names of a table's rows.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

namespace lockstep {

/// `name`: of a row, a member or a function.
template <typename Rows, typename Name>
[[nodiscard]] std::vector<std::string_view> namesOf(const Rows& rows, Name name)
{
    std::vector<std::string_view> names;
    for (const auto& row : rows) {
        names.push_back(std::invoke(name, row));
    }
    return names;
}

} // namespace lockstep
