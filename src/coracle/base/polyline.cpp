#include "coracle/base/polyline.h"

#include <algorithm>

namespace coracle {

double Polyline::operator()(double t) {
  while (i_ + 1 < points_.size() && points_[i_ + 1].first <= t) ++i_;
  const auto& [t0, y0] = points_[i_];
  if (t == t0 || i_ + 1 == points_.size()) return y0;
  const auto& [t1, y1] = points_[i_ + 1];
  return y0 + (t - t0) / (t1 - t0) * (y1 - y0);
}

TimeSpan span_of(const Points& points) {
  return points.empty() ? TimeSpan{} : TimeSpan{points.front().first, points.back().first};
}

TimeSpan common_span(const TimeSpan& a, const TimeSpan& b) {
  if (a.is_empty() || b.is_empty()) return {};
  return {std::max(a.from, b.from), std::min(a.to, b.to)};
}

Points cut_out(const Points& points, const TimeSpan& span) {
  if (points.empty() || span.is_empty()) return {};
  Polyline line(points);
  Points part{{span.from, line(span.from)}};
  for (const auto& [t, y] : points)
    if (t > span.from && t < span.to) part.emplace_back(t, y);
  if (span.to > span.from) part.emplace_back(span.to, line(span.to));
  return part;
}

}  // namespace coracle
