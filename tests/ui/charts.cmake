# Tests of charts and exports: included by tests/ui/CMakeLists.txt.
set(_charts ${CMAKE_CURRENT_LIST_DIR}/charts)
lockstep_test(test_chart_values SOURCES ${_charts}/test_chart_values.cpp LINK lockstep_models)
lockstep_test(test_chart_view SOURCES ${_charts}/test_chart_view.cpp LINK lockstep_ui)
lockstep_test(test_machine_charts SOURCES ${_charts}/test_machine_charts.cpp LINK lockstep_models)
lockstep_test(test_exports SOURCES ${_charts}/test_exports.cpp LINK lockstep_ui)
lockstep_test(bench_charts SOURCES ${_charts}/bench_charts.cpp LINK lockstep_ui LABELS bench)
