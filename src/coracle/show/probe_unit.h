// The units of what probes measure.
#pragma once

#include "coracle/scene.h"

namespace coracle {

inline const char* probe_unit(ProbeKind kind) {
  switch (kind) {
    case ProbeKind::pressure:
      return "Pa";
    case ProbeKind::force:
      return "N";
    case ProbeKind::height:
    case ProbeKind::displacement:
      return "m";
    case ProbeKind::velocity:
      return "m/s";
    case ProbeKind::volume:
      return "m³";
    case ProbeKind::outside:
      break;
  }
  return "";
}

}  // namespace coracle
