# Completion of coracle for bash. It asks the program for its commands, options, scenes and presets, so it is never stale.

_coracle() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} program=${COMP_WORDS[0]}
  local command=${COMP_WORDS[1]} words=

  if ((COMP_CWORD == 1)) || { ((COMP_CWORD == 2)) && [[ $command == help ]]; }; then
    # The list at the end of `coracle --help`, and its options.
    words="help $("$program" --help 2>/dev/null | sed -nE '/^Subcommands:/,/^$/s/^  ([a-z]+) .*/\1/p; s/^  -h,(--help) .*/\1/p; s/^  (--[a-z-]+) .*/\1/p')"
  elif [[ $previous == --preset && $command != render ]]; then
    words=$("$program" list 2>/dev/null | awk -v scene="${COMP_WORDS[2]}" '$1 == scene && match($0, /\([^()]*\)$/) {
      print substr($0, RSTART + 1, RLENGTH - 2) }' | tr -d ,)
  elif [[ $word == -* ]]; then
    words=$("$program" help "$command" 2>/dev/null | sed -nE 's/^  (-[a-z],)?(--[a-z-]+).*/\2/p')
  elif [[ $command == run || $command == check || $command == sweep ]] && ((COMP_CWORD == 2)); then
    words=$("$program" list 2>/dev/null | awk '{ print $1 }')
  elif [[ $command == compare ]] && ((COMP_CWORD == 2 || COMP_CWORD == 3)); then
    # Folders of runs, here or one level below; without any, files as usual.
    local mark
    COMPREPLY=()
    for mark in "$word"*/.coracle-run "$word"*/*/.coracle-run; do
      [[ -e $mark ]] && COMPREPLY+=("${mark%/.coracle-run}")
    done
    compopt -o filenames 2>/dev/null
    return
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
} && complete -o default -F _coracle coracle
