# Tests of the picture of a net: included by tests/ui/CMakeLists.txt.
set(_net ${CMAKE_CURRENT_LIST_DIR}/net)
lockstep_test(test_net_picture SOURCES ${_net}/test_net_picture.cpp LINK lockstep_models)
lockstep_test(test_net_panel SOURCES ${_net}/test_net_panel.cpp LINK lockstep_ui)
lockstep_test(test_rank_map SOURCES ${_net}/test_rank_map.cpp LINK lockstep_models)
lockstep_test(test_rank_map_panel SOURCES ${_net}/test_rank_map_panel.cpp LINK lockstep_ui)
