# lockstep_room(<target> SOURCES ... HEADERS ... [LINK ...]): one room of the house as a static library.
# Its public headers are a file set, so that each one is also compiled alone (CMAKE_VERIFY_INTERFACE_HEADER_SETS).
function(lockstep_room target)
  cmake_parse_arguments(ROOM "" "" "SOURCES;HEADERS;LINK" ${ARGN})
  add_library(${target} STATIC ${ROOM_SOURCES})
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${CMAKE_CURRENT_SOURCE_DIR} FILES ${ROOM_HEADERS})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/core ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PUBLIC ${ROOM_LINK} PRIVATE lockstep_warnings)
endfunction()
