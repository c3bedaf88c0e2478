// The pressure equation at a place (grid/fluid_system.h): what HomeFluid is on the processor.
#pragma once

#include "coracle/step/grid/device/closed_components.h"
#include "coracle/step/grid/device/leapfrog.h"
#include "coracle/step/grid/device/solids.h"
#include "coracle/step/grid/fluid_system.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

namespace coracle {

template <class Place>
class PlacedFluid : public FluidSystem {
 public:
  template <class T>
  using Field = PlacedArray3<Place, T>;

  // Pressure in Pa: first guess and result. phi: < 0 in fluid.
  PlacedFluid(Place& place, std::unique_ptr<PlacedSolver> solver, const Field<double>& phi,
              const PlacedSolids<Place>& solids, PlacedFaces<Place, double>& u, Field<double>& pressure,
              PlacedFaces<Place, std::uint8_t>& valid)
      : place_(place),
        solver_(std::move(solver)),
        phi_(phi),
        solids_(solids),
        u_(u),
        pressure_(pressure),
        valid_(valid) {}

  void assemble(const ProjectionInput& in) override {
    in_ = &in;
    unknowns_.reset(), nonzeros_.reset();
    const Vec3i n = in.grid.n;
    if (host_active_.n != n) {
      host_active_.assign(n);
      host_q_.assign(host_active_.size(), 0), host_next_.assign(host_active_.size(), 0);
    }
    e_ = solver_->lay_out(n);
    size_ = host_active_.size();
    active_.resize(n);
    fill();
    push_by_solids();
    closed_ = closed_components(place_, e_, components_);
    std::erase_if(closed_, [&](const std::vector<int>& cells) {
      const bool small = too_small(in, cells);
      if (small) drop(cells);
      return small;
    });
    see_cells();
    CellValues no_room;  // closed components have no room to expand into
    for (const auto& cells : closed_)
      for (const int i : cells)
        no_room.cell.push_back(i), no_room.value.push_back(-in.expansion * in.cut.volume.data[i] * in.grid.dx);
    if (!no_room.cell.empty()) add_source(no_room);
    fetch(e_.q, host_q_);
  }

  const Array3<std::uint8_t>& active() const override { return host_active_; }
  const Vector& q() const override { return host_q_; }
  const Vector& next() const override { return host_next_; }
  const CellSets& closed() const override { return closed_; }

  double fastest() override {
    const auto each = each_face(u_, AbsAt{std::as_const(u_).view()});
    return place_.largest(each.size(), each);
  }
  std::size_t unknowns() override {
    if (!unknowns_) unknowns_ = count_unknowns();
    return *unknowns_;
  }
  std::size_t nonzeros() override {
    if (!nonzeros_) nonzeros_ = count_nonzeros();
    return *nonzeros_;
  }
  std::size_t count_unknowns() {
    const double* const diag = e_.diag;
    return std::size_t(
        place_.sum(size_, std::uint64_t(0), [=] CORACLE_KERNEL(std::size_t i) { return std::uint64_t(diag[i] != 0); }));
  }
  std::size_t count_nonzeros() {
    const double *const diag = e_.diag, *const x = e_.off[0], *const y = e_.off[1], *const z = e_.off[2];
    return std::size_t(place_.sum(size_, std::uint64_t(0), [=] CORACLE_KERNEL(std::size_t i) {
      return std::uint64_t((diag[i] != 0) + 2 * ((x[i] != 0) + (y[i] != 0) + (z[i] != 0)));
    }));
  }

  void add_source(const CellValues& source) override { add_values(source, e_.rhs); }

  std::vector<double> sources(const CellSets& sets) override { return sums_over(sets, e_.rhs); }

  SolveReport solve(const PressureTask& task, const PressureOptions& options) override {
    place_.wait();
    const PlacedTask placed{.cell = task.flux.cell,
                            .flux = task.flux.value,
                            .singular = task.singular,
                            .deflated = task.deflated,
                            .wet = task.wet};
    SolveReport report = solver_->solve(placed, options);
    fetch(e_.next, host_next_);
    return report;
  }

  std::array<double, 3> products() override {
    const double qq = product_with(e_.q, e_.q), nq = last_product_with(e_.next);
    return {qq, nq, product_with(e_.next, e_.next)};
  }

  void accept(double share) override {
    double* const q = e_.q;
    const double* const next = e_.next;
    place_.for_each(size_, [=] CORACLE_KERNEL(std::size_t i) { q[i] += share * (next[i] - q[i]); });
    fetch(e_.q, host_q_);
  }

