// What the exit code of the program says; README.md lists the codes too.
#pragma once

namespace coracle::exit_code {

inline constexpr int done = 0;
inline constexpr int failed = 1;  // a step of the simulation, an expectation or comparison with --strict, a validation;
                                  // or a bug
inline constexpr int to_mend = 2;  // the user can mend it: the command, the scene, a file, the disk, too little memory
inline constexpr int interrupted = 3;  // by SIGINT, SIGTERM or the viewer, with a checkpoint
inline constexpr int out_of_memory = 4;

inline constexpr const char* text =
    "Exit codes: 0 done; 1 failed: a step of the simulation, an expectation or a comparison with --strict, a "
    "validation,\n"
    "or a bug;\n"
    "2 something that you can mend: the command, the scene, a file, the disk, a run too large for the memory;\n"
    "3 interrupted by Ctrl-C, SIGTERM or the viewer, with a checkpoint (a second signal stops at once, without one);\n"
    "4 out of memory on the way; the message names what is kept.";

}  // namespace coracle::exit_code
