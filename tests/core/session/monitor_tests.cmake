lockstep_test(test_nvml SOURCES test_nvml.cpp LINK lockstep_session)
add_dependencies(test_nvml fake_nvml)
