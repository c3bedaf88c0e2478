// The page of liquid whose particles and fields lie elsewhere than in Liquid and LiquidWork: in the memory of a GPU
// (device/page.h). They come home when somebody asks for them: for frames, checkpoints, programs.
#pragma once

#include "coracle/report.h"
#include "coracle/scene.h"
#include "coracle/world.h"

#include <memory>

namespace coracle {

struct LiquidWork;
struct StepWork;

class PlacedPage {
 public:
  virtual ~PlacedPage() = default;
  // As the functions of the page (step/page.h). derive() takes the state from home if it is there.
  virtual void derive(const Scene& scene, World& world, Liquid& liquid, StepWork& step, LiquidWork& work) = 0;
  virtual double max_speed() = 0;
  virtual StepReport step(const Scene& scene, World& world, Liquid& liquid, StepWork& step, LiquidWork& work,
                          double dt) = 0;
  virtual void undo(Liquid& liquid) = 0;
  virtual void bring_home(Liquid& liquid, LiquidWork& work) = 0;
  virtual void set_out(Liquid& liquid, LiquidWork& work) = 0;
};

// The page for the scene's back end; none if the page of the processor does the step.
std::unique_ptr<PlacedPage> make_placed_page(const Scene& scene);

}  // namespace coracle
