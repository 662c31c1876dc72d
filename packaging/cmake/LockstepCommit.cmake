# The library lockstep_commit: which commit the sources are of (app/commit.h). Each build asks git, and the file is written, and
# compiled, only if the answer is another. A tarball has packaging/commit.txt instead, where `git archive` has put the commit.
#
# As a script: cmake -DSOURCE=DIR -DOUTPUT=FILE -P LockstepCommit.cmake
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(_commit_source ${CMAKE_BINARY_DIR}/commit.cpp)
  add_custom_target(lockstep_commit_source BYPRODUCTS ${_commit_source} VERBATIM
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUTPUT=${_commit_source} -P ${CMAKE_CURRENT_LIST_FILE})
  add_library(lockstep_commit OBJECT ${_commit_source})
  set_target_properties(lockstep_commit PROPERTIES AUTOMOC OFF)
  target_include_directories(lockstep_commit PUBLIC ${PROJECT_SOURCE_DIR})
  add_dependencies(lockstep_commit lockstep_commit_source)
  return()
endif()

file(STRINGS ${SOURCE}/packaging/commit.txt archived REGEX "^[0-9a-f]+$")
set(commit "no commit")
if(archived)
  string(SUBSTRING ${archived} 0 8 short)
  set(commit "commit ${short}")
elseif(EXISTS ${SOURCE}/.git)
  execute_process(COMMAND git -C ${SOURCE} rev-parse --short=8 HEAD OUTPUT_VARIABLE short OUTPUT_STRIP_TRAILING_WHITESPACE
    RESULT_VARIABLE failed ERROR_QUIET)
  if(NOT failed)
    set(commit "commit ${short}")
    execute_process(COMMAND git -C ${SOURCE} diff --quiet HEAD RESULT_VARIABLE has_changes ERROR_QUIET)
    if(has_changes)
      string(APPEND commit " with changes")
    endif()
  endif()
endif()
set(text "#include \"app/commit.h\"\n\nconst char* lockstep::builtFrom()\n{\n    return \"${commit}\";\n}\n")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} written)
endif()
if(NOT "${written}" STREQUAL "${text}")
  file(WRITE ${OUTPUT} "${text}")
endif()
