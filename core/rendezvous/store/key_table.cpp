#include "rendezvous/store/key_table.h"

#include <algorithm>
#include <charconv>

namespace lockstep::rendezvous {

void KeyTable::set(const std::string& key, std::string value)
{
    m_values[key] = std::move(value);
}

std::int64_t KeyTable::add(const std::string& key, std::int64_t amount)
{
    std::string& text = m_values[key];
    std::int64_t sum = 0;
    std::from_chars(text.data(), text.data() + text.size(), sum);
    sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(amount));
    text = std::to_string(sum);
    return sum;
}

std::string KeyTable::compareSet(const std::string& key, const std::string& expected, const std::string& desired)
{
    const auto found = m_values.find(key);
    if (found == m_values.end()) {
        if (!expected.empty()) {
            return expected;
        }
        return m_values[key] = desired;
    }
    if (found->second == expected) {
        found->second = desired;
    }
    return found->second;
}

bool KeyTable::erase(const std::string& key)
{
    return m_values.erase(key) > 0;
}

bool KeyTable::hasAll(const std::vector<std::string>& keys) const
{
    return std::ranges::all_of(keys, [this](const std::string& key) { return m_values.contains(key); });
}

void KeyTable::forget(int connection)
{
    std::erase_if(m_waiters, [connection](const Waiter& waiter) { return waiter.connection == connection; });
}

std::vector<KeyTable::Answer> KeyTable::takeAnswers(Time now)
{
    std::vector<Answer> answers;
    std::erase_if(m_waiters, [&](Waiter& waiter) {
        const bool isThere = hasAll(waiter.keys);
        if (!isThere && now < waiter.deadline) {
            return false;
        }
        std::string value = isThere && waiter.wantsValue ? m_values[waiter.keys.front()] : std::string();
        answers.push_back({std::move(waiter), !isThere, std::move(value)});
        return true;
    });
    return answers;
}

} // namespace lockstep::rendezvous
