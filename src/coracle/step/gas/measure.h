// Measurements of gas. Velocity is taken after the projection, before advection.
#pragma once

#include "coracle/report.h"
#include "coracle/step/gas/gas_work.h"

namespace coracle {

void measure_gas(const Scene& scene, const Gas& gas, const GasWork& work, GasReport& report);

}  // namespace coracle
