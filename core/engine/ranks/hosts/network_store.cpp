#include "engine/ranks/hosts/network_store.h"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::engine {

namespace {

/// c10d expects exceptions.
template <typename T>
T valueOrThrow(Result<T> result)
{
    if (!result) {
        throw std::runtime_error(result.error().message);
    }
    return *std::move(result);
}

void orThrow(const Result<void>& result)
{
    if (!result) {
        throw std::runtime_error(result.error().message);
    }
}

std::string storedText(const std::vector<std::uint8_t>& bytes)
{
    return {bytes.begin(), bytes.end()};
}

std::vector<std::uint8_t> storedBytes(const std::string& text)
{
    return {text.begin(), text.end()};
}

class NetworkStore final : public c10d::Store {
public:
    NetworkStore(std::shared_ptr<rendezvous::Network> network, std::chrono::milliseconds timeout)
        : c10d::Store(timeout)
        , m_network(std::move(network))
    { }

    void set(const std::string& key, const std::vector<std::uint8_t>& value) override
    {
        orThrow(client().set(key, storedText(value)));
    }
    std::vector<std::uint8_t> compareSet(const std::string& key, const std::vector<std::uint8_t>& expected,
        const std::vector<std::uint8_t>& desired) override
    {
        return storedBytes(valueOrThrow(client().compareSet(key, storedText(expected), storedText(desired))));
    }
    std::vector<std::uint8_t> get(const std::string& key) override
    {
        return storedBytes(valueOrThrow(client().get(key, timeout_)));
    }
    std::int64_t add(const std::string& key, std::int64_t value) override
    {
        return valueOrThrow(client().add(key, value));
    }
    bool deleteKey(const std::string& key) override { return valueOrThrow(client().erase(key)); }
    bool check(const std::vector<std::string>& keys) override { return valueOrThrow(client().hasAll(keys)); }
    std::int64_t getNumKeys() override { return valueOrThrow(client().count()); }
    void wait(const std::vector<std::string>& keys) override { wait(keys, timeout_); }
    void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) override
    {
        orThrow(client().wait(keys, timeout));
    }
    /// Later versions of LibTorch ask for it; overrides there.
    virtual c10::intrusive_ptr<c10d::Store> clone() { return networkStore(m_network, timeout_); }

private:
    [[nodiscard]] rendezvous::StoreClient& client() const { return *m_network->client; }

    std::shared_ptr<rendezvous::Network> m_network;
};

} // namespace

c10::intrusive_ptr<c10d::Store> networkStore(
    std::shared_ptr<rendezvous::Network> network, std::chrono::milliseconds timeout)
{
    return c10::make_intrusive<NetworkStore>(std::move(network), timeout);
}

} // namespace lockstep::engine
