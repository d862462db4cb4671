# fish completion for heddle. A new command: one line in the first part, its options in the parts below.

set -l algorithms bfs sssp sswp cc pr bc closeness harmonic eccentricity scc mst tc lcc kcore cdlp hs cs nn
set -l commands $algorithms run info explain convert generate transform devices selftest bench graphalytics cache help version
set -l plans auto baseline vwc-2 vwc-4 vwc-8 vwc-16 vwc-32 ws ws-vr tigr-v tigr-v+ tigr-udt cusha-gs cusha-cw udt-cusha graphie graffix-coalesce graffix-divergence
set -l formats edgelist mtx dimacs metis gap hdl graphml gml pajek adjlist json dot
set -l kinds rmat uniform grid road smallworld star path clique tree

complete -c heddle -f -n __fish_use_subcommand -a bfs -d 'How many edges away every vertex is'
complete -c heddle -f -n __fish_use_subcommand -a sssp -d 'Shortest distances from a source'
complete -c heddle -f -n __fish_use_subcommand -a sswp -d 'Widest paths from a source'
complete -c heddle -f -n __fish_use_subcommand -a cc -d 'Weakly connected components'
complete -c heddle -f -n __fish_use_subcommand -a pr -d 'PageRank'
complete -c heddle -f -n __fish_use_subcommand -a bc -d 'Betweenness centrality'
complete -c heddle -f -n __fish_use_subcommand -a closeness -d 'Closeness centrality'
complete -c heddle -f -n __fish_use_subcommand -a harmonic -d 'Harmonic centrality'
complete -c heddle -f -n __fish_use_subcommand -a eccentricity -d 'Largest distances, and the diameter'
complete -c heddle -f -n __fish_use_subcommand -a scc -d 'Strongly connected components'
complete -c heddle -f -n __fish_use_subcommand -a mst -d 'Minimum spanning forest'
complete -c heddle -f -n __fish_use_subcommand -a tc -d 'Triangles'
complete -c heddle -f -n __fish_use_subcommand -a lcc -d 'Local clustering coefficients'
complete -c heddle -f -n __fish_use_subcommand -a kcore -d 'Core numbers'
complete -c heddle -f -n __fish_use_subcommand -a cdlp -d 'Communities by label propagation'
complete -c heddle -f -n __fish_use_subcommand -a hs -d 'Heat spreading over the edges'
complete -c heddle -f -n __fish_use_subcommand -a cs -d 'Voltages in a circuit of resistors'
complete -c heddle -f -n __fish_use_subcommand -a nn -d 'Activations of a neural network'
complete -c heddle -f -n __fish_use_subcommand -a run -d 'A vertex program of your own'
complete -c heddle -f -n __fish_use_subcommand -a info -d 'Sizes, degrees and irregularity of a graph'
complete -c heddle -f -n __fish_use_subcommand -a explain -d 'The plan of a run and why'
complete -c heddle -f -n __fish_use_subcommand -a convert -d 'Write a graph in another format'
complete -c heddle -f -n __fish_use_subcommand -a generate -d 'Make a synthetic graph'
complete -c heddle -f -n __fish_use_subcommand -a transform -d 'Split vertices of many edges'
complete -c heddle -f -n __fish_use_subcommand -a devices -d 'What devices there are, and what is missing'
complete -c heddle -f -n __fish_use_subcommand -a selftest -d 'Check every algorithm and plan on a device'
complete -c heddle -f -n __fish_use_subcommand -a cache -d 'The compiled kernels'
complete -c heddle -f -n __fish_use_subcommand -a help -d 'Help on a command or topic'
complete -c heddle -f -n __fish_use_subcommand -a version -d 'The version, and what this build contains'
complete -c heddle -f -n __fish_use_subcommand -l version -s V -d 'The version'

# every command
complete -c heddle -x -s t -l threads -d 'Use N threads'
complete -c heddle -s j -l json -d 'Write a report in JSON to standard output'
complete -c heddle -s q -l quiet -d 'No progress, notes or summaries'
complete -c heddle -s h -l help -d 'Show help'

