// Hand-ins of a made-up class: each with runs of its own, cheaply. The runs of one made-up experiment are written once;
// a hand-in gets copies of their files with other ids and start times of the same length.
#pragma once

#include "analysis/run_record.h"
#include "archive/zip_writer.h"
#include "laboratory/claim.h"
#include "laboratory/laboratory.h"
#include "laboratory/laboratory_key.h"
#include "laboratory/prediction.h"

#include <QString>
#include <QTemporaryDir>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace lockstep::tests {

/// What a made-up student does. Steps as in sampleDescription(), and count (a number) and rank (an order).
struct MadeUpWork {
    std::vector<laboratory::Student> students;
    laboratory::Direction direction = laboratory::Direction::Lower; ///< of guess
    std::string pick = "yes";
    std::string count = "4";
    std::vector<std::string> rank{"a", "b", "c"};
    std::string why; ///< free text
    bool claimHolds = true; ///< the claim is made so that it holds, or its opposite
    int runsOf = 0; ///< whose runs: two works of one number have the same
};

class MadeUpClass {
public:
    static constexpr std::size_t Repeats = 7;

    MadeUpClass();
    [[nodiscard]] const laboratory::Laboratory& laboratory() const { return m_laboratory; }
    [[nodiscard]] const laboratory::LaboratoryKey& key() const { return m_key; }
    /// The members of the hand-in's archive.
    [[nodiscard]] std::vector<archive::ZipInput> members(const MadeUpWork& work);
    /// The archive's bytes.
    [[nodiscard]] std::string handIn(const MadeUpWork& work);
    [[nodiscard]] const std::vector<analysis::RunRecord>& runs() const { return m_records; }
    /// The claim that holds, of Adam's final loss against SGD's, or its opposite.
    [[nodiscard]] laboratory::Claim claim(bool holds) const;

private:
    [[nodiscard]] std::string bundleOf(int number) const;
    [[nodiscard]] std::vector<RunId> idsOf(int number) const;

    QTemporaryDir m_folder;
    laboratory::Laboratory m_laboratory;
    laboratory::LaboratoryKey m_key;
    std::vector<analysis::RunRecord> m_records;
    std::vector<archive::ZipInput> m_bundle;
    int m_works = 0;
};

/// Makes the file's folder too. false: it could not be written.
[[nodiscard]] bool writeFile(const QString& path, const std::string& bytes);

} // namespace lockstep::tests
