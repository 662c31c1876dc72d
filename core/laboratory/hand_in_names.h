// Names of a hand-in's members. Private to core/laboratory.
#pragma once

namespace lockstep::laboratory {

inline const char* const HandInSuffix = ".handin";
inline const char* const HandInFormat = "lockstep-handin";
inline const char* const HandInName = "handin.json";
inline const char* const HandInLaboratory = "laboratory.lab";
inline const char* const HandInJournal = "work.jsonl";
inline const char* const HandInCode = "code/"; ///< and the template's name
inline const char* const HandInRuns = "runs.lockstep";

} // namespace lockstep::laboratory