# algorithms
set -l running "__fish_seen_subcommand_from $algorithms run"
set -l planning "__fish_seen_subcommand_from $algorithms run explain selftest cache"
set -l starting '__fish_seen_subcommand_from bfs sssp sswp bc closeness harmonic eccentricity run'
set -l pathing '__fish_seen_subcommand_from bfs sssp sswp'
set -l settling '__fish_seen_subcommand_from hs cs nn run'
set -l rounding '__fish_seen_subcommand_from pr hs cs nn run'
complete -c heddle -n $starting -x -s s -l source -d 'Start at these vertices'
complete -c heddle -n $starting -r -l sources -d 'Start at the vertices that a file lists'
complete -c heddle -n '__fish_seen_subcommand_from bfs' -l each -d 'A search of its own from each source'
complete -c heddle -n $pathing -x -l path-to -d 'Print the path to this vertex'
complete -c heddle -n $pathing -l parents -d 'Give each parent too'
complete -c heddle -n '__fish_seen_subcommand_from sssp' -x -l delta -d 'Width of the buckets'
complete -c heddle -n '__fish_seen_subcommand_from pr' -x -l damping -d 'Share of the rank that follows edges'
complete -c heddle -n '__fish_seen_subcommand_from pr' -l weighted -d 'Edges count by their weight'
complete -c heddle -n '__fish_seen_subcommand_from pr' -r -l personalize -d 'Where the rest of the rank goes'
complete -c heddle -n '__fish_seen_subcommand_from bc' -x -l samples -d 'Paths from K vertices chosen by chance'
complete -c heddle -n '__fish_seen_subcommand_from bc' -x -l confidence -d 'Probability that the error bound holds'
complete -c heddle -n '__fish_seen_subcommand_from bc' -l normalized -d 'Divide by the number of pairs'
set -l distances '__fish_seen_subcommand_from closeness harmonic eccentricity'
complete -c heddle -n $distances -x -l samples -d 'Distances from K vertices chosen by chance'
complete -c heddle -n $distances -l reversed -d 'Distances of the other direction'
complete -c heddle -n '__fish_seen_subcommand_from closeness' -l reachable-only -d 'Do not multiply by the share that reaches it'
complete -c heddle -n '__fish_seen_subcommand_from harmonic' -x -l confidence -d 'Probability that the error bound holds'
complete -c heddle -n '__fish_seen_subcommand_from harmonic' -l normalized -d 'Divide by the number of other vertices'
complete -c heddle -n '__fish_seen_subcommand_from hs' -x -l rate -d 'How fast heat flows'
complete -c heddle -n '__fish_seen_subcommand_from run' -x -s p -l param -d 'Set a parameter of the program'
complete -c heddle -n $settling -r -l init -d 'First values'
complete -c heddle -n $settling -r -l fixed -d 'Vertices that keep their value'
complete -c heddle -n $rounding -x -l tolerance -d 'Stop when no value changes by more'
complete -c heddle -n $rounding -x -l max-iterations -d 'Stop after N rounds'
complete -c heddle -n '__fish_seen_subcommand_from cdlp' -x -l max-iterations -d 'How many rounds'
complete -c heddle -n $running -r -s o -l output -d 'Write all rows to a file'
complete -c heddle -n $running -x -s n -l top -d 'Print the N largest rows'
complete -c heddle -n $planning -x -s d -l device -a 'auto cpu cuda opencl' -d 'Where to run'
complete -c heddle -n $planning -x -l plan -a "$plans" -d 'How the edges are laid out and walked'
complete -c heddle -n $running -x -l precision -a 'single double' -d 'Of real values'
complete -c heddle -n $running -x -l seed -d 'For choices left to chance'
complete -c heddle -n $running -x -l memory-limit -d 'Memory for graph, values and buffers'
complete -c heddle -n $running -l approximate -d 'Allow plans whose result is not exact'
complete -c heddle -n $running -x -l max-error -d 'Stop when the error is proven to be at most this'
complete -c heddle -n $running -l dry-run -d 'Tell what would be run, and stop'
complete -c heddle -n $running -l profile -d 'Count the lanes that are used on a device'
complete -c heddle -n $running -r -l checkpoint -d 'Keep the values in a file in a folder, to go on from'
complete -c heddle -n $running -x -l every -d 'Rounds between two checkpoints'
complete -c heddle -n $running -l resume -d 'Go on from the checkpoint'
complete -c heddle -n $running -r -l keep-source -d 'Write the source of what is compiled'
complete -c heddle -n "__fish_seen_subcommand_from $algorithms run info explain bench" -r -l report -d 'Also write a page to look at'
complete -c heddle -n $running -r -l trace -d 'Write the phases with their times'
complete -c heddle -n "__fish_seen_subcommand_from $algorithms" -l verify -d 'Check the result against its certificate'

# explain, selftest, cache
set -l testing '__fish_seen_subcommand_from selftest'
complete -c heddle -f -n '__fish_seen_subcommand_from explain' -a "$algorithms"
complete -c heddle -x -n '__fish_seen_subcommand_from selftest cache' -l algorithm -a "$algorithms" -d 'This algorithm only'
complete -c heddle -n $testing -l quick -d 'Half of the graphs'
complete -c heddle -n $testing -x -l graph -d 'This graph only'
complete -c heddle -n $testing -s v -l verbose -d 'List what was refused'
complete -c heddle -f -n '__fish_seen_subcommand_from cache' -a 'show warm clear'

