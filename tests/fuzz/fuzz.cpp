#include "fuzz.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace lockstep::fuzz {

namespace {

class Folder {
public:
    Folder()
        : m_path((std::filesystem::temp_directory_path() / "lockstep-fuzz-XXXXXX").string())
    {
        require(mkdtemp(m_path.data()) != nullptr, "a folder for temporary files can be made");
    }
    ~Folder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    [[nodiscard]] const std::string& path() const { return m_path; }

private:
    std::string m_path;
};

} // namespace

void require(bool holds, const char* what)
{
    if (!holds) {
        std::fprintf(stderr, "this should hold: %s\n", what);
        std::abort();
    }
}

const std::string& workFolder()
{
    static const Folder folder;
    return folder.path();
}

void writeFile(const std::string& name, std::span<const std::uint8_t> bytes)
{
    std::ofstream file(workFolder() + "/" + name, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    require(file.good(), "a temporary file can be written");
}

} // namespace lockstep::fuzz