  Remaining remaining(const CellValues& flux, const CellSets& sets) override {
    place_.wait();
    solver_->multiply(e_.q);
    add_values(flux, e_.product);
    const double *const diag = e_.diag, *const rhs = e_.rhs;
    double* const error = e_.product;
    place_.for_each(size_, [=] CORACLE_KERNEL(std::size_t i) { error[i] = diag[i] != 0 ? rhs[i] - error[i] : 0; });
    Remaining found;
    found.sums = sums_over(sets, e_.product);
    CellValues means;
    for (std::size_t s = 0; s < sets.size(); ++s)
      for (const int i : sets[s])
        means.cell.push_back(i), means.value.push_back(-found.sums[s] / double(sets[s].size()));
    add_values(means, e_.product);
    found.largest = place_.largest(size_, [=] CORACLE_KERNEL(std::size_t i) { return std::abs(error[i]); });
    return found;
  }

  void apply() override {
    const ProjectionFields f = fields();
    const double* const q = e_.q;
    const FaceView<double> u = u_.view();
    resize_as(u_, valid_);
    const FaceView<std::uint8_t> marks = valid_.view();
    for_each_face(place_, u_, [=] CORACLE_KERNEL(int a, std::size_t face) {
      const Vec3i c = cell_at(u.axis[a].n, face);
      const std::size_t i = std::size_t(c.x()) + std::size_t(f.n[0]) * (c.y() + std::size_t(f.n[1]) * c.z());
      FaceGradient by;
      if (c[a] > 0 && c[a] < f.n[a]) {
        by = inner_gradient(f, q, i, i - f.step[a], f.open[a][face]);
      } else {
        const int end = c[a] > 0;
        if (f.open_side[2 * a + end])
          by = side_gradient(f, q, end ? i - f.step[a] : i, end, f.open[a][face]);
        else
          by = {u.axis[a].data[face], true};  // the domain's wall
      }
      if (by.set) u.axis[a].data[face] -= by.value;
      marks.axis[a].data[face] = by.set;
    });
    const double to_p = in_->density * in_->grid.dx / in_->dt;
    double* const p = pressure_.data.data();
    place_.for_each(size_, [=] CORACLE_KERNEL(std::size_t i) { p[i] = to_p * q[i]; });
  }

  const Field<std::uint8_t>& placed_active() const { return active_; }

  // ---- Parts of these. Public, since kernels may not stand in functions that are not.

