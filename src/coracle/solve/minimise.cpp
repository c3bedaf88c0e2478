#include "coracle/solve/minimise.h"

#include <cmath>

namespace coracle {
namespace {

constexpr double sufficient = 1e-4;  // share of the predicted decrease
constexpr int most_halvings = 20;
constexpr double tiny = 1e-5;   // relative change whose effect is lost in round-off: always accepted
constexpr double crude = 1e-2;  // relative change at which a stalled iteration counts as converged

}  // namespace

NewtonEnd minimise(Minimisation& problem, const NewtonOptions& options) {
  Minimisation::Size size{0, 0};
  for (int iteration = 0; iteration < options.max_iterations; ++iteration) {
    if (!problem.find_direction()) return NewtonEnd::no_direction;
    size = problem.size();
    const double value = problem.value(), slope = problem.slope();
    double share = problem.largest_share();
    const bool barred = share < 1;
    for (int halving = 0;; ++halving, share *= 0.5) {
      const double there = problem.value_at(share);
      if (std::isfinite(there) &&
          (!problem.feasible() || there <= value + sufficient * share * slope || size.change < tiny * size.scale))
        break;
      if (halving == most_halvings)
        return problem.feasible() && size.change < crude * size.scale ? NewtonEnd::converged : NewtonEnd::no_descent;
    }
    problem.advance(share);
    if (problem.feasible() && (barred ? 1 : share) * size.change <= options.tolerance * size.scale)
      return NewtonEnd::converged;
  }
  return problem.feasible() && size.change < crude * size.scale ? NewtonEnd::converged : NewtonEnd::too_many;
}

}  // namespace coracle
