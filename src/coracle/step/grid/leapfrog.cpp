#include "coracle/step/grid/leapfrog.h"

#include "coracle/base/for_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace coracle {
namespace {

constexpr double half = 0.48;        // r of a steady step, as a share of dt; below ½, so that errors decay
constexpr double calm_share = 0.05;  // of gravity: accelerations below are those of calm water
constexpr int regions = Pushes::regions;

// 1 where x is `good`, 0 where it is `bad`, linear between.
double ramp(double x, double bad, double good) { return std::clamp((x - bad) / (good - bad), 0.0, 1.0); }

// How much two accelerations are alike, by the angle between them and by their size. Those smaller than `calm` are.
double likeness(const std::vector<double>& now, const std::vector<double>& last, double calm) {
  if (last.size() != now.size()) return 1;  // the first step
  double same = 0, size = 0, last_size = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    same += now[i] * last[i];
    size += now[i] * now[i];
    last_size += last[i] * last[i];
  }
  if (std::max(size, last_size) <= calm * calm) return 1;
  if (size == 0 || last_size == 0) return 0;
  const double cosine = same / std::sqrt(size * last_size), ratio = std::sqrt(size / last_size);
  return ramp(cosine, 0.3, 0.7) * ramp(std::max(ratio, 1 / ratio), 4, 2.5);
}

Pushes find_pushes(const Kick& kick, const FaceField<std::uint8_t>& valid, const FaceField<double>& w,
                   const FaceField<double>& u_last, const FaceField<double>& u_before) {
  Pushes pushes;
  pushes.sums.assign(Pushes::size, 0);
  std::vector<double> counts(pushes.sums.size(), 0);
  for (int a = 0; a < 3; ++a) {
    const Vec3i n = w[a].n;
    struct Row {
      std::array<double, regions> sum, count;
    };
    std::vector<Row> rows(std::size_t(n.y()) * n.z());
    const FromDrift from(kick);
    for_rows(n, [&](std::size_t row, int, int) {
      const std::size_t first = row * n.x();
      for (int part = 0; part < regions; ++part) {
        const int begin = Pushes::begin(part, n.x()), end = Pushes::begin(part + 1, n.x());
        double sum = 0;
        int count = 0;
        for (std::size_t i = first + begin; i < first + end; ++i) {
          if (!valid[a].data[i]) continue;
          sum += from.u(w[a].data[i], u_last[a].data[i]) - u_before[a].data[i];
          ++count;
        }
        rows[row].sum[part] = sum / kick.tau;
        rows[row].count[part] = count;
      }
    });
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const int j = int(row % n.y()) * regions / n.y(), k = int(row / n.y()) * regions / n.z();
      for (int i = 0; i < regions; ++i) {
        const int at = i + regions * (j + regions * (k + regions * a));
        pushes.sums[at] += rows[row].sum[i];
        counts[at] += rows[row].count[i];
      }
    }
  }
  pushes.unit = push_unit(counts);
  return pushes;
}

}  // namespace

Kick choose_kick(const GridFlow& flow, const Clock& clock, double dt) {
  const double tau = std::max(flow.lag, 0.5 * dt), ahead = tau - flow.lag;
  return {.tau = tau, .drift = (0.5 * dt - ahead) / (clock.last_dt - flow.ahead + ahead)};
}

double shorten_first(const Scene& scene, const World& world, double dt) {
  if (world.clock.step > 0) return dt;
  const double share = world.bodies.empty() ? 1e-3 : 1.0 / 16;
  return std::max(share * dt, std::min(2 * scene.time.min_dt, dt));
}

void aim_drift(const Kick& kick, const FaceField<double>& u_last, FaceField<double>& u) {
  if (kick.drift == 0) return;
  for (int a = 0; a < 3; ++a) {
    double* now = u[a].data.data();
    const double* last = u_last[a].data.data();
    for_each_index(u[a].size(), [&](std::size_t i) { now[i] = aimed(kick.drift, now[i], last[i]); });
  }
}

void apply_kick(const ProjectionInput& in, double gravity, const FaceField<std::uint8_t>& valid, Kick& kick,
                GridFlow& flow, FaceField<double>& u_last, FaceField<double>& u_before) {
  for_side_faces(in.grid, [&](int a, int end, const Vec3i& face) {
    if (!in.open[2 * a + end]) u_before[a][face] = 0;
  });
  Pushes pushes = find_pushes(kick, valid, flow.u, u_last, u_before);
  const double more = settle_kick(std::move(pushes), gravity, in.motion_dt(), kick, flow);
  const FromDrift from(kick);
  for (int a = 0; a < 3; ++a) {
    const std::uint8_t* marks = valid[a].data.data();
    double *now = flow.u[a].data.data(), *last = u_last[a].data.data(), *before = u_before[a].data.data();
    for_each_index(flow.u[a].size(), [&](std::size_t i) {
      if (marks[i]) kick_face(from, more, now[i], last[i], before[i]);
    });
  }
}

double push_unit(const std::vector<double>& counts) {
  double sum = 0;
  for (const double n : counts) sum += n * n / 3;
  return std::sqrt(sum);
}

double settle_kick(Pushes pushes, double gravity, double dt, Kick& kick, GridFlow& flow) {
  kick.steady = likeness(pushes.sums, flow.pushes, calm_share * gravity * pushes.unit);
  kick.length = std::max(kick.tau, flow.lag + kick.steady * half * dt);
  flow.pushes = std::move(pushes.sums);
  flow.ahead = kick.tau - flow.lag;
  flow.lag += dt - kick.length;
  return kick.length / kick.tau - 1;
}

}  // namespace coracle
