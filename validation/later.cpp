#include "validation/case.h"
namespace coracle::validation {
Outcome tilted_momentum(){return {};} Outcome tilted_slide(){return {};} Outcome piston_flux(){return {};} Outcome piston_level(){return {};}
Outcome still_water(){return {};} Outcome sloshing(){return {};} Outcome dam_break_front(){return {};} Outcome dam_break_volume(){return {};}
}
