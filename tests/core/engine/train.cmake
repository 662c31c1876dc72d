# The training loop's tests: in this process, and through the rank program.
lockstep_test(test_gradient SOURCES train/test_gradient.cpp LINK lockstep_engine)
lockstep_test(test_batches SOURCES train/test_batches.cpp LINK lockstep_engine)
lockstep_test(test_training SOURCES train/test_training.cpp LINK lockstep_engine TIMEOUT 300)
lockstep_test(test_rank_program SOURCES train/test_rank_program.cpp LINK lockstep_wire TIMEOUT 300)
add_dependencies(test_rank_program lockstep-rank)
lockstep_test(test_data_parallel SOURCES parallel/test_data_parallel.cpp LINK lockstep_engine TIMEOUT 300)
lockstep_test(test_partitioned_training SOURCES parallel/test_partitioned_training.cpp LINK lockstep_engine TIMEOUT 300)
lockstep_test(test_gloo SOURCES parallel/test_gloo.cpp LINK lockstep_engine Qt6::Network TIMEOUT 300)
