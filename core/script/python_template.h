// Python made of sections: the files of resources/pytorch, by path without .py. Private to core/script.
//
//     #use data/digits       that section, in the place of this line
//     #if NAME #else #end    lines for where a flag is set, or not; they nest
//     @name@                 a value; a line with nothing but an empty value is left out
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace lockstep::script {

struct Values {
    std::map<std::string, std::string, std::less<>> texts;
    std::set<std::string, std::less<>> flags;

    void set(const std::string& flag, bool isSet = true)
    {
        if (isSet) {
            flags.insert(flag);
        }
    }
};

/// The section's text; the section and every value that it names must exist.
[[nodiscard]] std::string expand(std::string_view section, const Values& values);

} // namespace lockstep::script
