// For tests that cannot pass in a build with AddressSanitizer or ThreadSanitizer.
#pragma once

namespace lockstep::tests {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool IsSanitized = true;
#else
inline constexpr bool IsSanitized = false;
#endif

} // namespace lockstep::tests
