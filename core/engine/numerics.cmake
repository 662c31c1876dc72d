# The rooms data, net and optim of the engine: read by CMakeLists.txt beside it.
set(LOCKSTEP_ENGINE_NUMERICS_SOURCES
  data/idx_file.cpp data/idx_folder.cpp data/digits.cpp data/digit_glyphs.cpp data/normalise.cpp data/dataset.cpp
  data/text.cpp data/built_in_text.cpp
  net/net.cpp net/linear.cpp net/linear_weights.cpp net/convolution.cpp net/gpt.cpp net/shapes.cpp net/tensor_group.cpp net/registry.cpp
  optim/sgd.cpp optim/momentum.cpp optim/adam.cpp optim/registry.cpp optim/schedule.cpp optim/clip.cpp)
set(LOCKSTEP_ENGINE_NUMERICS_HEADERS
  data/dataset.h data/idx_file.h data/digits.h data/normalise.h data/built_in_text.h
  net/net.h net/tensor_group.h
  optim/optimizer.h)

# The text is part of the program; make knows the file by name, because the compiler does not look into assembly.
set(LOCKSTEP_TEXT_FILE ${PROJECT_SOURCE_DIR}/resources/text/shakespeare.txt)
set_source_files_properties(${PROJECT_SOURCE_DIR}/core/engine/data/built_in_text.cpp PROPERTIES
  COMPILE_DEFINITIONS LOCKSTEP_TEXT_FILE="${LOCKSTEP_TEXT_FILE}" OBJECT_DEPENDS ${LOCKSTEP_TEXT_FILE}
  SKIP_PRECOMPILE_HEADERS ON)
