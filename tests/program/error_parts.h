// Each error that a test provokes can be worded in another language: every part of it is a pattern, an entry of the
// catalogue, or verbatim. The linker puts the check around failure(), refusal() and failureOf() (LockstepTest.cmake).
#pragma once

namespace lockstep::test {

/// Prints the parts that no other language can word; how many errors had one.
int printUnwordedParts();
/// In a test of errors themselves, whose patterns are its own.
void ignoreUnwordedParts();

} // namespace lockstep::test
