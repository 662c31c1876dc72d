// What a process needs before it touches a file: its user's folder, and files that are its user's alone.
#pragma once

#include <string>

namespace lockstep {

/// First in main(), before any thread. Files and folders that the process creates have the modes 0600 and 0700; those
/// that exist keep theirs. Where HOME is not set, or empty, it is the user's folder in the password database.
void beginProcess();

/// Between fork and exec: other programs, a user's own among them, get the mask that this process began with. Our
/// programs set theirs in beginProcess() again. Async-signal-safe.
void restoreFileMask();

/// A file that is made for others, such as a laboratory to be handed out, gets the mode that this process began with.
void giveAway(const std::string& path);

} // namespace lockstep
