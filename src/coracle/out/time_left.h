// How long a run will still take, from the steps so far.
//
//   left = W/S · (t_end − t),   W = Σ wᵢ e^{−(t − tᵢ)/m},   S = Σ Δtᵢ e^{−(t − tᵢ)/m}
//
// wᵢ is the wall time of step i in s, tᵢ the simulated time at its end, Δtᵢ its length: the mean price of simulated
// time, in which a step that lies m back counts 1/e. So it follows a run whose steps become slower.
#pragma once

namespace coracle {

class TimeLeft {
 public:
  explicit TimeLeft(double memory) : memory_(memory) {}  // m, simulated s
  void add(double dt, double wall);
  // s of wall time for `simulated` s to come; 0 before the first step.
  double left(double simulated) const;

 private:
  double memory_, wall_ = 0, simulated_ = 0;
};

}  // namespace coracle
