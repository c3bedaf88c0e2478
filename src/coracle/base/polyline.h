// A function of time, linear between points.
#pragma once

#include <utility>
#include <vector>

namespace coracle {

using Points = std::vector<std::pair<double, double>>;  // time and value; times do not decrease

// Ask for times that do not decrease, and lie within those of the points. At a point it has the point's value, to the
// bit.
class Polyline {
 public:
  explicit Polyline(const Points& points) : points_(points) {}
  double operator()(double t);

 private:
  const Points& points_;
  std::size_t i_ = 0;
};

struct TimeSpan {
  double from = 0, to = -1;
  bool is_empty() const { return !(from <= to); }
};
TimeSpan span_of(const Points& points);
TimeSpan common_span(const TimeSpan& a, const TimeSpan& b);

// The points within the span, and the values at its ends.
Points cut_out(const Points& points, const TimeSpan& span);

}  // namespace coracle
