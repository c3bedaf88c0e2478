// What a step reports of solids, bodies and probes. The page of a fluid measures the fluid.
#pragma once

#include "coracle/report.h"
#include "coracle/step/body/body_problem.h"
#include "coracle/step/body/step_work.h"
#include "coracle/world/pose.h"

#include <functional>

namespace coracle {

// Values of the fluid for probes. Where a function is empty, the probe reads 0.
struct FluidProbes {
  std::function<double(const Vec3& x)> pressure;                   // Pa
  std::function<double(const Vec3& from, const Vec3& to)> height;  // m of the line that lies in liquid
  std::function<double(const Body& body)> outside;                 // particles that are not inside the body's hull
  std::function<Vec3(const Vec3& x)> velocity;                     // m/s; zero outside the fluid
  std::function<double(const PosedBox& box)> volume;               // m³ of liquid
};

// Column names of StepReport::probes.
std::vector<std::string> probe_columns(const Scene& scene);

// Contacts and their depth, which only the bodies' solve knows.
void report_bodies(const World& world, const BodySolve& solve, StepReport& report);
// The solve of bodies without a fluid.
SolveReport solver_report(const World& world, const BodySolve& solve);

// Solids, bodies, probes, clock and memory at the end of the step.
void measure_world(const Scene& scene, const World& world, StepWork& work, const FluidProbes& probes,
                   StepReport& report);

}  // namespace coracle
