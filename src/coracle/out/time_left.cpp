#include "coracle/out/time_left.h"

#include <algorithm>
#include <cmath>

namespace coracle {

void TimeLeft::add(double dt, double wall) {
  const double fade = std::exp(-dt / memory_);
  wall_ = fade * wall_ + wall;
  simulated_ = fade * simulated_ + dt;
}

double TimeLeft::left(double simulated) const {
  return simulated_ > 0 ? wall_ / simulated_ * std::max(simulated, 0.0) : 0;
}

}  // namespace coracle
