# The rooms data, net and optim of the engine: read by CMakeLists.txt beside it.
set(LOCKSTEP_ENGINE_NUMERICS_SOURCES
  data/idx_file.cpp data/idx_folder.cpp data/digits.cpp data/digit_glyphs.cpp data/normalise.cpp data/dataset.cpp
  net/net.cpp net/linear.cpp net/convolution.cpp net/shapes.cpp net/registry.cpp
  optim/sgd.cpp optim/momentum.cpp optim/adam.cpp optim/registry.cpp optim/schedule.cpp optim/clip.cpp)
set(LOCKSTEP_ENGINE_NUMERICS_HEADERS
  data/dataset.h data/idx_file.h data/digits.h data/normalise.h
  net/net.h
  optim/optimizer.h)
