#include "base/random.h"

#include <bit>
#include <cmath>

namespace lockstep {

namespace {

std::uint64_t splitMix(std::uint64_t& state)
{
    state += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

} // namespace

Seed Seed::derive(std::uint64_t stream) const
{
    std::uint64_t state = number;
    std::uint64_t mixed = splitMix(state) ^ (stream * 0xd1342543de82ef95ULL);
    return Seed{splitMix(mixed)};
}

Random::Random(Seed seed)
{
    std::uint64_t state = seed.number;
    for (auto& word : m_state) {
        word = splitMix(state);
    }
}

std::uint64_t Random::next()
{
    const std::uint64_t result = std::rotl(m_state[1] * 5, 7) * 9;
    const std::uint64_t shifted = m_state[1] << 17;
    m_state[2] ^= m_state[0];
    m_state[3] ^= m_state[1];
    m_state[1] ^= m_state[2];
    m_state[0] ^= m_state[3];
    m_state[2] ^= shifted;
    m_state[3] = std::rotl(m_state[3], 45);
    return result;
}

std::uint64_t Random::below(std::uint64_t bound)
{
    const std::uint64_t threshold = (0 - bound) % bound;
    for (;;) {
        const auto product = static_cast<unsigned __int128>(next()) * bound;
        if (static_cast<std::uint64_t>(product) >= threshold) {
            return static_cast<std::uint64_t>(product >> 64);
        }
    }
}

double Random::uniform()
{
    return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

double Random::uniform(double low, double high)
{
    return low + (high - low) * uniform();
}

double Random::normal()
{
    if (m_hasSpareNormal) {
        m_hasSpareNormal = false;
        return m_spareNormal;
    }
    double u = 0.0;
    double v = 0.0;
    double square = 0.0;
    do {
        u = uniform(-1.0, 1.0);
        v = uniform(-1.0, 1.0);
        square = u * u + v * v;
    } while (square >= 1.0 || square == 0.0);
    const double scale = std::sqrt(-2.0 * std::log(square) / square);
    m_spareNormal = v * scale;
    m_hasSpareNormal = true;
    return u * scale;
}

} // namespace lockstep
