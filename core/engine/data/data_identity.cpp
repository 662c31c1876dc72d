#include "engine/data/data_identity.h"

#include "engine/data/built_in_text.h"
#include "engine/data/idx_file.h"
#include "experiment/choices.h"
#include "experiment/dataset_folder.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <zlib.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lockstep::engine {

namespace {

/// Increment it when makeDigits() draws differently.
constexpr int DigitsVersion = 1;
constexpr std::size_t BytesAtOnce = 1 << 18;

struct FreeContext {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
struct CloseDataFile {
    void operator()(gzFile_s* file) const { gzclose_r(file); }
};

class Sha256 {
public:
    Sha256() { m_isGood = m_context && EVP_DigestInit_ex(m_context.get(), EVP_sha256(), nullptr) == 1; }

    void add(std::span<const std::uint8_t> bytes)
    {
        m_isGood = m_isGood && EVP_DigestUpdate(m_context.get(), bytes.data(), bytes.size()) == 1;
    }

    Result<std::string> identity()
    {
        std::array<std::uint8_t, EVP_MAX_MD_SIZE> digest{};
        unsigned size = 0;
        if (!m_isGood || EVP_DigestFinal_ex(m_context.get(), digest.data(), &size) != 1) {
            return Error{"libcrypto cannot compute a SHA-256"};
        }
        std::string text = "sha256:";
        for (const std::uint8_t byte : std::span(digest).first(size)) {
            text += fmt::format("{:02x}", byte);
        }
        return text;
    }

private:
    std::unique_ptr<EVP_MD_CTX, FreeContext> m_context{EVP_MD_CTX_new()};
    bool m_isGood = false;
};

/// zlib passes an uncompressed file through unchanged.
Result<void> addFile(Sha256& sum, const std::string& path)
{
    const std::unique_ptr<gzFile_s, CloseDataFile> file(gzopen(path.c_str(), "rb"));
    std::vector<std::uint8_t> buffer(BytesAtOnce);
    int got = file ? 1 : -1;
    while (got > 0) {
        got = gzread(file.get(), buffer.data(), static_cast<unsigned>(buffer.size()));
        sum.add(std::span(buffer).first(static_cast<std::size_t>(got > 0 ? got : 0)));
    }
    return got == 0 ? Result<void>() : Result<void>(Error{"dataset.path: " + path + " cannot be read"});
}

Result<void> addFolder(Sha256& sum, const std::string& folder)
{
    for (const char* stem :
        {"train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"}) {
        LOCKSTEP_TRY_ASSIGN(const auto path, idxFilePath(folder, stem));
        LOCKSTEP_TRY(addFile(sum, path));
    }
    return {};
}

} // namespace

Result<std::string> dataIdentity(const experiment::RunSpec& run)
{
    const std::string& path = run.text("dataset.path");
    Sha256 sum;
    switch (experiment::choice<experiment::DataSet>(run)) {
    case experiment::DataSet::Digits:
        return fmt::format("digits {}", DigitsVersion);
    case experiment::DataSet::Text:
        if (path.empty()) {
            sum.add(builtInText());
        } else {
            LOCKSTEP_TRY(addFile(sum, path));
        }
        break;
    case experiment::DataSet::Mnist:
        LOCKSTEP_TRY(addFolder(sum, path.empty() ? experiment::mnistFolder() : path));
        break;
    case experiment::DataSet::Idx:
        LOCKSTEP_TRY(addFolder(sum, path));
        break;
    }
    return sum.identity();
}

} // namespace lockstep::engine
