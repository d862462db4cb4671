# fish completion for heddle. A new command: one line in the first part, its options in the parts below.

set -l commands info convert generate help version
set -l formats edgelist mtx dimacs metis gap hdl
set -l kinds rmat uniform grid road smallworld star path clique tree

complete -c heddle -f -n __fish_use_subcommand -a info -d 'Sizes, degrees and irregularity of a graph'
complete -c heddle -f -n __fish_use_subcommand -a convert -d 'Write a graph in another format'
complete -c heddle -f -n __fish_use_subcommand -a generate -d 'Make a synthetic graph'
complete -c heddle -f -n __fish_use_subcommand -a help -d 'Help on a command or topic'
complete -c heddle -f -n __fish_use_subcommand -a version -d 'The version, and what this build contains'
complete -c heddle -f -n __fish_use_subcommand -l version -s V -d 'The version'

# every command
complete -c heddle -x -s t -l threads -d 'Use N threads'
complete -c heddle -s j -l json -d 'Write a report in JSON to standard output'
complete -c heddle -s q -l quiet -d 'No progress, notes or summaries'
complete -c heddle -s h -l help -d 'Show help'

# reading the graph
set -l reading '__fish_seen_subcommand_from info convert'
complete -c heddle -n $reading -x -s f -l format -a "$formats" -d 'Format of the input'
complete -c heddle -n $reading -x -l vertices -d 'Edge lists: the vertices 0 .. N-1 exist'
complete -c heddle -n $reading -x -l weight-column -a 'auto none 3 4' -d 'Edge lists: where the weight stands'
complete -c heddle -n $reading -x -l ids -a 'auto int string' -d 'Edge lists: what ids are'
complete -c heddle -n '__fish_seen_subcommand_from convert' -x -l from -a "$formats" -d 'Format of the input'

# changing the graph
set -l changing '__fish_seen_subcommand_from info convert generate'
complete -c heddle -n $changing -l symmetrize -d 'Add missing reverse edges'
complete -c heddle -n $changing -l no-loops -d 'Drop edges from a vertex to itself'
complete -c heddle -n $changing -f -l dedup -a 'first min max sum' -d 'Keep one of several edges with the same ends'
complete -c heddle -n $changing -l no-isolated -d 'Drop vertices that no edge touches'

# writing the graph
set -l writing '__fish_seen_subcommand_from convert generate'
complete -c heddle -n $writing -x -l to -a "$formats" -d 'Format of the output'
complete -c heddle -n $writing -l lossy -d 'Allow a format that cannot hold all of the graph'
complete -c heddle -n $writing -l in-edges -d 'hdl: store the in-edges too'
complete -c heddle -n $writing -x -l level -d 'Compression level'

# generate
set -l generating '__fish_seen_subcommand_from generate'
complete -c heddle -n "$generating; and not __fish_seen_subcommand_from $kinds" -x -a "$kinds"
complete -c heddle -n $generating -x -s s -l scale -d '2^N vertices'
complete -c heddle -n $generating -x -s n -l vertices -d 'Number of vertices'
complete -c heddle -n $generating -x -s d -l degree -d 'Generated edges per vertex'
complete -c heddle -n $generating -x -l width -d 'Of the grid'
complete -c heddle -n $generating -x -l height -d 'Of the grid'
complete -c heddle -n $generating -x -l depth -d 'Of the grid'
complete -c heddle -n $generating -x -l a -d 'Probability of the first quadrant'
complete -c heddle -n $generating -x -l b -d 'Probability of the second quadrant'
complete -c heddle -n $generating -x -l c -d 'Probability of the third quadrant'
complete -c heddle -n $generating -l no-scramble -d 'Keep the order of the ids'
complete -c heddle -n $generating -x -s p -l probability -d 'Share of the edges removed or rewired'
complete -c heddle -n $generating -x -l branching -d 'Children of each vertex'
complete -c heddle -n $generating -x -l seed -d 'Another seed gives another graph'
complete -c heddle -n $generating -x -s w -l weights -d 'Weights from MIN..MAX'
complete -c heddle -n $generating -l real-weights -d 'Real weights, however the range is written'

complete -c heddle -f -n '__fish_seen_subcommand_from help' -a "$commands formats generators"
complete -c heddle -f -n '__fish_seen_subcommand_from version'
