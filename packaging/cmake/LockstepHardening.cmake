# How Debian hardens what it builds (dpkg-buildflags, hardening=+all): checks of buffers' bounds, of the stack and of
# jumps, and relocations that are read-only before main(). In release builds: the sanitizers have checks of their own.
set(LOCKSTEP_HARDENED OFF)
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT LOCKSTEP_SANITIZE AND NOT LOCKSTEP_FUZZ)
  set(LOCKSTEP_HARDENED ON)
  set(hardening -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    list(APPEND hardening -fstack-clash-protection -fcf-protection)
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND hardening -fstack-clash-protection)
  endif()
  foreach(flag IN LISTS hardening)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:${flag}>)
  endforeach()
  add_link_options(-Wl,-z,relro -Wl,-z,now)
  # CMAKE_POSITION_INDEPENDENT_CODE alone does not link with -pie.
  include(CheckPIESupported)
  check_pie_supported(LANGUAGES CXX)
endif()
