// 2 EXISTS: the state of a simulation as a plain value. A copy is a rollback, a dump is a checkpoint.
#pragma once

#include "coracle/body.h"
#include "coracle/grid.h"
#include "coracle/scene.h"
#include "coracle/shape/region.h"
#include "coracle/shape/tri_mesh.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace coracle {

struct Clock {
  int frame = 0;          // frames finished
  std::int64_t step = 0;  // steps finished
  double time = 0;        // s
  double last_dt = 0;     // s, of the last step; zero before the first
};

// Marker particles; each stands for an eighth of a cell of liquid.
struct Particles {
  std::vector<Vec3> x;   // m
  std::vector<Vec3f> v;  // m/s
  std::vector<Mat3f> c;  // 1/s: APIC's affine velocity, row = component; empty for the other schemes
  std::size_t size() const { return x.size(); }
};

// A static or kinematic solid. x and v are functions of time alone (world/motion.h).
// An inflow is one too: a region whose surface gives off liquid at a set velocity, absent outside its times.
struct Solid {
  std::string name;
  bool inflow = false;
  double start = 0, end = 1e30;  // s: an inflow is present between them
  Vec3 flow = Vec3::Zero();      // m/s: an inflow's velocity; its surface stands still
  bool present = true;
  bool container = false;
  bool moving = false;
  std::shared_ptr<const TriMesh> rest;  // at motion zero
  std::vector<MotionOptions> motions;
  std::vector<Vec3> x;  // m, of the mesh's vertices now
  std::vector<Vec3> v;  // m/s
};

// Positions and velocities at a time.
void move_solids(std::vector<Solid>& solids, double time);
// Positions at `time`, and the mean velocities over the dt that follows: v = (x(t + dt) − x(t)) / dt.
void set_velocity_over(std::vector<Solid>& solids, double time, double dt);

// Where gas is blown in, or where smoke and heat rise from.
struct Jet {
  Region region;
  int solid = -1;  // the inflow among the solids that blows it; -1: it does not blow
  JetOptions options;
  std::uint64_t seed = 0;  // of its noise
};

// Gas that fills the domain.
struct Gas {
  Array3<float> smoke;        // at cell centres; empty where the scene has no gas
  Array3<float> temperature;  // K above the surroundings
  FaceField<double> carried;  // m/s: the velocity after the last step carried it along itself; the next begins with it
  double expected_smoke = 0;  // m³ of smoke of 1: at the start, plus what came, less what left or decayed
  bool present() const { return smoke.size() > 0; }
};

// What the liquid's volume should be: as at the start, plus what flowed in, less what flowed out.
struct Ledger {
  double expected_volume = 0;  // m³
};

// A region of liquid that bodies enclose without any air.
struct Pocket {
  double volume = 0;       // m³, that it is to keep
  double aimed = 0;        // m³, that the last step should have led to, its own growth left out
  double last_dt = 0;      // s, of that step; zero before the first
  std::vector<int> cells;  // where it is, increasing
};

struct World {
  Clock clock;
  Grid grid;
  FaceField<double> u;      // m/s, normal component at face centres; extrapolated around the liquid
  Array3<double> pressure;  // Pa at cell centres, of the last projection (the next one starts from it)
  Particles particles;
  std::vector<Solid> solids;
  std::vector<Region> outflows;
  std::vector<Body> bodies;
  std::vector<Pocket> pockets;
  Ledger ledger;
  Gas gas;
  std::vector<Jet> jets;
};

// The velocity of a jet, m/s; with noise it wavers.
Vec3 jet_velocity(const Jet& jet, double time);
// Set the jets' velocities over the dt that follows.
void blow_jets(World& world, double dt);

// The state at time zero.
World build_world(const Scene& scene);
// Its deformable bodies; throws SceneError where one cannot be meshed.
std::vector<Body> build_bodies(const Scene& scene);
// The grid that a scene asks for.
Grid scene_grid(const DomainOptions& domain);

}  // namespace coracle
