# -Wrestrict, -Wstringop-overflow: GCC 12 sees overlaps and overflows in std::string that are not there (bug 105651).
# One target that carries the warnings and the definitions every room is built with. They are errors with LOCKSTEP_WERROR.
add_library(lockstep_warnings INTERFACE)
target_compile_options(lockstep_warnings INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wold-style-cast
  -Woverloaded-virtual -Wimplicit-fallthrough $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>
  # -Warray-bounds sees them there, too, in `"text" + std::string()`; elsewhere it is right, so it stays a warning.
  # GCC 12 now and then writes a precompiled header that it does not accept afterwards: then it reads the header itself.
  $<$<BOOL:${LOCKSTEP_WERROR}>:-Werror> $<$<BOOL:${LOCKSTEP_WERROR}>:-Wno-error=array-bounds>
  $<$<AND:$<BOOL:${LOCKSTEP_WERROR}>,$<CXX_COMPILER_ID:GNU>>:-Wno-error=invalid-pch>)
target_compile_definitions(lockstep_warnings INTERFACE QT_NO_KEYWORDS QT_NO_CAST_TO_ASCII QT_DISABLE_DEPRECATED_BEFORE=0x060400)