# reading the graph
set -l reading "__fish_seen_subcommand_from $algorithms run info explain convert"
complete -c heddle -n $reading -x -s f -l format -a "$formats" -d 'Format of the input'
complete -c heddle -n $reading -x -l header -a 'auto yes no' -d 'Edge lists: whether the first line names the columns'
complete -c heddle -n $reading -x -l columns -d 'Edge lists: where source, target and weight stand'
complete -c heddle -n $reading -x -l delimiter -a 'tab space comma semicolon pipe' -d 'Edge lists: what separates columns'
complete -c heddle -n $reading -r -l vertices-from -d 'Edge lists: a file of vertex ids'
complete -c heddle -n $reading -x -l vertices -d 'Edge lists: the vertices 0 .. N-1 exist'
complete -c heddle -n $reading -x -l weight-type -a 'auto u32 i32 i64 f32 f64' -d 'The type that weights are held in'
complete -c heddle -n $reading -x -l weight-column -a 'auto none 3 4' -d 'Edge lists: where the weight stands'
complete -c heddle -n $reading -x -l ids -a 'auto int string' -d 'Edge lists: what ids are'
complete -c heddle -n '__fish_seen_subcommand_from convert' -x -l from -a "$formats" -d 'Format of the input'

# graphalytics
complete -c heddle -f -n __fish_use_subcommand -a graphalytics -d 'Run and validate LDBC Graphalytics'
set -l ldbc '__fish_seen_subcommand_from graphalytics'
complete -c heddle -n $ldbc -a run
complete -c heddle -n $ldbc -x -s d -l device -d 'Where to run'
complete -c heddle -n $ldbc -x -l graph -d 'This data set only'
complete -c heddle -n $ldbc -x -s a -l algorithms -d 'Which ones, with commas between'
complete -c heddle -n $ldbc -r -s o -l output -d 'A folder for results'

# bench
set -l measuring '__fish_seen_subcommand_from bench'
complete -c heddle -f -n __fish_use_subcommand -a bench -d 'Measure algorithms on this machine'
complete -c heddle -n $measuring -x -s a -l algorithms -d 'Which ones, with commas between'
complete -c heddle -n $measuring -x -s r -l repeats -d 'Timed runs of each row'
complete -c heddle -n $measuring -x -l sources -d 'Random sources beside'
complete -c heddle -n $measuring -x -s s -l scale -d '2^N vertices'
complete -c heddle -n $measuring -x -l seed -d 'Of graphs and sources'
complete -c heddle -n $measuring -x -l memory-limit -d 'Memory for graph, values and buffers'
complete -c heddle -n $measuring -l parents -d 'Find parents too'
complete -c heddle -n $measuring -l no-verify -d 'Do not verify'
complete -c heddle -n $measuring -r -s o -l output -d 'JSON to this file'
complete -c heddle -n $measuring -x -l plans -d 'A row for each of these plans, with ; between'
complete -c heddle -n $measuring -r -l again -d 'Measure what this file holds'

# changing the graph
set -l changing "__fish_seen_subcommand_from $algorithms run info explain convert generate transform"
complete -c heddle -n $changing -l symmetrize -d 'Add missing reverse edges'
complete -c heddle -n $changing -l undirected -d 'Add missing reverse edges'
complete -c heddle -n $changing -l no-loops -d 'Drop edges from a vertex to itself'
complete -c heddle -n $changing -f -l dedup -a 'first min max sum' -d 'Keep one of several edges with the same ends'
complete -c heddle -n $changing -l no-isolated -d 'Drop vertices that no edge touches'

# writing the graph
set -l writing '__fish_seen_subcommand_from convert generate transform'
complete -c heddle -n $writing -x -l to -a "$formats" -d 'Format of the output'
complete -c heddle -n $writing -l lossy -d 'Allow a format that cannot hold all of the graph'
complete -c heddle -n $writing -l in-edges -d 'hdl: store the in-edges too'
complete -c heddle -n $writing -x -l order -a 'degree bfs out degree,bfs,out' -d 'hdl: store the graph renamed too'
complete -c heddle -n $writing -x -l level -d 'Compression level'

set -l limiting '__fish_seen_subcommand_from convert generate'
complete -c heddle -n $limiting -x -l memory-limit -d 'Build on disk what exceeds it'

# transform
set -l splitting '__fish_seen_subcommand_from transform'
complete -c heddle -n "$splitting; and not __fish_seen_subcommand_from cliq circ star udt rstar" -x -a 'cliq circ star udt rstar'
complete -c heddle -n $splitting -x -s K -l K -d 'The most edges a vertex may keep'
complete -c heddle -n $splitting -x -l direction -a 'push pull' -d 'Whose edges are shared out'
complete -c heddle -n $splitting -x -l seed -d 'Of cliq and circ'
complete -c heddle -n $splitting -x -l new-weights -a 'as-is zero infinity' -d 'What new edges weigh'

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

complete -c heddle -f -n '__fish_seen_subcommand_from help' -a "$commands formats generators plans"
complete -c heddle -f -n '__fish_seen_subcommand_from devices selftest version'
