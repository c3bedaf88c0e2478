#include "coracle/step/grid/runs.h"

#include "coracle/base/parallel.h"

#include <algorithm>

namespace coracle {
namespace {

constexpr int longest = 64;        // values, so that the runs are equal work
constexpr std::size_t block = 64;  // rows

// f(from, to) for the parts of a row that lie in boxes. `parts` is memory.
template <class F>
void for_parts(std::span<const CellBox> boxes, int j, int k, std::vector<std::pair<int, int>>& parts, F&& f) {
  parts.clear();
  for (const CellBox& b : boxes)
    if (j >= b.lo.y() && j < b.hi.y() && k >= b.lo.z() && k < b.hi.z() && b.lo.x() < b.hi.x())
      parts.emplace_back(b.lo.x(), b.hi.x());
  std::sort(parts.begin(), parts.end());
  for (std::size_t i = 0; i < parts.size();) {
    const int from = parts[i].first;
    int to = parts[i].second;
    for (++i; i < parts.size() && parts[i].first <= to; ++i) to = std::max(to, parts[i].second);
    f(from, to);
  }
}

// run(first, count, value) for the runs of [from, to) in a row.
template <class F>
void for_runs(const double* row, int from, int to, F&& run) {
  while (from < to) {
    const double value = row[from];
    const int first = from, end = std::min(to, from + longest);
    do ++from;
    while (from < end && row[from] == value);
    run(first, from - first, value);
  }
}

}  // namespace

void find_runs(const Array3<double>& f, std::span<const CellBox> boxes, Runs& runs) {
  Vec3i lo = f.n, hi = Vec3i::Zero();
  for (const CellBox& b : boxes) lo = lo.cwiseMin(b.lo), hi = hi.cwiseMax(b.hi);
  const std::size_t ny = std::max(hi.y() - lo.y(), 0), rows = ny * std::max(hi.z() - lo.z(), 0);
  // f(index of the row, its first value, from, to)
  const auto visit = [&](auto&& visit_part) {
    for_blocks(rows, block, [&](std::size_t begin, std::size_t end) {
      thread_local std::vector<std::pair<int, int>> parts;
      for (std::size_t r = begin; r < end; ++r) {
        const int j = lo.y() + int(r % ny), k = lo.z() + int(r / ny);
        const std::size_t start = f.index(0, j, k);
        for_parts(boxes, j, k, parts, [&](int from, int to) { visit_part(r, start, from, to); });
      }
    });
  };
  std::vector<std::size_t>& first = runs.first_of_row;
  first.assign(rows + 1, 0);
  visit([&](std::size_t r, std::size_t start, int from, int to) {
    for_runs(f.data.data() + start, from, to, [&](int, int, double) { ++first[r + 1]; });
  });
  for (std::size_t r = 0; r < rows; ++r) first[r + 1] += first[r];
  runs.all.resize(first[rows]);
  visit([&](std::size_t r, std::size_t start, int from, int to) {
    for_runs(f.data.data() + start, from, to, [&](int at, int count, double value) {
      runs.all[first[r]++] = {std::uint32_t(start + at), std::uint32_t(count), value};
    });
  });
}

}  // namespace coracle
