#include "session/message_patterns.h"

#include "base/translate.h"

namespace lockstep::session {

namespace {

// The long ones are written over two lines: NOLINTBEGIN(bugprone-suspicious-missing-comma)
constexpr std::string_view FilePatterns[] = {
    LS_TR("Messages", "no checkpoint is written: the run's own steps are done"),
    LS_TR("Messages", "checkpoint of step %1: the files of all hosts are in %2"),
    LS_TR("Messages", "checkpoint of step %1: %2 (each host has the files of its own ranks)"),
    LS_TR("Messages", "checkpoint of step %1: %2"),
    LS_TR("Messages", "the checkpoint of step %1 could not be gathered: %2"),
    LS_TR("Messages",
        "checkpoint.from: %1 has no %2 on this host: the ranks of each host keep their own files; start rank %3 on the "
        "host that has it, or copy the file"),
    LS_TR("Messages", "checkpoint.from: rank %1 has found another checkpoint there than rank %2"),
    LS_TR("Messages", "checkpoint.from: rank %1 cannot read its part of it"),
    LS_TR("Messages", "the checkpoint of step %1 could not be sent: %2"),
    LS_TR("Messages", "an earlier one is still being sent"),
    LS_TR("Messages", "the ranks' checkpoints are not gathered: %1"),
    LS_TR("Messages", "the checkpoint of step %1 could not be written: %2"),
    LS_TR("Messages", "%1: the tensors took %2 MB of GPU memory, of %3 MB that are allowed (%4)"),
    LS_TR("Messages", "%1 has no complete checkpoint"),
    LS_TR("Messages", "%1 has no checkpoint"),
    LS_TR("Messages", "import: needs the file of a run, a bundle, or curves (an event file or a CSV)"),
    LS_TR("Messages", "%1 is damaged: its files are of another step than its manifest"),
    LS_TR("Messages", "%1 is not a file of tensors: %2"),
    LS_TR("Messages", "it is not an archive of torch.save, or it is cut off"),
    LS_TR("Messages", "its pickle does not build a dictionary of tensors"),
    LS_TR("Messages", "its pickle has the instruction %1, which a dictionary of tensors does not need"),
    LS_TR("Messages", "its tensor %1 is of an unknown type, %2"),
    LS_TR("Messages", "its tensor %1 does not fit its memory"),
    LS_TR("Messages", "%1 is not a checkpoint: it has no %2"),
    LS_TR("Messages", "%1 is not the manifest of a checkpoint"),
    LS_TR("Messages", "the numbers beside the tensor %1 do not fit it"),
    LS_TR("Messages", "a part of the tensor %1 is in no rank's file"),
    LS_TR("Messages", "the ranks' files have tensors of different shapes under the name %1"),
    LS_TR("Messages", "element %1 of the tensor %2 is in no rank's file"),
    LS_TR("Messages", "its manifest has the files of %1 ranks, its run has %2"),
    LS_TR("Messages",
        "the checkpoint has no hash of its data set (an earlier version wrote it): the data are not compared"),
    LS_TR("Messages", "its %1 is not that of a bundle"),
    LS_TR("Messages", "it is a bundle of version %1, from a later version of Lockstep; this program reads %2"),
    LS_TR("Messages", "run %1 has not ended yet; a bundle takes runs that have"),
    LS_TR("Messages", "it is not a bundle, or was cut short: %1"),
    LS_TR("Messages", "the archive cannot be created"),
    LS_TR("Messages", "the archive cannot be read back"),
    LS_TR("Messages", "the zip archive could not be made: %1"),
    LS_TR("Messages",
        "%1 has no complete checkpoint; checkpoint.every writes them during a run, and stopping a run writes one"),
    LS_TR("Messages", "%1 has no checkpoint; checkpoint.every writes them during a run, and stopping a run writes one"),
    LS_TR("Messages", "bundle: needs the ids of runs, or last; lockstep runs lists them"),
    LS_TR("Messages", "bundle: needs --out FILE, or --dry-run"),
    LS_TR("Messages", "import: needs the file of a run or a bundle"),
};
// NOLINTEND(bugprone-suspicious-missing-comma)

} // namespace

std::span<const std::string_view> filePatterns()
{
    return FilePatterns;
}

} // namespace lockstep::session
