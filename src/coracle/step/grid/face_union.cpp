#include "coracle/step/grid/face_union.h"

#include "coracle/base/parallel.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace coracle {
namespace {

constexpr double same_area = 1e-9;  // face areas: by sections and by closure
constexpr double shut = 1e-12;      // face areas: less is round-off

// A piece of a solid's boundary in a face: x (across) over y (height), in cells from the face's corner, y0 ≤ y1.
struct Segment {
  int surface;
  double x0, y0, x1, y1;
  bool entering;  // the solid lies beyond it, towards larger x
  double at(double y) const { return x0 + (x1 - x0) * (y - y0) / (y1 - y0); }
};

struct Face {
  int axis;
  Vec3i at;
  int across() const { return (axis + 1) % 3; }
  int up() const { return (axis + 2) % 3; }
};

// Clip a segment to 0 ≤ x, y ≤ 1. Empty if nothing is left that has a height.
std::optional<Segment> clipped(const Segment& s) {
  if (s.y0 == s.y1) return {};
  double from = std::max(0.0, s.y0), to = std::min(1.0, s.y1);
  const double slope = (s.x1 - s.x0) / (s.y1 - s.y0);
  if (slope == 0) {
    if (s.x0 < 0 || s.x0 > 1) return {};
  } else {
    double left = s.y0 - s.x0 / slope, right = s.y0 + (1 - s.x0) / slope;  // where x = 0, 1
    if (left > right) std::swap(left, right);
    from = std::max(from, left);
    to = std::min(to, right);
  }
  if (!(to > from)) return {};
  return Segment{s.surface, s.at(from), from, s.at(to), to, s.entering};
}

// Where a triangle meets the face's plane. Corners on the plane count as `above` or below it.
std::optional<Segment> section(const Face& face, int surface, double turn, const std::array<Vec3, 3>& x, bool above) {
  const int a = face.axis, b = face.across(), c = face.up();
  std::array<std::pair<double, double>, 2> ends;
  int found = 0;
  for (int i = 0; i < 3; ++i) {
    const Vec3 &p = x[i], &q = x[(i + 1) % 3];
    const double hp = p[a] - face.at[a], hq = q[a] - face.at[a];
    const bool p_above = hp > 0 || (hp == 0 && above), q_above = hq > 0 || (hq == 0 && above);
    if (p_above == q_above) continue;
    const double t = hp / (hp - hq);
    ends[found++] = {p[b] + t * (q[b] - p[b]) - face.at[b], p[c] + t * (q[c] - p[c]) - face.at[c]};
    if (found == 2) break;
  }
  if (found < 2) return {};
  if (ends[0].second > ends[1].second) std::swap(ends[0], ends[1]);
  const double normal = turn * (x[1] - x[0]).cross(x[2] - x[0])[b];  // out of the solid
  return Segment{surface, ends[0].first, ends[0].second, ends[1].first, ends[1].second, normal < 0};
}

// The height at which two segments cross, if they do.
std::optional<double> crossing(const Segment& s, const Segment& t) {
  const double from = std::max(s.y0, t.y0), to = std::min(s.y1, t.y1);
  if (!(to > from)) return {};
  const double d0 = s.at(from) - t.at(from), d1 = s.at(to) - t.at(to);
  if (d0 * d1 >= 0) return {};
  return from + (to - from) * d0 / (d0 - d1);
}

class FaceUnion {
 public:
  FaceUnion(const Grid& grid, const Surfaces& surfaces, const SolidField& field, const Face& face,
            const std::set<std::pair<int, int>>& tris)
      : grid_(grid), surfaces_(surfaces), field_(field), face_(face) {
    std::map<int, std::vector<std::array<Vec3, 3>>> by_surface;
    for (const auto& [s, tri] : tris) {
      std::array<Vec3, 3> x;
      for (int c = 0; c < 3; ++c) x[c] = grid.to_cells(surfaces[s].x[surfaces[s].tris[tri][c]]);
      by_surface[s].push_back(x);
    }
    for (const auto& [s, triangles] : by_surface) add_surface(s, triangles);
  }

  // The share of the face outside all solids; empty where a section has another area than the solid's cut.
  std::optional<double> open() const {
    if (!good_) return {};
    return 1 - covered(sections_, solids_);
  }

 private:
  struct Sections {
    std::vector<Segment> segments;
    std::vector<double> heights;  // of all corners, also of level segments
  };

