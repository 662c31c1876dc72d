// What a student hands in: NUMBER-NAME-LAB.handin, a zip archive with handin.json, the laboratory, the journal and the
// runs as a bundle without the names of hosts and users. And the report of the work as a value.
#pragma once

#include "archive/zip_writer.h"
#include "exchange/bundle/write_bundle.h"
#include "exchange/report/compose.h"
#include "exchange/report/report.h"
#include "laboratory/outcome.h"
#include "laboratory/work.h"
#include "store/run_store.h"

#include <QByteArray>
#include <QString>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::laboratory {

inline constexpr int HandInVersion = 1;

/// `007-Ada-Lovelace-optimizers.handin`: any script, no character that Windows forbids, at most 120 bytes. The first
/// student's; a number or name that is empty is left out.
[[nodiscard]] QString handInName(const std::vector<Student>& students, const Laboratory& laboratory);

/// What will be in the file, prepared so that it can be shown before it is written.
class HandInDraft {
public:
    /// `version`: of this program. Runs of the work that are not in the store are left out and counted; refuses runs
    /// that have not ended. Store thread.
    [[nodiscard]] static Result<HandInDraft> create(
        const Work& work, const store::RunStore& store, const std::string& version);

    [[nodiscard]] const std::vector<Missing>& missing() const { return m_missing; }
    /// The runs' part; nothing without runs.
    [[nodiscard]] std::optional<exchange::BundleContents> runs() const;
    [[nodiscard]] std::size_t lostRuns() const { return m_lostRuns; } ///< that are no longer in the store
    [[nodiscard]] std::vector<std::string> members() const; ///< names of the files in it
    /// `handin.json`
    [[nodiscard]] const std::string& json() const { return m_json; }
    /// The student's file of each code step that has one, by the step's id.
    [[nodiscard]] const std::map<std::string, QByteArray>& code() const { return m_code; }
    /// Replaces a file of this name.
    [[nodiscard]] Result<void> write(const QString& path) const;

private:
    HandInDraft() = default;

    std::optional<exchange::BundleDraft> m_bundle;
    std::vector<Missing> m_missing;
    std::size_t m_lostRuns = 0;
    std::string m_json;
    std::map<std::string, QByteArray> m_code;
    std::vector<archive::ZipInput> m_files; ///< beside the runs
};

/// A hand-in that was opened, for a lecturer.
struct HandIn {
    Laboratory laboratory;
    WorkState state; ///< students, answers, predictions, runs, claims
    Journal journal; ///< fault() says what does not follow
    std::string at; ///< when it was written, UTC
    std::string json; ///< handin.json as it was: versions and machine, and outcomes as the student saw them
    std::map<std::string, QByteArray> code; ///< the student's file of each code step that has one, by the step's id
    QString storeFolder; ///< with its runs; empty where it has none
};
/// Reads all of it but the runs. `expected`: the id of the laboratory that hand-ins are collected for; a hand-in of
/// another one is refused by name; empty: any.
[[nodiscard]] Result<HandIn> readHandIn(const QString& path, const std::string& expected = {});
/// The same, with its runs in a new store in `folder`, which must not be there or be empty.
[[nodiscard]] Result<HandIn> openHandIn(const QString& path, const QString& folder);
/// Its runs, as store::readForeignRun() reads them; without a store.
struct HandInRunsRead {
    std::vector<analysis::RunRecord> runs;
    std::vector<Error> refused; ///< runs that could not be read, or the whole of them
};
[[nodiscard]] HandInRunsRead readHandInRuns(const QString& path);
[[nodiscard]] bool isHandIn(const QString& path);

/// The report of the work: each prediction beside its result, each answer beside its charts and figures, each claim
/// with its evidence, `code` (as HandIn has it) below its verdict. `source`: runs (of all steps, with curves),
/// language, translate, version, date as for compose(); the author and number are the students'. The key of a block
/// begins with its step's id and a dot. Charts' captions are empty where who draws them knows the titles.
[[nodiscard]] report::Report reportOf(const Laboratory& laboratory, const WorkState& state,
    const report::Source& source, const std::map<std::string, QByteArray>& code = {});

} // namespace lockstep::laboratory
