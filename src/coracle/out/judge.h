// What a run is expected to do, against what it did: expectations (scene/expect.h) judged from stats.jsonl and
// probes.csv, so that a resumed run is judged as a whole.
//
// An expectation is `of` a path into a line of stats.jsonl, keys with dots between them:
//   liquid.volume   solver.iterations   retries   liquid.pockets.0.volume
//   bodies.beam.center.x                bodies and solids by name; x, y, z or length of a vector
//   probes.level   probes.tip_x         a column of probes.csv; probes.tip.length for columns tip_x, tip_y, tip_z
// or of two with " / " or " - " between them. A step whose line has no such number does not count; one where it is not
// finite fails the expectation.
#pragma once

#include "coracle/scene.h"
#include "coracle/scene/expect.h"

#include <string>
#include <vector>

namespace coracle {

// Those of the scene's file that are for its preset; none where it has no such file. Throws SceneError, also where a
// path leads nowhere in this scene.
std::vector<Expectation> load_expectations(const std::string& scene_file, const Scene& scene);

enum class Verdict { pass, fail, not_reached };

struct Judgement {
  Expectation expectation;
  Verdict verdict = Verdict::not_reached;
  double measured = 0;  // NaN where nothing was
  std::string note;     // why there is nothing
};

// `end` is how long the run in `dir` should last, s: what waits for a later step is not reached. 0: as long as it did.
// The mean is over time; first and change start with the first step's end, as stats.jsonl does.
std::vector<Judgement> judge(const std::vector<Expectation>& expectations, const std::string& dir, double end = 0);

bool any_fails(const std::vector<Judgement>& judgements);
const char* word(Verdict verdict);
// "at least 0.1", "0.1 to 0.2".
std::string bound_text(const Expectation& expectation);
// An aligned line each: verdict, claim, measured, bound, reason.
std::string judgement_table(const std::vector<Judgement>& judgements, int indent = 2);

}  // namespace coracle
