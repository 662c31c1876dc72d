# lockstep_unity(<target> [files]): compiles several source files of a target as one, which saves reading the headers again for
# each. Names in anonymous namespaces must therefore differ within a room; so must those of file-local macros.
function(lockstep_unity target)
  if(NOT LOCKSTEP_UNITY)
    return()
  endif()
  set(batch ${LOCKSTEP_UNITY_BATCH})
  if(ARGC GREATER 1)
    set(batch ${ARGV1})
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
  # Without what AUTOMOC writes, which CMake 3.31 counts, unlike 3.25: the files that meet in a batch are the same with both.
  set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/${target}_autogen/mocs_compilation.cpp
    PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  # A type with a member from an anonymous namespace is harmless in a source file, but this one is included by another.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()

# lockstep_room(<target> SOURCES ... HEADERS ... [LINK ...]): one room of the house as a static library.
# Its public headers are a file set, so that each one is also compiled alone (CMAKE_VERIFY_INTERFACE_HEADER_SETS).
function(lockstep_room target)
  cmake_parse_arguments(ROOM "" "" "SOURCES;HEADERS;LINK" ${ARGN})
  add_library(${target} STATIC EXCLUDE_FROM_ALL ${ROOM_SOURCES}) # built for the programs that link it
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${CMAKE_CURRENT_SOURCE_DIR} FILES ${ROOM_HEADERS})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/core ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PUBLIC ${ROOM_LINK} PRIVATE lockstep_warnings)
  lockstep_unity(${target})
endfunction()
