#include "bind/bind.h"

PYBIND11_MODULE(_core, m) {
  m.doc() = "The part of coracle that is written in C++; import coracle instead.";
  m.attr("version") = CORACLE_VERSION;
  coracle::bind_outside(m);
  coracle::bind_errors(m);
  coracle::bind_scenes(m);
  coracle::bind_simulation(m);
  coracle::bind_runs(m);
  coracle::bind_pictures(m);
}