  // Corners on the plane may count as above it or below: take what agrees with the cut.
  void add_surface(int s, const std::vector<std::array<Vec3, 3>>& triangles) {
    const double expected = field_.each[s].cut.filled[face_.axis].at(face_.at);
    const double turn = surfaces_[s].container ? -1 : 1;
    for (const bool above : {true, false}) {
      Sections found;
      for (const auto& x : triangles) {
        const auto segment = section(face_, s, turn, x, above);
        if (!segment) continue;
        for (const double y : {segment->y0, segment->y1})
          if (y > 0 && y < 1) found.heights.push_back(y);
        if (const auto part = clipped(*segment)) found.segments.push_back(*part);
      }
      if (std::abs(covered(found, {s}) - expected) > same_area) continue;
      sections_.segments.insert(sections_.segments.end(), found.segments.begin(), found.segments.end());
      sections_.heights.insert(sections_.heights.end(), found.heights.begin(), found.heights.end());
      solids_.push_back(s);
      return;
    }
    good_ = false;
  }

  bool inside(int s, double x, double y) const {
    Vec3 at = face_.at.cast<double>();
    at[face_.across()] += x;
    at[face_.up()] += y;
    const double distance = field_.each[s].tree.closest(grid_.origin + grid_.dx * at).distance;
    return surfaces_[s].container ? distance > 0 : distance < 0;
  }

  // The area of the face that the solids cover together.
  double covered(const Sections& sections, const std::vector<int>& solids) const {
    const std::vector<Segment>& segments = sections.segments;
    std::vector<double> heights = sections.heights;
    heights.push_back(0);
    heights.push_back(1);
    for (std::size_t i = 0; i < segments.size(); ++i) {
      heights.push_back(segments[i].y0);
      heights.push_back(segments[i].y1);
      for (std::size_t j = 0; j < i; ++j)
        if (const auto y = crossing(segments[i], segments[j])) heights.push_back(*y);
    }
    std::sort(heights.begin(), heights.end());
    double area = 0;
    for (std::size_t h = 0; h + 1 < heights.size(); ++h)
      if (heights[h + 1] > heights[h])
        area += (heights[h + 1] - heights[h]) * length_at(0.5 * (heights[h] + heights[h + 1]), segments, solids);
    return area;
  }

  double length_at(double y, const std::vector<Segment>& segments, const std::vector<int>& solids) const {
    std::vector<std::pair<double, const Segment*>> met;
    for (const Segment& s : segments)
      if (s.y0 < y && y < s.y1) met.emplace_back(s.at(y), &s);
    std::stable_sort(met.begin(), met.end(), [](const auto& p, const auto& q) { return p.first < q.first; });
    std::map<int, bool> in;  // per solid, from x = 0 on
    for (const int s : solids) {
      const auto first = std::find_if(met.begin(), met.end(), [&](const auto& m) { return m.second->surface == s; });
      in[s] = first == met.end() ? inside(s, 0.5, y) : !first->second->entering;
    }
    const auto any = [&] { return std::any_of(in.begin(), in.end(), [](const auto& i) { return i.second; }); };
    double length = 0, from = 0;
    for (const auto& [x, segment] : met) {
      if (any()) length += x - from;
      from = x;
      in[segment->surface] = segment->entering;
    }
    return any() ? length + 1 - from : length;
  }

  const Grid& grid_;
  const Surfaces& surfaces_;
  const SolidField& field_;
  const Face face_;
  Sections sections_;
  std::vector<int> solids_;  // that meet the face
  bool good_ = true;
};

// The triangles of the patches in the cells on both sides of a face.
std::set<std::pair<int, int>> triangles_beside(const Grid& grid, const Boundary& cut, const Face& face) {
  std::set<std::pair<int, int>> found;
  for (const int side : {-1, 0}) {
    const Vec3i cell = face.at + side * Vec3i::Unit(face.axis);
    if (cell[face.axis] < 0 || cell[face.axis] >= grid.n[face.axis]) continue;
    const int index = int(cut.volume.index(cell));
    const auto first = std::lower_bound(cut.patches.begin(), cut.patches.end(), index,
                                        [](const Patch& p, int c) { return p.cell < c; });
    for (auto p = first; p != cut.patches.end() && p->cell == index; ++p) found.emplace(p->surface, p->tri);
  }
  return found;
}

}  // namespace

void open_by_union(const Grid& grid, const Surfaces& surfaces, const SolidField& field,
                   const std::vector<FaceId>& faces, Boundary& cut) {
  for_each_index(
      faces.size(),
      [&](std::size_t i) {
        const auto [axis, index] = faces[i];
        if (cut.open[axis].data[index] == 0) return;  // one of the solids covers it
        const Face face{axis, cut.open[axis].cell(index)};
        const FaceUnion sections(grid, surfaces, field, face, triangles_beside(grid, cut, face));
        if (const auto open = sections.open()) cut.open[axis].data[index] = *open < shut ? 0 : *open;
      },
      64);
}

}  // namespace coracle
