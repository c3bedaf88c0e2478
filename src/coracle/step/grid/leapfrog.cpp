#include "coracle/step/grid/leapfrog.h"

#include "coracle/base/for_cells.h"

#include <algorithm>
#include <array>
#include <vector>

namespace coracle {
namespace {

constexpr double half = 0.45;  // r of a smooth step, as a share of dt; below ½, so that errors decay
constexpr int regions = 8;     // along each side of the domain

// The faces on the walls of the domain take the velocity found: what stops there must not bounce.
void stop_at_walls(const ProjectionInput& in, const FaceField<double>& u, FaceField<double>& u_before) {
  for (int a = 0; a < 3; ++a) {
    const Vec3i n = u[a].n;
    const int b = (a + 1) % 3, d = (a + 2) % 3;
    for (int end : {0, 1}) {
      if (in.open[2 * a + end]) continue;
      for (int y = 0; y < n[b]; ++y)
        for (int x = 0; x < n[d]; ++x) {
          Vec3i f;
          f[a] = end ? n[a] - 1 : 0, f[b] = y, f[d] = x;
          u_before[a][f] = u[a][f];
        }
    }
  }
}

Kick plain_kick(const GridFlow& flow, double dt) {
  const double length = flow.lag > 0 ? flow.lag + 0.5 * dt : dt;
  return {.solve_dt = length, .length = length, .drift = 0};
}

// Whether two accelerations are much the same.
bool steady(const std::vector<double>& now, const std::vector<double>& last) {
  if (last.size() != now.size()) return false;
  double same = 0, size = 0, last_size = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    same += now[i] * last[i];
    size += now[i] * now[i];
    last_size += last[i] * last[i];
  }
  return same >= 0.5 * std::max(size, last_size);
}

}  // namespace

Kick choose_kick(const GridFlow& flow, const Clock& clock, double dt, bool with_bodies) {
  if (!flow.smooth || (with_bodies && flow.lag > 0)) return plain_kick(flow, dt);
  const double solve_dt = std::max(flow.lag, 0.5 * dt), ahead = solve_dt - flow.lag;
  return {.solve_dt = solve_dt,
          .length = flow.lag + half * dt,
          .drift = (0.5 * dt - ahead) / (clock.last_dt - flow.ahead + ahead)};  // u_last: t − last_dt + flow.ahead
}

bool must_repeat(const std::vector<double>& pushes, const GridFlow& flow, double dt, Kick& kick) {
  if (!flow.smooth || steady(pushes, flow.pushes)) return false;
  const Kick plain = plain_kick(flow, dt);
  const bool other = kick.solve_dt != plain.solve_dt;
  kick = plain;
  return other;
}

std::vector<double> find_pushes(const ProjectionInput& in, const FaceField<std::uint8_t>& valid, const GridFlow& flow,
                                FaceField<double>& u_before) {
  stop_at_walls(in, flow.u, u_before);
  std::vector<double> pushes(3 * regions * regions * regions, 0);
  for (int a = 0; a < 3; ++a) {
    const Vec3i n = flow.u[a].n;
    using Row = std::array<double, regions>;
    std::vector<Row> rows(std::size_t(n.y()) * n.z());
    for_rows(n, [&](std::size_t row, int, int) {
      const std::size_t first = row * n.x();
      for (int part = 0; part < regions; ++part) {
        const int begin = part * n.x() / regions, end = (part + 1) * n.x() / regions;
        double sum = 0;
        for (std::size_t i = first + begin; i < first + end; ++i)
          if (valid[a].data[i]) sum += flow.u[a].data[i] - u_before[a].data[i];
        rows[row][part] = sum / in.dt;
      }
    });
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const int j = int(row % n.y()) * regions / n.y(), k = int(row / n.y()) * regions / n.z();
      for (int i = 0; i < regions; ++i) pushes[i + regions * (j + regions * (k + regions * a))] += rows[row][i];
    }
  }
  return pushes;
}

void apply_kick(const Kick& kick, std::vector<double> pushes, const ProjectionInput& in,
                const FaceField<std::uint8_t>& valid, GridFlow& flow, FaceField<double>& u_before) {
  const double dt = in.motion_dt(), more = kick.length / kick.solve_dt - 1;  // beyond u
  for (int a = 0; a < 3; ++a) {
    const std::uint8_t* marks = valid[a].data.data();
    const double* u = flow.u[a].data.data();
    double* before = u_before[a].data.data();
    for_each_index(flow.u[a].size(),
                   [&](std::size_t i) { before[i] = marks[i] ? u[i] + more * (u[i] - before[i]) : u[i]; });
  }
  // A plain step leaves the lag as it is. So does the first one, and after it the fluid is in motion: leapfrog may
  // begin.
  flow.smooth = steady(pushes, flow.pushes) || flow.pushes.empty() ? 1 : 0;
  flow.pushes = std::move(pushes);
  flow.ahead = kick.solve_dt - flow.lag;
  flow.lag += dt - kick.length;
}

void extrapolate_in_time(const FaceField<double>& u, double share, FaceField<double>& u_last) {
  for (int a = 0; a < 3; ++a) {
    const double* now = u[a].data.data();
    double* last = u_last[a].data.data();
    for_each_index(u[a].size(), [&](std::size_t i) { last[i] = now[i] + share * (now[i] - last[i]); });
  }
}

}  // namespace coracle
