#include "rendezvous/variables.h"

#include <string_view>

#include <unistd.h>

namespace lockstep::rendezvous {

Variables variablesOfProcess()
{
    Variables variables;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        const auto equals = text.find('=');
        if (equals != std::string_view::npos && equals + 1 < text.size()) {
            variables.emplace(text.substr(0, equals), text.substr(equals + 1));
        }
    }
    return variables;
}

std::string valueOf(const Variables& variables, const std::string& name)
{
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
}

} // namespace lockstep::rendezvous
