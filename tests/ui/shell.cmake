# Tests of the window: included by tests/ui/CMakeLists.txt.
lockstep_test(test_form_model SOURCES ${CMAKE_CURRENT_LIST_DIR}/shell/test_form_model.cpp LINK lockstep_models)
lockstep_test(test_tables SOURCES ${CMAKE_CURRENT_LIST_DIR}/shell/test_tables.cpp LINK lockstep_models)
lockstep_test(test_translations SOURCES ${CMAKE_CURRENT_LIST_DIR}/shell/test_translations.cpp LINK lockstep_experiment Qt6::Core)
lockstep_test(test_window SOURCES ${CMAKE_CURRENT_LIST_DIR}/shell/test_window.cpp LINK lockstep_ui TIMEOUT 240)
lockstep_test(test_screenshots SOURCES ${CMAKE_CURRENT_LIST_DIR}/shell/test_screenshots.cpp LINK lockstep_ui
  LABELS screenshots TIMEOUT 400)
add_dependencies(test_window fake_rank)
add_dependencies(test_screenshots fake_rank)
if(TARGET lockstep-rank)
  add_dependencies(test_screenshots lockstep-rank)
endif()
lockstep_test(test_partition_pages SOURCES ${CMAKE_CURRENT_LIST_DIR}/shell/test_partition_pages.cpp LINK lockstep_ui
  LABELS screenshots TIMEOUT 240)
if(TARGET lockstep-rank)
  add_dependencies(test_partition_pages lockstep-rank)
endif()
