// The requests of a store's client that wait for their replies. Any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace lockstep::rendezvous {

class Requests {
public:
    struct Reply {
        bool isSent = false; ///< the request
        bool isDone = false;
        bool hasTimedOut = false; ///< at the store
        std::string body{};
        std::int64_t sentNs = 0; ///< the request
        std::int64_t receivedNs = 0;
    };

    /// The number of a new one.
    [[nodiscard]] std::uint64_t begin();
    /// Ignores a reply that no caller waits for.
    void complete(std::uint64_t request, Reply reply);
    /// No reply will come any more.
    void fail();
    /// Returns once it is complete, after fail(), or after `limit`; forgets the request.
    [[nodiscard]] Reply await(std::uint64_t request, std::chrono::milliseconds limit);

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::map<std::uint64_t, Reply> m_open;
    std::uint64_t m_last = 0;
    bool m_hasFailed = false;
};

} // namespace lockstep::rendezvous
