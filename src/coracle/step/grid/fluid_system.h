// The pressure equation of a fluid with all that is dense in it: matrix, right-hand side, pressure and the velocity
// that it corrects. At home they lie in the processor's memory (HomeFluid); at a place elsewhere
// (device/placed_fluid.h).
//
// Solids and bodies see single cells only, the seen cells: those of patches and pressure samples, and closed
// components. Values of these alone are exchanged.
#pragma once

#include "coracle/step/grid/projection.h"

#include <array>
#include <vector>

namespace coracle {

// Values at some of the seen cells, each cell once.
struct CellValues {
  std::vector<int> cell;
  std::vector<double> value;
};

// (The sets and the term must outlive the solve.)
struct PressureTask {
  const CellValues& flux;  // out of cells, per dx², beside that of u: subtracted from the right-hand side
  const CellSets& singular;
  const CellSets& deflated;
  WetTerm* wet = nullptr;
};

class FluidSystem {
 public:
  virtual ~FluidSystem() = default;

  // Matrix, right-hand side, closed components, and the first guess q. The input must outlive the other calls.
  virtual void assemble(const ProjectionInput& in) = 0;

  // Of the seen cells only.
  virtual const Array3<std::uint8_t>& active() const = 0;
  virtual const Vector& q() const = 0;     // p Δt / (ρ dx)
  virtual const Vector& next() const = 0;  // the q that the last solve has found
  virtual const CellSets& closed() const = 0;

  virtual double fastest() = 0;  // m/s, of all faces
  virtual std::size_t unknowns() = 0;
  virtual std::size_t nonzeros() = 0;
  // Add to the right-hand side.
  virtual void add_source(const CellValues& source) = 0;
  // Σ of the right-hand side over each set.
  virtual std::vector<double> sources(const CellSets& sets) = 0;

  // Finds the next q.
  [[nodiscard]] virtual SolveReport solve(const PressureTask& task, const PressureOptions& options) = 0;
  // qᵀ L q, qᵀ L next, nextᵀ L next.
  virtual std::array<double, 3> products() = 0;
  // q ← q + share (next − q)
  virtual void accept(double share) = 0;
  // Of rhs − L q − flux: the sum over each set, and the largest value once each set's mean has been removed.
  struct Remaining {
    std::vector<double> sums;
    double largest = 0;
  };
  virtual Remaining remaining(const CellValues& flux, const CellSets& sets) = 0;
  // u ← u − (Δt/ρ) G p, and p; marks the faces that it has set.
  virtual void apply() = 0;

  // The system at home; null: it lies elsewhere.
  virtual PressureSystem* home() { return nullptr; }
};

class HomeFluid : public FluidSystem {
 public:
  // p (Pa) is the first guess and the result.
  HomeFluid(FaceField<double>& u, Array3<double>& p, FaceField<std::uint8_t>& valid, PressureSystem& system)
      : u_(u), p_(p), valid_(valid), system_(system) {}

  void assemble(const ProjectionInput& in) override;
  const Array3<std::uint8_t>& active() const override { return system_.active; }
  const Vector& q() const override { return system_.q; }
  const Vector& next() const override { return system_.next; }
  const CellSets& closed() const override { return system_.closed; }
  double fastest() override;
  std::size_t unknowns() override { return count_unknowns(system_.matrix); }
  std::size_t nonzeros() override { return count_nonzeros(system_.matrix); }
  void add_source(const CellValues& source) override;
  std::vector<double> sources(const CellSets& sets) override;
  SolveReport solve(const PressureTask& task, const PressureOptions& options) override;
  std::array<double, 3> products() override;
  void accept(double share) override;
  Remaining remaining(const CellValues& flux, const CellSets& sets) override;
  void apply() override;
  PressureSystem* home() override { return &system_; }

 private:
  FaceField<double>& u_;
  Array3<double>& p_;
  FaceField<std::uint8_t>& valid_;
  PressureSystem& system_;
  const ProjectionInput* in_ = nullptr;
};

// The divergence of a uniform stream by round-off of the patches' fluxes; there is no need to solve for less.
double flux_round_off(const ProjectionInput& in, double speed);
// Of the sums over sets: the largest net inflow, m³/s.
double largest_inflow(const ProjectionInput& in, const std::vector<double>& sums);

// The whole projection, for given velocities of solids and bodies. p (Pa) is the first guess and the result.
[[nodiscard]] ProjectionReport project(const ProjectionInput& in, FluidSystem& fluid);
[[nodiscard]] ProjectionReport project(const ProjectionInput& in, PressureSystem& system, FaceField<double>& u,
                                       Array3<double>& p, FaceField<std::uint8_t>& valid);

// Σ p a over what the pressure p = scale q acts on, for one surface: the force, and its torque about the origin.
struct FluidLoad {
  Vec3 force = Vec3::Zero();
  Vec3 torque = Vec3::Zero();
  double wet_area = 0;
};
std::vector<FluidLoad> fluid_loads(const ProjectionInput& in, const Array3<std::uint8_t>& active, const Vector& q,
                                   double scale);
std::vector<FluidLoad> fluid_loads(const ProjectionInput& in, const PressureSystem& system, const Array3<double>& p);

}  // namespace coracle
