// The library failing_calls.so, preloaded into a program, lets one system call of it fail, or records what it writes.
// A test finds these functions by dlsym(): FailingCalls in tests/faults/failing_calls_control.h.
//
// In a program that no test controls, the environment says the same:
//     LOCKSTEP_FAIL=ENOSPC:17:lockstep-rank   the 17th call that can fail so, in programs of that name
//     LOCKSTEP_FAIL=ENOSPC:s17:lockstep-rank  the first call from the 17th place in the code
//     LOCKSTEP_FAIL_COUNT=FILE                how many calls, or places, there were: a line of each process at its end
//     LOCKSTEP_RECORD_WRITES=FILE:FOLDER      every change below FOLDER, in the order in which it was made
#pragma once

namespace lockstep::fakes {

/// As an error: the call transfers half of what was asked for.
inline constexpr int ShortTransfer = -1;

enum class Fails { AnyThread, CallingThread };

/// Lets the `at`-th call fail that can fail with `error` (an errno, or ShortTransfer).
using Arm = void (*)(int error, long at, Fails who);
/// No call fails any more. Gives how many could have failed since Arm.
using Disarm = long (*)();

/// A change of the file system as it is recorded: `Kind inode size1 size2 offset\n`, then size1 and size2 bytes.
enum class Change : char {
    Create = 'c', ///< a file of that inode gets the path `size1`
    Write = 'w', ///< `size1` bytes at the offset
    Truncate = 't', ///< to the offset
    Sync = 's', ///< a file or a folder, which then has the path `size1`
    Rename = 'r', ///< from the path `size1` to the path `size2`
    Unlink = 'u', ///< a file or an empty folder
    MakeFolder = 'm'
};

} // namespace lockstep::fakes
