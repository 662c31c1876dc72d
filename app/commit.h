// Which sources a program was built from. Only the programs have it, so that a commit compiles one file and links two.
#pragma once

namespace lockstep {

/// `commit 552eb21c`, `commit 552eb21c with changes`, or `no commit` outside of git.
[[nodiscard]] const char* builtFrom();

} // namespace lockstep
