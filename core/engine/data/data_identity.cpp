#include "engine/data/data_identity.h"

#include "base/translate.h"
#include "datasets/registry.h"
#include "engine/data/built_in_text.h"
#include "engine/data/sha256.h"

#include <zlib.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace lockstep::engine {

namespace {

constexpr std::size_t BytesAtOnce = 1 << 18;

struct CloseDataFile {
    void operator()(gzFile_s* file) const { gzclose_r(file); }
};

/// zlib hands a file that is not compressed through as it is.
Result<void> addFile(Sha256& sum, const std::string& path)
{
    const std::unique_ptr<gzFile_s, CloseDataFile> file(gzopen(path.c_str(), "rb"));
    std::vector<std::uint8_t> buffer(BytesAtOnce);
    int got = file ? 1 : -1;
    while (got > 0) {
        got = gzread(file.get(), buffer.data(), static_cast<unsigned>(buffer.size()));
        sum.add(std::span(buffer).first(static_cast<std::size_t>(got > 0 ? got : 0)));
    }
    return got == 0 ? Result<void>()
                    : Result<void>(refusal(nameOf(&experiment::DatasetSettings::path),
                        LS_TR("Messages", "%1 cannot be read"), {verbatim(path)}));
}

} // namespace

Result<std::string> dataIdentity(const experiment::RunSpec& run)
{
    const std::string_view identity = datasets::dataSetOf(run).identity;
    if (!identity.empty()) {
        return std::string(identity);
    }
    LOCKSTEP_TRY_ASSIGN(const auto files, datasets::filesOf(run));
    Sha256 sum;
    if (files.empty()) {
        sum.add(builtInText());
    }
    for (const std::string& file : files) {
        LOCKSTEP_TRY(addFile(sum, file));
    }
    LOCKSTEP_TRY_ASSIGN(const std::string digest, sum.digest());
    return "sha256:" + digest;
}

} // namespace lockstep::engine
