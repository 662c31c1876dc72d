# The rooms data, net, optim and compat of the engine: read by CMakeLists.txt beside it.
set(LOCKSTEP_ENGINE_NUMERICS_SOURCES)
set(LOCKSTEP_ENGINE_NUMERICS_HEADERS
  data/dataset.h
  net/net.h
  optim/optimizer.h)
