// What a run says of the people and machines it was measured by, taken out of what leaves this machine.
#pragma once

#include "analysis/run_record.h"
#include "store/account/delta.h"

#include <QString>

#include <map>
#include <string>

namespace lockstep::exchange {

enum class Names : std::uint8_t { LeaveOut, Keep };

/// Who measures here.
struct Identity {
    QString home;
    QString user;
    QString host;

    [[nodiscard]] static Identity ofThisMachine();
};

/// Shortens home folders to `~` in texts and settings. With Names::LeaveOut also replaces the names of hosts by
/// `machine 1`, `machine 2`, ..., user names by `user`, and drops the ids of GPUs. Changing a run twice is the same as
/// once. One object a run.
class PrivateNames {
public:
    /// `here`: empty texts for a run that was measured elsewhere.
    PrivateNames(Names names, Identity here);

    /// Finds the names of hosts. All Deltas of the run, before anything is changed: texts name hosts early.
    void learn(const store::Delta& delta);
    void change(analysis::RunRecord& record);
    void change(store::Delta& delta);
    /// A text of the run, or one that belongs to none.
    void change(std::string& text);

    [[nodiscard]] int homes() const { return m_homes; } ///< texts in which a home folder was shortened
    [[nodiscard]] int hosts() const { return static_cast<int>(m_hosts.size()); } ///< that were renamed

private:
    void shorten(std::string& text);
    void rename(std::string& host) const;
    void learn(const std::string& host);
    [[nodiscard]] QString withoutHomes(QString text) const;
    [[nodiscard]] QString withoutNames(QString text) const;

    Names m_names;
    Identity m_here;
    std::map<std::string, std::string> m_hosts;
    int m_homes = 0;
};

} // namespace lockstep::exchange
