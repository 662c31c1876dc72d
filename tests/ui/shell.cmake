# Tests of the window: included by tests/ui/CMakeLists.txt.
lockstep_test(test_form_model SOURCES ${CMAKE_CURRENT_LIST_DIR}/shell/test_form_model.cpp LINK lockstep_models)
lockstep_test(test_tables SOURCES ${CMAKE_CURRENT_LIST_DIR}/shell/test_tables.cpp LINK lockstep_models)
lockstep_test(test_translations SOURCES ${CMAKE_CURRENT_LIST_DIR}/shell/test_translations.cpp LINK lockstep_experiment Qt6::Core)
