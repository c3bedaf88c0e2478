// Liquid in the shell of tets, method skinned: how fast it is carried, from which points of view it looks the same, and
// how it runs through fur.
#include "validation/case.h"
#include "validation/made_shell.h"

#include <fmt/format.h>

#include <array>

namespace coracle::validation {
namespace {

// The way of the centre of volume of a hill on a plate over that of its liquid, which moves by `courant` edges a step:
// along the way and across.
template <class Transport>
std::array<double, 2> way_made(double middle, double radius, const Vec3& direction, double courant, double edges,
                               Transport&& transport) {
  const SkinShell& shell = plate_shell();
  const MovingShell moving = still(shell);
  TetLiquid liquid = filled(
      shell, [&](const Vec3& x) { return hill_on_plate(x, middle, radius); }, [&](const Vec3&) { return direction; });
  const Vec3 start = centre(shell, liquid);
  const double dt = courant * shell.edge;
  const int steps = int(std::ceil(edges / courant));
  for (int i = 0; i < steps; ++i) transport(shell, moving, dt, liquid);
  const Vec3 made = (centre(shell, liquid) - start) / (steps * dt);
  const double along = made.dot(direction);
  return {along, (made - along * direction).norm()};
}

// Largest change of a share of a tet, while shell and liquid move alike.
template <class Place>
double unrest(SkinTransport transport, Place&& place_at) {
  Ride ride;
  ride.options.transport = transport;
  ride.options.gravity = Vec3::Zero();
  ride.liquid = random_liquid(ride.shell, 0.95, 0);
  const TetLiquid start = ride.liquid;
  for (int i = 1; i <= 3; ++i) {
    // As fast as the shell over this step: on a circle nothing else keeps it there.
    std::vector<Vec3> next = ride.shell.x;
    for (Vec3& p : next) p = place_at(p, i * ride.dt);
    MovingShell ahead;
    move_shell(ride.shell, ride.x, next, ride.dt, 0, {}, ahead);
    for (std::size_t t = 0; t < start.v.size(); ++t)
      if (ride.liquid.volume[t] > 0) ride.liquid.v[t] = ahead.v[t];
    ride.step([&](const Vec3& p) { return place_at(p, i * ride.dt); });
  }
  double most = ride.drops.size() == 0 ? 0 : 1;
  for (std::size_t t = 0; t < start.v.size(); ++t)
    most = std::max(most, std::abs(ride.liquid.volume[t] - start.volume[t]) / ride.shell.volume[t]);
  return most;
}

constexpr Fur fur{.porosity = 0.9, .along = 2e-8, .across = 0.5e-8, .residual = 0.2};
constexpr double nu = 1e-6, gravity = 9.81;

}  // namespace

Outcome skinned_transport() {
  Outcome outcome;
  const auto by_flux = [](const SkinShell& shell, const MovingShell& moving, double dt, TetLiquid& liquid) {
    Drops drops;
    FluxWork work;
    transport_by_flux(shell, moving, 0, dt, liquid, drops, work);
  };
  const auto by_samples = [](const SkinShell& shell, const MovingShell& moving, double dt, TetLiquid& liquid) {
    Drops drops;
    SampleWork work;
    transport_by_samples(shell, shell.x, moving, dt, {}, liquid, drops, work);
  };
  const Vec3 direction(0.96, 0.28, 0);
  for (const double courant : {0.03, 0.15, 0.4, 0.75, 1.0, 1.5}) {
    const auto [along, across] = way_made(-0.4, 0.35, direction, courant, 1.5, by_flux);
    outcome.results.push_back(within(fmt::format("flux, {} edges a step: speed over the true one", courant), along, 1,
                                     0.02, "", "the centre of volume moves with the liquid"));
    outcome.results.push_back(at_most(fmt::format("flux, {} edges a step: speed across", courant), across, 0.02, "",
                                      "the centre of volume moves with the liquid"));
  }
  const auto stalled = way_made(0, 0.3, Vec3::UnitX(), 0.03, 0.09, by_samples);
  outcome.results.push_back(at_most("samples, 0.03 edges a step: speed over the true one", stalled[0], 0.01, "",
                                    "points of quadrature do not leave their tet"));
  double worst = 0;
  for (const double courant : {0.75, 1.0, 1.5})
    for (const double degrees : {6.0, 97.0, 215.0}) {
      const double angle = degrees * M_PI / 180;
      const auto [along, across] =
          way_made(0, 0.3, {std::cos(angle), std::sin(angle), 0}, courant, courant, by_samples);
      worst = std::max(worst, courant * std::hypot(along - 1, across));
      outcome.results.push_back(reported(fmt::format("samples, {} edges a step at {}°: speed", courant, degrees), along,
                                         "", "Lee19 alg. 1: asked for 1 ± 0.02"));
    }
  outcome.results.push_back(reported("samples: largest error of the way of a step from 0.75 edges on", worst, "edges",
                                     "the points of all tets fall into step with the lattice"));
  return outcome;
}

Outcome skinned_invariances() {
  Outcome outcome;
  const auto shifted = [](const Vec3& p, double t) -> Vec3 { return p + t * Vec3(0.4, -1, 2); };
  const auto turned = [](const Vec3& p, double t) -> Vec3 { return rotation_xyz({0, 0, 200 * t}) * p; };
  for (const auto& [transport, name] : {std::pair{SkinTransport::flux, "flux"}, {SkinTransport::samples, "samples"}}) {
    outcome.results.push_back(at_most(fmt::format("{}: all moves alike, change of shares", name),
                                      unrest(transport, shifted), 1e-14, "", "nothing moves relative to the shell"));
    outcome.results.push_back(at_most(fmt::format("{}: all turns alike, change of shares", name),
                                      unrest(transport, turned), 1e-14, "", "nothing moves relative to the shell"));
  }
  // Galilei: with a constant velocity more everything happens as without.
  const Vec3 u(3, -1, 2);
  Ride still, moving;
  still.liquid = moving.liquid = random_liquid(still.shell, 1, 1);
  for (std::size_t t = 0; t < still.liquid.v.size(); ++t)
    if (still.liquid.volume[t] > 0) moving.liquid.v[t] += u;
  for (int i = 1; i <= 4; ++i) {
    const Tumble tumble{i * still.dt};
    still.step(tumble);
    moving.step([&](const Vec3& p) -> Vec3 { return tumble(p) + i * still.dt * u; });
  }
  double shares = 0, speeds = 0;
  for (std::size_t t = 0; t < still.liquid.v.size(); ++t) {
    const double share = still.liquid.volume[t] / still.shell.volume[t];
    shares = std::max(shares, std::abs(share - moving.liquid.volume[t] / still.shell.volume[t]));
    if (share > 1e-3) speeds = std::max(speeds, (moving.liquid.v[t] - u - still.liquid.v[t]).norm());
  }
  outcome.results.push_back(at_most("a velocity that all share: change of shares", shares, 1e-10, "", "Galilei"));
  outcome.results.push_back(at_most("a velocity that all share: change of velocities", speeds, 1e-9, "m/s", "Galilei"));
  return outcome;
}

Outcome skinned_fur() {
  Outcome outcome;
  // (1 − s) w = K g/ν
  const Vec3 fibre = Vec3(1, 2, -2) / 3, across = fibre.cross(Vec3::UnitX()).normalized(), down = -Vec3::UnitY();
  const double along_speed = fur.along * gravity / (nu * fur.porosity),
               across_speed = fur.across * gravity / (nu * fur.porosity);
  const auto error = [&](const Vec3& pull, const Vec3& expected) {
    return (velocity_in_fur(fur, pull, fibre, 1) - expected).norm() / expected.norm();
  };
  const Vec3 part = fibre * fibre.dot(down);
  outcome.results = {
      at_most("along the fibres: error of the velocity", error(fibre, along_speed * fibre), 0.01, "", "Darcy's law"),
      at_most("across them", error(across, across_speed * across), 0.01, "", "Darcy's law"),
      at_most("aslant: liquid turns toward the fibres", error(down, along_speed * part + across_speed * (down - part)),
              0.01, "", "Darcy's law")};
  // Full fur on the plate; through a plane across it runs A k g/ν.
  const SkinShell& shell = plate_shell();
  const MovingShell moving = still(shell, 1 - fur.porosity);
  const auto over = [](const Vec3& x) { return x.z() > 0 && x.head<2>().cwiseAbs().maxCoeff() < 0.35 ? 0.9 : 0.0; };
  TetLiquid liquid = filled(shell, over, [](const Vec3&) { return Vec3(0, 0, 0); });
  const Vec3 start = centre(shell, liquid);
  const std::vector<Vec3> fibres(shell.tets.size(), Vec3::UnitX());
  for (int i = 0; i < 25; ++i) {  // to the final velocity first
    for (std::size_t t = 0; t < liquid.v.size(); ++t)
      if (liquid.volume[t] > 0) liquid.v[t] += 0.05 * Vec3(gravity, 0, 0);
    drag(fur, fibres, moving, nu, 0.05, liquid);
  }
  const double time = 0.05 * shell.edge / along_speed;
  Drops drops;
  FluxWork work;
  transport_by_flux(shell, moving, fur.residual, time, liquid, drops, work);
  outcome.results.push_back(within("volume that passes over that of the law",
                                   (centre(shell, liquid) - start).x() / (along_speed * time), 1, 0.01, "",
                                   "Darcy's law"));
  return outcome;
}

}  // namespace coracle::validation
