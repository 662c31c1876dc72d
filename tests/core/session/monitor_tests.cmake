lockstep_test(test_nvml SOURCES test_nvml.cpp LINK lockstep_session)
add_dependencies(test_nvml fake_nvml)
lockstep_test(test_monitor SOURCES test_monitor.cpp session_fixture.h session_fixture.cpp LINK lockstep_session)
add_dependencies(test_monitor fake_nvml fake_rank)
