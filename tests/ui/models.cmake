# Tests of feeds: included by tests/ui/CMakeLists.txt.
lockstep_test(test_run_account SOURCES ${CMAKE_CURRENT_LIST_DIR}/models/test_run_account.cpp LINK lockstep_models)
