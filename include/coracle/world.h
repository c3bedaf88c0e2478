// 2 EXISTS: the state of a simulation as a plain value. world/archive.h lists which parts a checkpoint keeps.
#pragma once

#include "coracle/body.h"
#include "coracle/character.h"
#include "coracle/grid.h"
#include "coracle/mesh.h"
#include "coracle/scene.h"
#include "coracle/skinned.h"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace coracle {

struct Clock {
  int frame = 0;          // frames finished
  std::int64_t step = 0;  // steps finished
  double time = 0;        // s
  double last_dt = 0;     // s, of the last step; zero before the first
};

// A static, scripted or animated solid. x and v depend only on time (world/motion.h).
// An inflow is also a Solid: fluid leaves its surface at a given velocity. It is present only from start to end.
struct Solid {
  std::string name;
  bool inflow = false;
  double start = 0, end = 1e30;  // s: an inflow is present in between
  Vec3 flow = Vec3::Zero();      // m/s: fluid velocity of an inflow; the surface itself is at rest
  int flow_is_set = 0;           // 1: by the program (simulation.h), instead of the scene
  Vec3 flowed = Vec3::Zero();    // m: the way of the fluid from `start` to `flow_since`, when the velocity last changed
  double flow_since = 0;         // s
  bool present = true;
  bool container = false;  // the solid is all that lies outside the mesh
  bool moving = false;
  std::shared_ptr<const TriMesh> rest;         // without animation and motions
  std::shared_ptr<const Character> character;  // none: it is rigid
  Playback playback;
  std::vector<MotionOptions> motions;
  std::vector<Vec3> x;  // m, current vertices of the mesh
  std::vector<Vec3> v;  // m/s

  // The way of an inflow's fluid since it started, m.
  Vec3 flowed_at(double time) const { return flowed + flow * (time - flow_since); }
};

// A region of fluid that bodies enclose without a free surface.
struct Pocket {
  double volume = 0;         // m³, to be conserved
  double target_volume = 0;  // m³, target of the last step, without integration error
  double last_dt = 0;        // s, of that step; zero before the first
  std::vector<int> cells;    // linear indices, increasing
};

// ---- Fluids: a closed set of kinds. Each owns its grid, particles or fields.

struct NoFluid {
  static constexpr const char* name = "none";  // in checkpoints
};

// What fluids on a grid share.
struct GridFlow {
  Grid grid;
  FaceField<double> u;  // m/s, normal component at face centres; extrapolated around the fluid
  double lag = 0;       // s: what carries the fluid's velocity has that of `time` − lag; 0 before the first step
  double ahead = 0;     // s: u is that of `time` − last_dt + ahead
  std::vector<double> pushes;  // m/s²: the fluid's acceleration in the last step, by regions (step/grid/leapfrog.h)
  Array3<double> pressure;     // Pa at cell centres, of the last projection; the next one starts from it
  FaceField<double> carried;   // m/s: the velocity after its self-advection; empty where particles carry it
  std::vector<Pocket> pockets;
};

// Marker particles; each stands for an eighth of a cell of liquid.
struct Particles {
  std::vector<Vec3> x;   // m
  std::vector<Vec3f> v;  // m/s
  std::vector<Mat3f> c;  // 1/s: APIC's affine velocity, row = component; empty for the other schemes
  std::size_t size() const { return x.size(); }
};

// What method skinned counts, in m³.
struct SkinLedger {
  double start = 0, in = 0, out = 0;  // all liquid at the start; what came in and went out since
  double lost = 0;                    // by `preserve = "poisson"`
};

// Liquid with a free surface.
struct Liquid : GridFlow {
  static constexpr const char* name = "liquid";
  Particles particles;
  double expected_volume = 0;  // m³: at the start, plus inflow, minus outflow
  // Method skinned.
  std::vector<WetSkin> skins;
  Drops drops;
  SkinLedger ledger;
};

// Gas that fills the domain.
struct Gas : GridFlow {
  static constexpr const char* name = "gas";
  Array3<float> smoke;        // at cell centres; 1: dense
  Array3<float> temperature;  // K above the surroundings
  double expected_smoke = 0;  // m³: integral of smoke at the start, plus sources, minus outflow and decay
};

// Liquid of smoothed particles. Cells have the size of the particles' support, 2 D: `resolution` means what it means
// elsewhere, eight particles a cell.
struct SphLiquid {
  static constexpr const char* name = "sph";
  Grid grid;
  std::vector<Vec3> x, v;          // m, m/s, in the order of cells
  std::vector<Vec3> v_last;        // m/s, one step earlier: friction looks ahead with it
  std::vector<std::uint8_t> kind;  // which liquid (scene/liquid_kinds.h)
  double expected_volume = 0;      // m³: at the start, plus inflow, minus outflow
  std::size_t size() const { return x.size(); }
};

using Fluid = std::variant<NoFluid, Liquid, Gas, SphLiquid>;

// ---- The whole state

struct World {
  Clock clock;
  Bounds domain;  // m; its sides are walls, except those that the scene opens
  std::vector<Solid> solids;
  std::vector<Body> bodies;
  std::vector<Follower> ties;  // nodes that are tied to other bodies, numbered as by first_nodes()
  Fluid fluid;
};

// The fluid of a world that is known to be of this kind; otherwise throws std::bad_variant_access.
inline Liquid& liquid_of(World& world) { return std::get<Liquid>(world.fluid); }
inline const Liquid& liquid_of(const World& world) { return std::get<Liquid>(world.fluid); }
inline Gas& gas_of(World& world) { return std::get<Gas>(world.fluid); }
inline const Gas& gas_of(const World& world) { return std::get<Gas>(world.fluid); }
inline SphLiquid& sph_of(World& world) { return std::get<SphLiquid>(world.fluid); }
inline const SphLiquid& sph_of(const World& world) { return std::get<SphLiquid>(world.fluid); }

}  // namespace coracle
