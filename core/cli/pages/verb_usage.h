// What each verb takes, collected from the verbs themselves: manual pages and completions are made of it.
#pragma once

#include <string>
#include <vector>

namespace lockstep::cli {

struct CommandContext;

struct OptionUsage {
    std::string name; ///< `--set`
    std::string value; ///< `KEY=VALUE`; empty: a switch
    std::string help;
};

struct VerbUsage {
    std::string verb; ///< `run`, or with an action: `lab new`
    std::string summary; ///< one line; empty for an action
    std::string text; ///< the help text without the options
    std::vector<OptionUsage> options;
};

/// While one lives, the verbs that this thread carries out only describe themselves to it.
class UsageCollector {
public:
    UsageCollector();
    ~UsageCollector();
    UsageCollector(const UsageCollector&) = delete;
    UsageCollector& operator=(const UsageCollector&) = delete;

    /// The one that lives on this thread, or null.
    [[nodiscard]] static UsageCollector* active();
    void add(VerbUsage usage);
    [[nodiscard]] VerbUsage& last() { return m_usages.back(); }
    [[nodiscard]] const std::vector<VerbUsage>& usages() const { return m_usages; }

private:
    std::vector<VerbUsage> m_usages;
};

/// Every verb in the order of `lockstep --help`, each followed by its actions. Texts are in the thread's language.
[[nodiscard]] std::vector<VerbUsage> verbUsages(const CommandContext& context);

/// What `lockstep-rank --help` prints, taken apart; `verb` is empty.
[[nodiscard]] VerbUsage rankUsage(const std::string& help);

} // namespace lockstep::cli
