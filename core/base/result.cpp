#include "base/result.h"

#include "base/text.h"

namespace lockstep {

Error refusal(std::string subject, std::string_view pattern, std::vector<std::string> arguments)
{
    std::string message = subject + ": " + filled(pattern, arguments);
    return {std::move(message), std::move(subject), pattern, std::move(arguments)};
}

Error ofVariant(Error error, const std::string& name)
{
    error.message += " (variant " + name + ")";
    error.variant = name;
    return error;
}

} // namespace lockstep
