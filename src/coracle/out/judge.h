// Compares a run with its expectations (scene/expect.h). Values come from stats.jsonl and probes.csv, so a resumed run
// is judged as a whole.
//
// An expectation names in `of` a path into a line of stats.jsonl, keys with dots between them:
//   liquid.volume   solver.iterations   retries   liquid.pockets.0.volume
//   bodies.beam.center.x                bodies and solids by name; x, y, z or length of a vector
//   probes.level   probes.tip_x         a column of probes.csv; probes.tip.length for columns tip_x, tip_y, tip_z
// or two paths with " / " or " - " between them. A step without such a number is ignored; a number that is not finite
// fails the expectation.
#pragma once

#include "coracle/scene.h"
#include "coracle/scene/expect.h"

#include <string>
#include <vector>

namespace coracle {

// Expectations for the scene's preset; empty if there is no file of expectations beside the scene. Throws SceneError,
// also for a path that no step of this scene writes.
std::vector<Expectation> load_expectations(const std::string& scene_file, const Scene& scene);

// Why no step of the scene writes the number that `of` denotes; empty if steps write it.
std::string wrong_path(const Scene& scene, const std::string& of);

enum class Verdict { pass, fail, not_reached };

struct Judgement {
  Expectation expectation;
  Verdict verdict = Verdict::not_reached;
  double measured = 0;  // NaN if there is no value
  std::string note;     // why there is no value
};

// `end`, s: planned duration of the run in `dir`; 0: the duration it has. An expectation that needs later steps is
// not_reached. The mean is over time; first, change and ratio start at the end of the first step, as stats.jsonl does.
std::vector<Judgement> judge(const std::vector<Expectation>& expectations, const std::string& dir, double end = 0);

// What an expectation takes of values in time; the mean is by the weights. NaN without any value, or with one that is
// not finite.
double taken(const Expectation& expectation, const std::vector<double>& values, const std::vector<double>& weights);

bool any_fails(const std::vector<Judgement>& judgements);
const char* word(Verdict verdict);
// "at least 0.1", "0.1 to 0.2".
std::string bound_text(const Expectation& expectation);
// One aligned line per judgement: verdict, claim, measured, bound, reason.
std::string judgement_table(const std::vector<Judgement>& judgements, int indent = 2);

}  // namespace coracle