  // Of a velocity, without its sign.
  struct AbsAt {
    FaceView<const double> u;
    CORACLE_KERNEL double operator()(int a, std::size_t i) const { return std::abs(u.axis[a].data[i]); }
  };
  // Active cells, matrix, right-hand side and first guess.
  void fill() {
    ProjectionFields f = fields();
    std::uint8_t* const active = active_.data.data();
    const Vec3i n = in_->grid.n;
    place_.for_each(size_, [=] CORACLE_KERNEL(std::size_t i) {
      const Vec3i c = cell_at(n, i);
      active[i] = is_active(f, cell_spot(f.n, c.x(), c.y(), c.z()));
    });
    const PlacedEquation e = e_;
    const double to_q = in_->dt / (in_->density * in_->grid.dx);
    const double* const p = pressure_.data.data();
    place_.for_each(size_, [=] CORACLE_KERNEL(std::size_t i) {
      const Vec3i c = cell_at(n, i);
      const CellEquation own = cell_equation(f, cell_spot(f.n, c.x(), c.y(), c.z()));
      e.diag[i] = own.diag, e.rhs[i] = own.rhs;
      for (int a = 0; a < 3; ++a) e.off[a][i] = own.off[a];
      e.q[i] = active[i] ? to_q * p[i] : 0;
    });
  }
  // What moving solids push through the patches of active cells.
  void push_by_solids() {
    pushed_.cell.clear(), pushed_.value.clear();
    for (const Patch& p : in_->cut.patches) {
      if (!in_->bodies_given && in_->surfaces[p.surface].body >= 0) continue;
      const double flux = patch_flux(p, in_->surfaces);
      if (flux == 0) continue;
      if (pushed_.cell.empty() || pushed_.cell.back() != p.cell)
        pushed_.cell.push_back(p.cell), pushed_.value.push_back(0);
      pushed_.value.back() -= flux;
    }
    const std::size_t count = pushed_.cell.size();
    if (count == 0) return;
    place_.upload(pushed_.cell.data(), count, cells_), place_.upload(pushed_.value.data(), count, values_);
    const int* const cell = cells_.data();
    const double* const value = values_.data();
    const std::uint8_t* const active = active_.data.data();
    double* const rhs = e_.rhs;
    place_.for_each(count, [=] CORACLE_KERNEL(std::size_t i) {
      if (active[cell[i]]) rhs[cell[i]] += value[i];
    });
  }
  void drop(const std::vector<int>& dropped) {
    place_.upload(dropped.data(), dropped.size(), cells_);
    const int* const cell = cells_.data();
    std::uint8_t* const active = active_.data.data();
    const PlacedEquation e = e_;
    place_.for_each(dropped.size(), [=] CORACLE_KERNEL(std::size_t i) {
      const int c = cell[i];
      active[c] = 0;
      e.diag[c] = e.rhs[c] = e.q[c] = 0;
      for (int a = 0; a < 3; ++a) e.off[a][c] = 0;
    });
  }
  // The cells of patches and of closed components, and which of them are active.
  void see_cells() {
    seen_.clear();
    for (const Patch& p : in_->cut.patches)
      if (seen_.empty() || seen_.back() != p.cell) seen_.push_back(p.cell);
    for (const auto& cells : closed_) seen_.insert(seen_.end(), cells.begin(), cells.end());
    place_.upload(seen_.data(), seen_.size(), seen_cells_);
    fetched_marks_.resize(seen_.size()), host_marks_.resize(seen_.size());
    const int* const cell = seen_cells_.data();
    const std::uint8_t* const active = active_.data.data();
    std::uint8_t* const marks = fetched_marks_.data();
    place_.for_each(seen_.size(), [=] CORACLE_KERNEL(std::size_t i) { marks[i] = active[cell[i]]; });
    place_.download(static_cast<const std::uint8_t*>(marks), seen_.size(), host_marks_.data());
    for (std::size_t i = 0; i < seen_.size(); ++i) host_active_.data[seen_[i]] = host_marks_[i];
  }
  // The values of the seen cells.
  void fetch(const double* from, Vector& to) {
    fetched_.resize(seen_.size()), host_values_.resize(seen_.size());
    const int* const cell = seen_cells_.data();
    double* const values = fetched_.data();
    place_.for_each(seen_.size(), [=] CORACLE_KERNEL(std::size_t i) { values[i] = from[cell[i]]; });
    place_.download(static_cast<const double*>(values), seen_.size(), host_values_.data());
    for (std::size_t i = 0; i < seen_.size(); ++i) to[seen_[i]] = host_values_[i];
  }
  void add_values(const CellValues& more, double* to) {
    const std::size_t count = more.cell.size();
    if (count == 0) return;
    place_.upload(more.cell.data(), count, cells_), place_.upload(more.value.data(), count, values_);
    const int* const cell = cells_.data();
    const double* const value = values_.data();
    place_.for_each(count, [=] CORACLE_KERNEL(std::size_t i) { to[cell[i]] += value[i]; });
  }
  std::vector<double> sums_over(const CellSets& sets, const double* from) {
    std::vector<double> sums;
    for (const auto& cells : sets) {
      place_.upload(cells.data(), cells.size(), cells_);
      const int* const cell = cells_.data();
      sums.push_back(
          place_.sum(cells.size(), 0.0, [=] CORACLE_KERNEL(std::size_t i) -> double { return from[cell[i]]; }));
    }
    return sums;
  }
  // x · L y; the second takes the last y.
  double product_with(const double* x, const double* y) {
    place_.wait();
    solver_->multiply(y);
    return last_product_with(x);
  }
  double last_product_with(const double* x) {
    const double *const diag = e_.diag, *const product = e_.product;
    return place_.sum(size_, 0.0,
                      [=] CORACLE_KERNEL(std::size_t i) -> double { return diag[i] != 0 ? x[i] * product[i] : 0; });
  }
  // The fields at the place, in place of those of the input.
  ProjectionFields fields() const {
    ProjectionFields f = fields_of(*in_);
    f.phi = phi_.data.data(), f.volume = solids_.volume.data.data(), f.active = active_.data.data();
    for (int a = 0; a < 3; ++a) f.open[a] = solids_.open[a].data.data(), f.u[a] = std::as_const(u_)[a].data.data();
    return f;
  }

 private:
  Place& place_;
  std::unique_ptr<PlacedSolver> solver_;
  const Field<double>& phi_;
  const PlacedSolids<Place>& solids_;
  PlacedFaces<Place, double>& u_;
  Field<double>& pressure_;
  PlacedFaces<Place, std::uint8_t>& valid_;

  const ProjectionInput* in_ = nullptr;
  PlacedEquation e_;
  std::size_t size_ = 0;
  std::optional<std::size_t> unknowns_, nonzeros_;  // of this matrix, once somebody has asked
  Field<std::uint8_t> active_;
  ComponentsWork<Place> components_;
  CellSets closed_;
  CellValues pushed_;
  std::vector<int> seen_;
  typename Place::template Array<int> seen_cells_, cells_;
  typename Place::template Array<double> values_, fetched_;
  typename Place::template Array<std::uint8_t> fetched_marks_;
  std::vector<std::uint8_t> host_marks_;
  std::vector<double> host_values_;
  // Of the seen cells.
  Array3<std::uint8_t> host_active_;
  Vector host_q_, host_next_;
};

}  // namespace coracle
