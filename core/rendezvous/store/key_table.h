// The keys and values of the store, and who waits for which. Pure; times come from the caller.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::rendezvous {

class KeyTable {
public:
    using Time = std::chrono::steady_clock::time_point;
    /// A request of a member that waits until all its keys are there.
    struct Waiter {
        int connection = -1;
        std::uint64_t request = 0;
        std::vector<std::string> keys{};
        Time deadline{};
        bool wantsValue = false; ///< of the first key
    };
    struct Answer {
        Waiter waiter;
        bool hasTimedOut = false;
        std::string value{};
    };

    void set(const std::string& key, std::string value);
    /// As c10d has it: the sum is kept in decimal digits. A missing key counts as 0.
    std::int64_t add(const std::string& key, std::int64_t amount);
    /// Sets `desired` where the value is `expected`, or where there is none and `expected` is empty. Gives the value
    /// afterwards; `expected` where there is none.
    std::string compareSet(const std::string& key, const std::string& expected, const std::string& desired);
    bool erase(const std::string& key);
    [[nodiscard]] bool hasAll(const std::vector<std::string>& keys) const;
    [[nodiscard]] std::size_t size() const { return m_values.size(); }

    void wait(Waiter waiter) { m_waiters.push_back(std::move(waiter)); }
    void forget(int connection);
    /// Those whose keys have come or whose time is over.
    [[nodiscard]] std::vector<Answer> takeAnswers(Time now);

private:
    std::map<std::string, std::string> m_values;
    std::vector<Waiter> m_waiters;
};

} // namespace lockstep::rendezvous
