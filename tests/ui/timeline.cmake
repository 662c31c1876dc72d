# Tests of the timeline and the ring: included by tests/ui/CMakeLists.txt.
set(_timeline ${CMAKE_CURRENT_LIST_DIR}/timeline)
foreach(_name test_timeline_model test_ring_model)
  lockstep_test(${_name} SOURCES ${_timeline}/${_name}.cpp LINK lockstep_models)
endforeach()
lockstep_test(test_timeline_view SOURCES ${_timeline}/test_timeline_view.cpp LINK lockstep_ui)
