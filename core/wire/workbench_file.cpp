#include "wire/workbench_file.h"

#include <fmt/format.h>

namespace lockstep::wire {

namespace {

constexpr std::string_view Run = "LOCKSTEP_RUN";
constexpr std::string_view Address = "LOCKSTEP_TELEMETRY";
constexpr std::string_view Certificate = "LOCKSTEP_CERTIFICATE";
constexpr std::string_view SecretName = "LOCKSTEP_SECRET";

Result<void> take(WorkbenchFile& file, std::string_view name, std::string_view value)
{
    if (name == Run) {
        file.run = value;
    } else if (name == Address) {
        file.address.hostAndPort = value;
    } else if (name == Certificate) {
        const auto digest = secretFromHex(value);
        if (!digest) {
            return failure(LS_TR("Messages", "it is not 64 hexadecimal digits"));
        }
        file.address.certificate = *digest;
    } else if (name == SecretName) {
        LOCKSTEP_TRY_ASSIGN(file.secret, secretFromHex(value));
    } else {
        return failure(LS_TR("Messages", "no workbench writes it"));
    }
    return {};
}

} // namespace

bool WorkbenchFile::operator==(const WorkbenchFile& other) const
{
    return run == other.run && address.hostAndPort == other.address.hostAndPort
        && address.certificate == other.address.certificate && equalInConstantTime(secret, other.secret);
}

std::string toText(const WorkbenchFile& file)
{
    std::string text = fmt::format("{}={}\n{}={}\n", Run, file.run, Address, file.address.hostAndPort);
    if (file.address.certificate) {
        text += fmt::format("{}={}\n", Certificate, toHex(*file.address.certificate));
    }
    return text + fmt::format("{}={}\n", SecretName, toHex(file.secret));
}

Result<WorkbenchFile> readWorkbenchFile(std::string_view text)
{
    WorkbenchFile file;
    bool hasSecret = false;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.empty()) {
            continue;
        }
        const std::size_t sign = line.find('=');
        const std::string_view name = line.substr(0, sign);
        if (sign == std::string_view::npos) {
            return failure(LS_TR("Messages", "a line is not NAME=VALUE"));
        }
        if (const auto taken = take(file, name, line.substr(sign + 1)); !taken) {
            return during(verbatim(name), taken.error());
        }
        hasSecret = hasSecret || name == SecretName;
    }
    const std::string_view missing = file.run.empty() ? Run
        : file.address.hostAndPort.empty()            ? Address
        : !file.address.certificate                   ? Certificate
        : !hasSecret                                  ? SecretName
                                                      : std::string_view();
    if (!missing.empty()) {
        return failure(LS_TR("Messages", "it lacks %1"), {verbatim(missing)});
    }
    return file;
}

} // namespace lockstep::wire
