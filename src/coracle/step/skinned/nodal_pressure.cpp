#include "coracle/step/skinned/nodal_pressure.h"

#include "coracle/base/parallel.h"
#include "coracle/shape/tet_topology.h"

#include <algorithm>
#include <array>
#include <utility>

namespace coracle {
namespace {

constexpr double wet_share = 0.5;  // of the capacity: less liquid leaves room to move into

void list_corners(const SkinShell& shell, PressureWork& work) {
  const std::size_t nodes = shell.x.size();
  if (work.first.size() == nodes + 1) return;
  work.first.assign(nodes + 1, 0);
  work.corner.resize(4 * shell.tets.size());
  for (const Vec4i& tet : shell.tets)
    for (const int node : tet) ++work.first[node + 1];
  for (std::size_t i = 0; i < nodes; ++i) work.first[i + 1] += work.first[i];
  std::vector<int> next(work.first.begin(), work.first.end() - 1);
  for (int c = 0; c < int(work.corner.size()); ++c) work.corner[next[shell.tets[c / 4][c % 4]]++] = c;
}

struct Elements {
  const SkinShell& shell;
  const MovingShell& moving;
  const TetLiquid& liquid;

  bool is_wet(int t) const { return !moving.shut(t) && liquid.volume[t] >= wet_share * moving.capacity[t]; }
  // V ∇λ_a·∇λ_b, with ∇λ_a = −A_a/(3V)
  double stiffness(int t, int a, int b) const {
    return moving.face_area(t, a).dot(moving.face_area(t, b)) / (9 * moving.volume[t]);
  }
  bool is_free(const PressureWork& work, int node) const {
    bool wet = false;
    for (int k = work.first[node]; k < work.first[node + 1]; ++k) {
      const int t = work.corner[k] / 4, corner = work.corner[k] % 4;
      if (moving.shut(t)) continue;
      if (!is_wet(t)) return false;
      wet = true;
      for (int f = 0; f < 4; ++f)
        if (f != corner && shell.neighbours[t][f] == SkinShell::outside) return false;
    }
    return wet;
  }
  // ∫ λ u·n dA over the faces of tet t, at its corner, where the liquid meets the skin or a shut tet.
  double wall_flux(int t, int corner) const {
    double flux = 0;
    for (int f = 0; f < 4; ++f) {
      const int other = shell.neighbours[t][f];
      if (f == corner || !(other == SkinShell::skin || (other >= 0 && moving.shut(other)))) continue;
      Vec3 u = moving.node_v[shell.tets[t][corner]];  // ∫ λ_a λ_b = A (1 + δ_ab)/12
      for (const int node : tet_face(shell.tets[t], f)) u += moving.node_v[node];
      flux += u.dot(moving.face_area(t, f)) / 12;
    }
    return flux;
  }
};

// Row i of the matrix, of the unknowns alone, and its right-hand side.
void assemble_row(const Elements& elements, const std::vector<char>& free, int i, PressureWork& work,
                  std::vector<std::pair<int, double>>& row) {
  row.clear();
  for (int k = work.first[i]; k < work.first[i + 1]; ++k) {
    const int t = work.corner[k] / 4, a = work.corner[k] % 4;
    if (!elements.is_wet(t)) continue;
    work.rhs[i] -= elements.moving.face_area(t, a).dot(elements.liquid.v[t]) / 3 + elements.wall_flux(t, a);
    for (int b = 0; b < 4; ++b)
      if (const int j = elements.shell.tets[t][b]; free[j]) row.emplace_back(j, elements.stiffness(t, a, b));
  }
  std::stable_sort(row.begin(), row.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
  std::size_t last = 0;
  for (std::size_t k = 1; k < row.size(); ++k)
    if (row[k].first == row[last].first)
      row[last].second += row[k].second;
    else
      row[++last] = row[k];
  if (!row.empty()) row.resize(last + 1);
}

void assemble(const Elements& elements, const std::vector<char>& free, PressureWork& work) {
  const int nodes = int(free.size());
  work.start.assign(1, 0);
  work.column.clear();
  work.value.clear();
  work.rhs.assign(nodes, 0);
  work.diagonal.assign(nodes, 1);
  std::vector<std::pair<int, double>> row;
  for (int i = 0; i < nodes; ++i) {
    if (free[i]) {
      assemble_row(elements, free, i, work, row);
      for (const auto& [j, value] : row) {
        work.column.push_back(j);
        work.value.push_back(value);
        if (j == i) work.diagonal[i] = value;
      }
    }
    work.start.push_back(int(work.column.size()));
  }
}

}  // namespace

SolveReport project_by_pressure(const SkinShell& shell, const MovingShell& moving, TetLiquid& liquid,
                                PressureWork& work) {
  list_corners(shell, work);
  const Elements elements{.shell = shell, .moving = moving, .liquid = liquid};
  std::vector<char> free(shell.x.size());
  for_each_index(free.size(), [&](std::size_t i) { free[i] = elements.is_free(work, int(i)); });
  assemble(elements, free, work);

  const auto multiply = [&](const Vector& in, Vector& out) {
    for_each_index(in.size(), [&](std::size_t i) {
      double sum = 0;
      for (int k = work.start[i]; k < work.start[i + 1]; ++k) sum += work.value[k] * in[work.column[k]];
      out[i] = sum;
    });
  };
  const auto precondition = [&](const Vector& in, Vector& out) {
    for_each_index(in.size(), [&](std::size_t i) { out[i] = in[i] / work.diagonal[i]; });
  };
  work.p.assign(free.size(), 0);
  CgOptions options;
  options.max_iterations = 2000;
  options.vectors = &work.cg;
  const SolveReport report = conjugate_gradients(multiply, work.rhs, work.p, precondition, {}, options);

  // ∇p = Σ p_i ∇λ_i = −Σ p_i A_i/(3V)
  for_each_index(shell.tets.size(), [&](std::size_t t) {
    if (!elements.is_wet(int(t))) return;
    Vec3 sum = Vec3::Zero();
    for (int k = 0; k < 4; ++k) sum += work.p[shell.tets[t][k]] * moving.face_area(int(t), k);
    liquid.v[t] += sum / (3 * moving.volume[t]);
  });
  return report;
}

}  // namespace coracle
