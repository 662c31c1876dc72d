# Qt Test is the only framework. Qt meets LibTorch in a test of the engine alone: QT_NO_KEYWORDS is on everywhere.
find_package(Qt6 6.4 REQUIRED COMPONENTS Core Network Test)
set(CMAKE_AUTOMOC ON)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/screenshots) # tests write pictures there, in any order

add_library(lockstep_test_main STATIC ${PROJECT_SOURCE_DIR}/tests/program/error_parts.cpp ${PROJECT_SOURCE_DIR}/tests/program/main.cpp)
set_target_properties(lockstep_test_main PROPERTIES AUTOMOC OFF)
target_include_directories(lockstep_test_main PUBLIC ${PROJECT_SOURCE_DIR}/tests PRIVATE ${PROJECT_SOURCE_DIR}/core)
target_compile_definitions(lockstep_test_main PRIVATE LOCKSTEP_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
# Each error is looked at as it is made: failure(), refusal() and failureOf() of core/base, by their mangled names.
target_link_options(lockstep_test_main PUBLIC
  -Wl,--wrap=_ZN8lockstep7failureESt17basic_string_viewIcSt11char_traitsIcEESt6vectorINS_4TextESaIS5_EE
  -Wl,--wrap=_ZN8lockstep7refusalENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESt17basic_string_viewIcS3_ESt6vectorINS_4TextESaIS9_EE
  -Wl,--wrap=_ZN8lockstep9failureOfERKNS_4TextE)
target_link_libraries(lockstep_test_main PUBLIC Qt6::Test PRIVATE lockstep_warnings)

# lockstep_test_program(<program> LINK ... [SOURCES ...] [PRECOMPILE header...] [DEPENDS target...] [COMPUTES]): the program of a
# room's test classes, in build/tests/bin. SOURCES: what several of them use. COMPUTES: its own code has long loops.
function(lockstep_test_program program)
  cmake_parse_arguments(PROGRAM "COMPUTES" "" "SOURCES;LINK;PRECOMPILE;DEPENDS" ${ARGN})
  add_executable(${program} ${PROGRAM_SOURCES})
  set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/bin)
  target_link_libraries(${program} PRIVATE ${PROGRAM_LINK} lockstep_test_main lockstep_warnings)
  target_precompile_headers(${program} PRIVATE <QTest> ${PROGRAM_PRECOMPILE})
  lockstep_unity(${program} 8) # few at once: who changes one test waits for those beside it
  # Tests need no speed of their code, and are compiled for as long as the rest: -O1 takes a third longer than -O0.
  # Without optimisation glibc cannot check bounds, and says so.
  target_compile_options(${program} PRIVATE $<$<CONFIG:Release>:$<IF:$<BOOL:${PROGRAM_COMPUTES}>,-O1,-O0>>
    $<$<CONFIG:Release>:-U_FORTIFY_SOURCE>)
  target_compile_definitions(${program} PRIVATE LOCKSTEP_SOURCE_DIR="${PROJECT_SOURCE_DIR}" LOCKSTEP_BINARY_DIR="${CMAKE_BINARY_DIR}")
  foreach(target IN LISTS PROGRAM_DEPENDS)
    if(TARGET ${target})
      add_dependencies(${program} ${target})
    endif()
  endforeach()
endfunction()

# lockstep_test_moc(<program> <file>): what moc writes of <file>, which includes it at its end as <name>.moc. AUTOMOC would have
# moc read all headers of the file: of LibTorch that takes 5 s for each test.
function(lockstep_test_moc program file)
  get_filename_component(name ${file} NAME_WE)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/moc)
  set(definitions "$<TARGET_PROPERTY:${program},COMPILE_DEFINITIONS>")
  add_custom_command(OUTPUT ${folder}/${name}.moc
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND Qt6::moc -D_GLIBCXX_CONCEPTS "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>" ${file} -o ${folder}/${name}.moc
    DEPENDS ${file} VERBATIM COMMAND_EXPAND_LISTS)
  set_source_files_properties(${file} PROPERTIES SKIP_AUTOMOC ON)
  target_sources(${program} PRIVATE ${folder}/${name}.moc) # written before any file of the program is compiled
  target_include_directories(${program} PRIVATE ${folder})
endfunction()

# lockstep_tests(<program> name... [FOLDER folder] [LABELS ...] [TIMEOUT s]): the classes in folder/<name>.cpp, each a test of
# ctest's. Labels: unit, slow, faults, screenshots, bench.
function(lockstep_tests program)
  cmake_parse_arguments(TESTS "" "FOLDER;TIMEOUT" "LABELS" ${ARGN})
  if(NOT TESTS_FOLDER)
    set(TESTS_FOLDER .)
  endif()
  if(NOT TESTS_TIMEOUT)
    set(TESTS_TIMEOUT 600) # against a test that hangs, on a busy machine too
  endif()
  if(NOT TESTS_LABELS)
    set(TESTS_LABELS unit)
  endif()
  set(cost 1)
  if(TESTS_LABELS MATCHES "^(faults|end_to_end|screenshots|slow)$")
    set(cost 10) # the long ones begin first: one that begins last leaves a core without work
  endif()
  foreach(name IN LISTS TESTS_UNPARSED_ARGUMENTS)
    target_sources(${program} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/${TESTS_FOLDER}/${name}.cpp)
    lockstep_test_moc(${program} ${CMAKE_CURRENT_SOURCE_DIR}/${TESTS_FOLDER}/${name}.cpp)
    add_test(NAME ${name} COMMAND ${program} ${name} WORKING_DIRECTORY ${CMAKE_BINARY_DIR})
    # Threads of a test that computes by itself would spin for cores that other tests have; ranks choose their own number.
    # 77: functions of it were skipped and none failed (tests/program/test_class.h).
    set_tests_properties(${name} PROPERTIES TIMEOUT ${TESTS_TIMEOUT} COST ${cost} LABELS "${TESTS_LABELS}" SKIP_RETURN_CODE 77
      ENVIRONMENT "QT_QPA_PLATFORM=offscreen;OMP_NUM_THREADS=1;LOCKSTEP_QUIET_S=0;LOCKSTEP_MNIST=$ENV{LOCKSTEP_MNIST}")
  endforeach()
endfunction()
