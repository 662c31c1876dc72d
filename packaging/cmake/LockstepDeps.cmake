# What the rank program needs beyond LibTorch: nlohmann-json, {fmt}, FlatBuffers (with its compiler), zlib and OpenSSL, as packages; or all of it in
# one folder that packaging/collect_deps.sh has filled elsewhere, for hosts that have a compiler and LibTorch and no more.
set(LOCKSTEP_DEPS "" CACHE PATH "A folder filled by packaging/collect_deps.sh, instead of packages")

if(NOT LOCKSTEP_DEPS)
  find_package(nlohmann_json REQUIRED)
  find_package(fmt 9 REQUIRED)
  return()
endif()

foreach(file nlohmann/json.hpp fmt/format.h flatbuffers/flatbuffers.h lockstep_generated.h zlib.h openssl/evp.h)
  if(NOT EXISTS ${LOCKSTEP_DEPS}/include/${file})
    message(FATAL_ERROR "LOCKSTEP_DEPS: ${LOCKSTEP_DEPS}/include/${file} is not there; fill the folder with packaging/collect_deps.sh")
  endif()
endforeach()
add_library(lockstep_deps INTERFACE)
target_include_directories(lockstep_deps SYSTEM INTERFACE ${LOCKSTEP_DEPS}/include)
add_library(nlohmann_json::nlohmann_json ALIAS lockstep_deps)
# Its library is not among the folder's files.
target_compile_definitions(lockstep_deps INTERFACE FMT_HEADER_ONLY)
add_library(fmt::fmt ALIAS lockstep_deps)
# The libraries themselves are everywhere; their names without a version come with their headers.
find_library(LOCKSTEP_ZLIB NAMES z libz.so.1 REQUIRED)
add_library(ZLIB::ZLIB INTERFACE IMPORTED GLOBAL)
target_include_directories(ZLIB::ZLIB SYSTEM INTERFACE ${LOCKSTEP_DEPS}/include)
target_link_libraries(ZLIB::ZLIB INTERFACE ${LOCKSTEP_ZLIB})
find_library(LOCKSTEP_CRYPTO NAMES crypto libcrypto.so.3 libcrypto.so.1.1 REQUIRED)
add_library(OpenSSL::Crypto INTERFACE IMPORTED GLOBAL)
target_include_directories(OpenSSL::Crypto SYSTEM INTERFACE ${LOCKSTEP_DEPS}/include)
target_link_libraries(OpenSSL::Crypto INTERFACE ${LOCKSTEP_CRYPTO})
