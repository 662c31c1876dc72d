#include "base/private_files.h"

#include <array>
#include <cstdlib>

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lockstep {

namespace {

constexpr mode_t OwnerOnly = 0077;
mode_t s_before = 0;
bool s_hasBegun = false;

} // namespace

void beginProcess()
{
    s_before = umask(OwnerOnly);
    s_hasBegun = true;
    if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
        return;
    }
    passwd entry{};
    passwd* found = nullptr;
    std::array<char, 16 * 1024> memory{};
    if (getpwuid_r(getuid(), &entry, memory.data(), memory.size(), &found) == 0 && found != nullptr) {
        setenv("HOME", found->pw_dir, 1);
    }
}

void restoreFileMask()
{
    if (s_hasBegun) {
        umask(s_before);
    }
}

void giveAway(const std::string& path)
{
    constexpr mode_t EveryonesFile = 0666;
    if (s_hasBegun) {
        static_cast<void>(chmod(path.c_str(), EveryonesFile & ~s_before)); // not on file systems without modes
    }
}

} // namespace lockstep
