// A small laboratory as files, for the tests of the room.
#pragma once

#include "analysis/run_record.h"
#include "laboratory/laboratory.h"

#include <QByteArray>
#include <QString>

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace lockstep::tests {

using LabFiles = std::map<QString, QByteArray>;
using LabJson = nlohmann::ordered_json;

/// Steps: start (text), guess (direction), amount (number), order, curve, run (experiment of SGD, Adam and GD), why
/// (question), pick (choice), claim, ring (code). In English and Chinese.
[[nodiscard]] LabJson sampleDescription();
[[nodiscard]] LabFiles sampleFiles();
/// The same with another description.
[[nodiscard]] LabFiles filesWith(const LabJson& description);
void writeFolder(const LabFiles& files, const QString& folder);
/// The laboratory of sampleFiles(), read.
[[nodiscard]] laboratory::Laboratory sampleLaboratory();

/// Finished runs of the sample's experiment with this final loss each: one a seed.
[[nodiscard]] std::vector<analysis::RunRecord> runsOf(const std::string& variant, const std::vector<double>& losses);

} // namespace lockstep::tests
