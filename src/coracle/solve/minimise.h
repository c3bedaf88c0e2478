// Newton's method with a line search.
//
// From a point x, a direction d and the slope of the function along it: x ← x + s d with the largest s in 1, ½, ¼, …
// for which the function decreases by at least a given share of the decrease that the slope predicts (Armijo's rule).
// Where the way is barred, s begins below 1.
#pragma once

namespace coracle {

// A function and the current point.
class Minimisation {
 public:
  virtual ~Minimisation() = default;
  // Find the direction at the current point; false if that fails.
  [[nodiscard]] virtual bool find_direction() = 0;
  // For the direction found last:
  virtual double value() const = 0;             // of the function at the current point
  virtual double slope() const = 0;             // along the direction
  virtual double value_at(double share) = 0;    // at the current point + share × direction; infinite: not allowed
  virtual void advance(double share) = 0;       // move to the current point + share × direction
  virtual double largest_share() { return 1; }  // beyond which the way is barred
  // Whether the point meets the constraints. Until it does, any allowed point is accepted; directions lead to it.
  virtual bool feasible() const { return true; }
  struct Size {
    double change;  // size of the direction
    double scale;   // the change is relative to this
  };
  virtual Size size() const = 0;
};

struct NewtonOptions {
  int max_iterations = 30;
  double tolerance = 1e-8;  // of the change, relative to its scale
};

enum class NewtonEnd {
  converged,
  no_direction,  // find_direction() failed
  no_descent,    // the line search found no lower value
  too_many,      // too many iterations
};

[[nodiscard]] NewtonEnd minimise(Minimisation& problem, const NewtonOptions& options);

}  // namespace coracle
