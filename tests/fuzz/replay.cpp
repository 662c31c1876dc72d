// Feeds every file in the given folders to a harness, as libFuzzer does with -runs=0: for builds without libFuzzer.
// `--mutate SECONDS FOLDER...` then feeds it with random changes of these files, blind to which code they reach.
#include "fuzz.h"

#include "base/random.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string_view>
#include <vector>

namespace {

using Bytes = std::vector<char>;

struct Input {
    std::filesystem::path path;
    Bytes bytes;
};

std::vector<Input> inputsIn(std::span<char*> folders)
{
    std::vector<Input> inputs;
    for (const char* folder : folders) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            if (entry.is_regular_file()) {
                std::ifstream file(entry.path(), std::ios::binary);
                inputs.push_back({entry.path(), Bytes{std::istreambuf_iterator<char>(file), {}}});
            }
        }
    }
    std::ranges::sort(inputs, {}, &Input::path);
    return inputs;
}

void feed(const Bytes& bytes)
{
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

/// One byte, eight bytes that are a small or a very large number, or a piece left out or doubled.
void change(Bytes& bytes, lockstep::Random& random)
{
    constexpr std::array<std::int64_t, 8> Numbers{0, 1, -1, 2, 255, 1 << 20, INT64_MAX, INT64_MIN};
    const std::size_t at = random.below(bytes.size());
    const std::size_t size = std::min<std::size_t>(8, bytes.size() - at);
    const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    switch (random.below(4)) {
    case 0:
        *place = static_cast<char>(random.next());
        break;
    case 1:
        std::memcpy(&*place, &Numbers[random.below(Numbers.size())], size);
        break;
    case 2:
        bytes.erase(place, place + static_cast<std::ptrdiff_t>(size));
        break;
    default: {
        const Bytes piece(place, place + static_cast<std::ptrdiff_t>(size));
        bytes.insert(place, piece.begin(), piece.end());
    }
    }
}

void mutate(const std::vector<Input>& inputs, std::chrono::seconds time)
{
    const auto end = std::chrono::steady_clock::now() + time;
    lockstep::Random random(lockstep::Seed{static_cast<std::uint64_t>(std::random_device()())});
    const std::string last = lockstep::fuzz::workFolder() + "-last-input"; // is left behind by a crash
    std::size_t count = 0;
    for (; std::chrono::steady_clock::now() < end; ++count) {
        Bytes bytes = inputs[random.below(inputs.size())].bytes;
        for (std::size_t i = random.below(6); i < 6 && !bytes.empty(); ++i) {
            change(bytes, random);
        }
        std::ofstream(last, std::ios::binary).write(bytes.data(), std::ssize(bytes));
        feed(bytes);
    }
    std::filesystem::remove(last);
    std::fprintf(stderr, "%zu changed inputs\n", count);
}

} // namespace

int main(int argc, char** argv)
{
    std::span<char*> arguments(argv + 1, static_cast<std::size_t>(argc) - 1);
    const bool mutates = arguments.size() > 2 && std::string_view(arguments[0]) == "--mutate";
    const std::chrono::seconds time(mutates ? std::atoi(arguments[1]) : 0);
    const std::vector<Input> inputs = inputsIn(mutates ? arguments.subspan(2) : arguments);
    if (inputs.empty()) {
        std::fprintf(stderr, "usage: %s [--mutate SECONDS] FOLDER...: folders with at least one file\n", argv[0]);
        return 2;
    }
    for (const Input& input : inputs) {
        std::fprintf(
            stderr, "%s: %zu bytes\n", input.path.c_str(), input.bytes.size()); // the last one named has crashed
        feed(input.bytes);
    }
    if (mutates) {
        mutate(inputs, time);
    }
    return 0;
}
