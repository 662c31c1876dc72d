// A bundle: runs with their experiment and environment in one file, a zip archive. Store thread.
#pragma once

#include "archive/zip_writer.h"
#include "exchange/bundle/manifest.h"
#include "exchange/bundle/private_names.h"
#include "store/run_store.h"
#include "store/view_files.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::exchange {

struct BundleContents {
    struct Run {
        BundledRun run;
        qint64 bytes = 0;
    };
    std::vector<Run> runs;
    qsizetype specs = 0;
    QStringList views; ///< their names
    std::vector<std::string> environment; ///< lines, each once
    Names names = Names::LeaveOut;
    int homes = 0; ///< texts in which a home folder was shortened
    int hosts = 0; ///< names of hosts that were left out
};

/// What a bundle will contain, prepared in a private folder of the store, so that it can be shown before it is written.
class BundleDraft {
public:
    /// Copies the runs without private names, and the saved views that draw no other runs. Refuses runs that have not
    /// ended.
    [[nodiscard]] static Result<BundleDraft> create(
        const store::RunStore& store, std::span<const analysis::RunRecord> runs, Names names);

    [[nodiscard]] const Manifest& manifest() const { return m_manifest; }
    [[nodiscard]] BundleContents contents() const;
    /// The same in lines of English.
    [[nodiscard]] std::string listing() const;
    /// Equal runs give equal bytes. Replaces a file of this name.
    [[nodiscard]] Result<void> write(const QString& path) const;

private:
    explicit BundleDraft(Names names);
    [[nodiscard]] Result<void> addRun(const store::RunStore& store, const analysis::RunRecord& run);
    void addViews(const store::RunStore& store);
    void addDocuments();

    std::optional<DraftFolder> m_folder;
    Names m_names = Names::LeaveOut;
    Manifest m_manifest;
    std::vector<archive::ZipInput> m_members; ///< of the runs, then all
    std::vector<experiment::RunSpec> m_specs;
    std::vector<store::ViewFile> m_views;
    PrivateNames m_namesOfViews;
    nlohmann::ordered_json m_environment = nlohmann::ordered_json::array();
    std::vector<std::string> m_environmentLines; ///< each once
    int m_homes = 0;
    int m_hosts = 0;
};

} // namespace lockstep::exchange
