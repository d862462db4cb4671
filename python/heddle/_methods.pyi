"""Made by scripts/python-stubs.py: the methods of Graph that run algorithms, `generate`, and the options
of other methods."""
from os import PathLike
from typing import Any, Callable, Literal, TypedDict

from ._graph import Graph
from ._result import Result

Path = str | PathLike[str]
Progress = bool | Callable[[str, int, int], Any]

class Methods:
    def bfs(
        self, source: Any = ..., *, sources: Any = ..., parents: bool | None = ..., each: bool | None = ...,
        device: str | None = ..., plan: str | None = ..., profile: bool | None = ..., keep_source: Path | None = ...,
        memory_limit: int | str | None = ..., max_error: float | None = ..., approximate: bool | None = ...,
        checkpoint: Path | None = ..., checkpoint_every: int | None = ..., resume: bool | None = ...,
        spread: bool | None = ..., threads: int | None = ..., verify: bool = ..., progress: Progress | None = ...
    ) -> Result: ...
    def sssp(
        self, source: Any = ..., *, sources: Any = ..., parents: bool | None = ..., each: bool | None = ...,
        delta: float | None = ..., precision: Literal['default', 'single', 'double'] | None = ...,
        device: str | None = ..., plan: str | None = ..., profile: bool | None = ..., keep_source: Path | None = ...,
        memory_limit: int | str | None = ..., max_error: float | None = ..., approximate: bool | None = ...,
        checkpoint: Path | None = ..., checkpoint_every: int | None = ..., resume: bool | None = ...,
        spread: bool | None = ..., threads: int | None = ..., verify: bool = ..., progress: Progress | None = ...
    ) -> Result: ...
    def sswp(
        self, source: Any = ..., *, sources: Any = ..., parents: bool | None = ..., device: str | None = ...,
        plan: str | None = ..., profile: bool | None = ..., keep_source: Path | None = ...,
        memory_limit: int | str | None = ..., max_error: float | None = ..., approximate: bool | None = ...,
        checkpoint: Path | None = ..., checkpoint_every: int | None = ..., resume: bool | None = ...,
        spread: bool | None = ..., threads: int | None = ..., verify: bool = ..., progress: Progress | None = ...
    ) -> Result: ...
    def cc(
        self, *, device: str | None = ..., plan: str | None = ..., profile: bool | None = ...,
        keep_source: Path | None = ..., memory_limit: int | str | None = ..., max_error: float | None = ...,
        approximate: bool | None = ..., checkpoint: Path | None = ..., checkpoint_every: int | None = ...,
        resume: bool | None = ..., spread: bool | None = ..., threads: int | None = ..., verify: bool = ...,
        progress: Progress | None = ...
    ) -> Result: ...
    def pr(
        self, source: Any = ..., *, sources: Any = ..., each: bool | None = ..., damping: float | None = ...,
        tolerance: float | None = ..., max_iterations: int | None = ..., personalization: Any = ...,
        weighted: bool | None = ..., precision: Literal['default', 'single', 'double'] | None = ...,
        device: str | None = ..., plan: str | None = ..., profile: bool | None = ..., keep_source: Path | None = ...,
        memory_limit: int | str | None = ..., max_error: float | None = ..., approximate: bool | None = ...,
        checkpoint: Path | None = ..., checkpoint_every: int | None = ..., resume: bool | None = ...,
        spread: bool | None = ..., threads: int | None = ..., verify: bool = ..., progress: Progress | None = ...
    ) -> Result: ...
    def bc(
        self, source: Any = ..., *, sources: Any = ..., samples: int | None = ..., seed: int | None = ...,
        normalized: bool | None = ..., precision: Literal['default', 'single', 'double'] | None = ...,
        confidence: float | None = ..., top: int | None = ..., device: str | None = ..., plan: str | None = ...,
        profile: bool | None = ..., keep_source: Path | None = ..., memory_limit: int | str | None = ...,
        max_error: float | None = ..., approximate: bool | None = ..., checkpoint: Path | None = ...,
        checkpoint_every: int | None = ..., resume: bool | None = ..., spread: bool | None = ...,
        threads: int | None = ..., verify: bool = ..., progress: Progress | None = ...
    ) -> Result: ...
    def closeness(
        self, source: Any = ..., *, sources: Any = ..., samples: int | None = ..., seed: int | None = ...,
        reversed: bool | None = ..., reachable_only: bool | None = ..., device: str | None = ...,
        plan: str | None = ..., profile: bool | None = ..., keep_source: Path | None = ...,
        memory_limit: int | str | None = ..., max_error: float | None = ..., approximate: bool | None = ...,
        checkpoint: Path | None = ..., checkpoint_every: int | None = ..., resume: bool | None = ...,
        spread: bool | None = ..., threads: int | None = ..., verify: bool = ..., progress: Progress | None = ...
    ) -> Result: ...
    def harmonic(
        self, source: Any = ..., *, sources: Any = ..., samples: int | None = ..., seed: int | None = ...,
        normalized: bool | None = ..., reversed: bool | None = ..., confidence: float | None = ...,
        device: str | None = ..., plan: str | None = ..., profile: bool | None = ..., keep_source: Path | None = ...,
        memory_limit: int | str | None = ..., max_error: float | None = ..., approximate: bool | None = ...,
        checkpoint: Path | None = ..., checkpoint_every: int | None = ..., resume: bool | None = ...,
        spread: bool | None = ..., threads: int | None = ..., verify: bool = ..., progress: Progress | None = ...
    ) -> Result: ...
    def eccentricity(
        self, source: Any = ..., *, sources: Any = ..., samples: int | None = ..., seed: int | None = ...,
        reversed: bool | None = ..., device: str | None = ..., plan: str | None = ..., profile: bool | None = ...,
        keep_source: Path | None = ..., memory_limit: int | str | None = ..., max_error: float | None = ...,
        approximate: bool | None = ..., checkpoint: Path | None = ..., checkpoint_every: int | None = ...,
        resume: bool | None = ..., spread: bool | None = ..., threads: int | None = ..., verify: bool = ...,
        progress: Progress | None = ...
    ) -> Result: ...
    def eigenvector(
        self, *, weighted: bool | None = ..., tolerance: float | None = ..., max_iterations: int | None = ...,
        device: str | None = ..., plan: str | None = ..., profile: bool | None = ..., keep_source: Path | None = ...,
        memory_limit: int | str | None = ..., max_error: float | None = ..., approximate: bool | None = ...,
        checkpoint: Path | None = ..., checkpoint_every: int | None = ..., resume: bool | None = ...,
        spread: bool | None = ..., threads: int | None = ..., verify: bool = ..., progress: Progress | None = ...
    ) -> Result: ...
    def katz(
        self, *, weighted: bool | None = ..., alpha: float | None = ..., normalized: bool | None = ...,
        tolerance: float | None = ..., max_iterations: int | None = ..., device: str | None = ...,
        plan: str | None = ..., profile: bool | None = ..., keep_source: Path | None = ...,
        memory_limit: int | str | None = ..., max_error: float | None = ..., approximate: bool | None = ...,
        checkpoint: Path | None = ..., checkpoint_every: int | None = ..., resume: bool | None = ...,
        spread: bool | None = ..., threads: int | None = ..., verify: bool = ..., progress: Progress | None = ...
    ) -> Result: ...
    def hits(
        self, *, weighted: bool | None = ..., hubs: bool | None = ..., tolerance: float | None = ...,
        max_iterations: int | None = ..., device: str | None = ..., plan: str | None = ...,
        profile: bool | None = ..., keep_source: Path | None = ..., memory_limit: int | str | None = ...,
        max_error: float | None = ..., approximate: bool | None = ..., checkpoint: Path | None = ...,
        checkpoint_every: int | None = ..., resume: bool | None = ..., spread: bool | None = ...,
        threads: int | None = ..., verify: bool = ..., progress: Progress | None = ...
    ) -> Result: ...
    def degree(
        self, *, direction: Literal['both', 'out', 'in'] | None = ..., weighted: bool | None = ...,
        device: str | None = ..., plan: str | None = ..., profile: bool | None = ..., keep_source: Path | None = ...,
        memory_limit: int | str | None = ..., max_error: float | None = ..., approximate: bool | None = ...,
        checkpoint: Path | None = ..., checkpoint_every: int | None = ..., resume: bool | None = ...,
        spread: bool | None = ..., threads: int | None = ..., verify: bool = ..., progress: Progress | None = ...
    ) -> Result: ...
    def scc(
        self, *, device: str | None = ..., plan: str | None = ..., profile: bool | None = ...,
        keep_source: Path | None = ..., memory_limit: int | str | None = ..., max_error: float | None = ...,
        approximate: bool | None = ..., checkpoint: Path | None = ..., checkpoint_every: int | None = ...,
        resume: bool | None = ..., spread: bool | None = ..., threads: int | None = ..., verify: bool = ...,
        progress: Progress | None = ...
    ) -> Result: ...
    def mst(
        self, *, device: str | None = ..., plan: str | None = ..., profile: bool | None = ...,
        keep_source: Path | None = ..., memory_limit: int | str | None = ..., max_error: float | None = ...,
        approximate: bool | None = ..., checkpoint: Path | None = ..., checkpoint_every: int | None = ...,
        resume: bool | None = ..., spread: bool | None = ..., threads: int | None = ..., verify: bool = ...,
        progress: Progress | None = ...
    ) -> Result: ...
    def bridges(
        self, *, device: str | None = ..., plan: str | None = ..., profile: bool | None = ...,
        keep_source: Path | None = ..., memory_limit: int | str | None = ..., max_error: float | None = ...,
        approximate: bool | None = ..., checkpoint: Path | None = ..., checkpoint_every: int | None = ...,
        resume: bool | None = ..., spread: bool | None = ..., threads: int | None = ..., verify: bool = ...,
        progress: Progress | None = ...
    ) -> Result: ...
    def articulation(
        self, *, device: str | None = ..., plan: str | None = ..., profile: bool | None = ...,
        keep_source: Path | None = ..., memory_limit: int | str | None = ..., max_error: float | None = ...,
        approximate: bool | None = ..., checkpoint: Path | None = ..., checkpoint_every: int | None = ...,
        resume: bool | None = ..., spread: bool | None = ..., threads: int | None = ..., verify: bool = ...,
        progress: Progress | None = ...
    ) -> Result: ...
    def biconnected(
        self, *, device: str | None = ..., plan: str | None = ..., profile: bool | None = ...,
        keep_source: Path | None = ..., memory_limit: int | str | None = ..., max_error: float | None = ...,
        approximate: bool | None = ..., checkpoint: Path | None = ..., checkpoint_every: int | None = ...,
        resume: bool | None = ..., spread: bool | None = ..., threads: int | None = ..., verify: bool = ...,
        progress: Progress | None = ...
    ) -> Result: ...
    def bipartite(
        self, *, device: str | None = ..., plan: str | None = ..., profile: bool | None = ...,
        keep_source: Path | None = ..., memory_limit: int | str | None = ..., max_error: float | None = ...,
        approximate: bool | None = ..., checkpoint: Path | None = ..., checkpoint_every: int | None = ...,
        resume: bool | None = ..., spread: bool | None = ..., threads: int | None = ..., verify: bool = ...,
        progress: Progress | None = ...
    ) -> Result: ...
    def toposort(
        self, *, parents: bool | None = ..., weighted: bool | None = ..., device: str | None = ...,
        plan: str | None = ..., profile: bool | None = ..., keep_source: Path | None = ...,
        memory_limit: int | str | None = ..., max_error: float | None = ..., approximate: bool | None = ...,
        checkpoint: Path | None = ..., checkpoint_every: int | None = ..., resume: bool | None = ...,
        spread: bool | None = ..., threads: int | None = ..., verify: bool = ..., progress: Progress | None = ...
    ) -> Result: ...
    def tc(
        self, *, device: str | None = ..., plan: str | None = ..., profile: bool | None = ...,
        keep_source: Path | None = ..., memory_limit: int | str | None = ..., max_error: float | None = ...,
        approximate: bool | None = ..., checkpoint: Path | None = ..., checkpoint_every: int | None = ...,
        resume: bool | None = ..., spread: bool | None = ..., threads: int | None = ..., verify: bool = ...,
        progress: Progress | None = ...
    ) -> Result: ...
    def lcc(
        self, *, device: str | None = ..., plan: str | None = ..., profile: bool | None = ...,
        keep_source: Path | None = ..., memory_limit: int | str | None = ..., max_error: float | None = ...,
        approximate: bool | None = ..., checkpoint: Path | None = ..., checkpoint_every: int | None = ...,
        resume: bool | None = ..., spread: bool | None = ..., threads: int | None = ..., verify: bool = ...,
        progress: Progress | None = ...
    ) -> Result: ...
    def similar(
        self, source: Any = ..., *, pairs: Any = ..., sources: Any = ..., top: int | None = ...,
        measure: Literal['jaccard', 'overlap', 'cosine', 'adamic_adar', 'resources', 'attachment'] | None = ...,
        not_neighbours: bool | None = ..., min_degree: int | None = ..., device: str | None = ...,
        plan: str | None = ..., profile: bool | None = ..., keep_source: Path | None = ...,
        memory_limit: int | str | None = ..., max_error: float | None = ..., approximate: bool | None = ...,
        checkpoint: Path | None = ..., checkpoint_every: int | None = ..., resume: bool | None = ...,
        spread: bool | None = ..., threads: int | None = ..., verify: bool = ..., progress: Progress | None = ...
    ) -> Result: ...
    def kcore(
        self, *, device: str | None = ..., plan: str | None = ..., profile: bool | None = ...,
        keep_source: Path | None = ..., memory_limit: int | str | None = ..., max_error: float | None = ...,
        approximate: bool | None = ..., checkpoint: Path | None = ..., checkpoint_every: int | None = ...,
        resume: bool | None = ..., spread: bool | None = ..., threads: int | None = ..., verify: bool = ...,
        progress: Progress | None = ...
    ) -> Result: ...
    def truss(
        self, *, device: str | None = ..., plan: str | None = ..., profile: bool | None = ...,
        keep_source: Path | None = ..., memory_limit: int | str | None = ..., max_error: float | None = ...,
        approximate: bool | None = ..., checkpoint: Path | None = ..., checkpoint_every: int | None = ...,
        resume: bool | None = ..., spread: bool | None = ..., threads: int | None = ..., verify: bool = ...,
        progress: Progress | None = ...
    ) -> Result: ...
    def cdlp(
        self, *, max_iterations: int | None = ..., device: str | None = ..., plan: str | None = ...,
        profile: bool | None = ..., keep_source: Path | None = ..., memory_limit: int | str | None = ...,
        max_error: float | None = ..., approximate: bool | None = ..., checkpoint: Path | None = ...,
        checkpoint_every: int | None = ..., resume: bool | None = ..., spread: bool | None = ...,
        threads: int | None = ..., verify: bool = ..., progress: Progress | None = ...
    ) -> Result: ...
    def lpa(
        self, *, seed: int | None = ..., max_iterations: int | None = ..., device: str | None = ...,
        plan: str | None = ..., profile: bool | None = ..., keep_source: Path | None = ...,
        memory_limit: int | str | None = ..., max_error: float | None = ..., approximate: bool | None = ...,
        checkpoint: Path | None = ..., checkpoint_every: int | None = ..., resume: bool | None = ...,
        spread: bool | None = ..., threads: int | None = ..., verify: bool = ..., progress: Progress | None = ...
    ) -> Result: ...
    def louvain(
        self, *, weighted: bool | None = ..., resolution: float | None = ..., seed: int | None = ...,
        max_iterations: int | None = ..., device: str | None = ..., plan: str | None = ...,
        profile: bool | None = ..., keep_source: Path | None = ..., memory_limit: int | str | None = ...,
        max_error: float | None = ..., approximate: bool | None = ..., checkpoint: Path | None = ...,
        checkpoint_every: int | None = ..., resume: bool | None = ..., spread: bool | None = ...,
        threads: int | None = ..., verify: bool = ..., progress: Progress | None = ...
    ) -> Result: ...
    def leiden(
        self, *, weighted: bool | None = ..., resolution: float | None = ..., seed: int | None = ...,
        max_iterations: int | None = ..., device: str | None = ..., plan: str | None = ...,
        profile: bool | None = ..., keep_source: Path | None = ..., memory_limit: int | str | None = ...,
        max_error: float | None = ..., approximate: bool | None = ..., checkpoint: Path | None = ...,
        checkpoint_every: int | None = ..., resume: bool | None = ..., spread: bool | None = ...,
        threads: int | None = ..., verify: bool = ..., progress: Progress | None = ...
    ) -> Result: ...
    def walks(
        self, source: Any = ..., *, sources: Any = ..., walks: int | None = ..., length: int | None = ...,
        weighted: bool | None = ..., p: float | None = ..., q: float | None = ..., seed: int | None = ...,
        device: str | None = ..., plan: str | None = ..., profile: bool | None = ..., keep_source: Path | None = ...,
        memory_limit: int | str | None = ..., max_error: float | None = ..., approximate: bool | None = ...,
        checkpoint: Path | None = ..., checkpoint_every: int | None = ..., resume: bool | None = ...,
        spread: bool | None = ..., threads: int | None = ..., verify: bool = ..., progress: Progress | None = ...
    ) -> Result: ...
    def hs(
        self, *, rate: float | None = ..., initial: Any = ..., fixed: Any = ..., tolerance: float | None = ...,
        max_iterations: int | None = ..., precision: Literal['default', 'single', 'double'] | None = ...,
        device: str | None = ..., plan: str | None = ..., profile: bool | None = ..., keep_source: Path | None = ...,
        memory_limit: int | str | None = ..., max_error: float | None = ..., approximate: bool | None = ...,
        checkpoint: Path | None = ..., checkpoint_every: int | None = ..., resume: bool | None = ...,
        spread: bool | None = ..., threads: int | None = ..., verify: bool = ..., progress: Progress | None = ...
    ) -> Result: ...
    def cs(
        self, *, initial: Any = ..., fixed: Any = ..., tolerance: float | None = ...,
        max_iterations: int | None = ..., precision: Literal['default', 'single', 'double'] | None = ...,
        device: str | None = ..., plan: str | None = ..., profile: bool | None = ..., keep_source: Path | None = ...,
        memory_limit: int | str | None = ..., max_error: float | None = ..., approximate: bool | None = ...,
        checkpoint: Path | None = ..., checkpoint_every: int | None = ..., resume: bool | None = ...,
        spread: bool | None = ..., threads: int | None = ..., verify: bool = ..., progress: Progress | None = ...
    ) -> Result: ...
    def nn(
        self, *, initial: Any = ..., fixed: Any = ..., tolerance: float | None = ...,
        max_iterations: int | None = ..., precision: Literal['default', 'single', 'double'] | None = ...,
        device: str | None = ..., plan: str | None = ..., profile: bool | None = ..., keep_source: Path | None = ...,
        memory_limit: int | str | None = ..., max_error: float | None = ..., approximate: bool | None = ...,
        checkpoint: Path | None = ..., checkpoint_every: int | None = ..., resume: bool | None = ...,
        spread: bool | None = ..., threads: int | None = ..., verify: bool = ..., progress: Progress | None = ...
    ) -> Result: ...
    def pagerank(
        self, source: Any = ..., *, sources: Any = ..., each: bool | None = ..., damping: float | None = ...,
        tolerance: float | None = ..., max_iterations: int | None = ..., personalization: Any = ...,
        weighted: bool | None = ..., precision: Literal['default', 'single', 'double'] | None = ...,
        device: str | None = ..., plan: str | None = ..., profile: bool | None = ..., keep_source: Path | None = ...,
        memory_limit: int | str | None = ..., max_error: float | None = ..., approximate: bool | None = ...,
        checkpoint: Path | None = ..., checkpoint_every: int | None = ..., resume: bool | None = ...,
        spread: bool | None = ..., threads: int | None = ..., verify: bool = ..., progress: Progress | None = ...
    ) -> Result: ...
    def betweenness(
        self, source: Any = ..., *, sources: Any = ..., samples: int | None = ..., seed: int | None = ...,
        normalized: bool | None = ..., precision: Literal['default', 'single', 'double'] | None = ...,
        confidence: float | None = ..., top: int | None = ..., device: str | None = ..., plan: str | None = ...,
        profile: bool | None = ..., keep_source: Path | None = ..., memory_limit: int | str | None = ...,
        max_error: float | None = ..., approximate: bool | None = ..., checkpoint: Path | None = ...,
        checkpoint_every: int | None = ..., resume: bool | None = ..., spread: bool | None = ...,
        threads: int | None = ..., verify: bool = ..., progress: Progress | None = ...
    ) -> Result: ...
    def components(
        self, *, device: str | None = ..., plan: str | None = ..., profile: bool | None = ...,
        keep_source: Path | None = ..., memory_limit: int | str | None = ..., max_error: float | None = ...,
        approximate: bool | None = ..., checkpoint: Path | None = ..., checkpoint_every: int | None = ...,
        resume: bool | None = ..., spread: bool | None = ..., threads: int | None = ..., verify: bool = ...,
        progress: Progress | None = ...
    ) -> Result: ...

def generate(

    kind: Literal['rmat', 'uniform', 'grid', 'road', 'smallworld', 'barabasi', 'blockmodel', 'configuration', 'star', 'path', 'clique', 'tree'] = ...,
    *, scale: int | None = ..., vertices: int | None = ..., degree: float | None = ..., a: float | None = ...,
    b: float | None = ..., c: float | None = ..., scramble: bool | None = ..., weighted: bool | None = ...,
    weight_min: float | None = ..., weight_max: float | None = ..., weight_real: bool | None = ...,
    seed: int | None = ..., width: int | None = ..., height: int | None = ..., depth: int | None = ...,
    probability: float | None = ..., blocks: Any = ..., block_sizes: Any = ..., rates: Any = ..., degrees: Any = ...,
    degrees_of: Any = ..., branching: int | None = ..., symmetrize: bool | None = ..., drop_loops: bool | None = ...,
    drop_isolated: bool | None = ..., duplicates: Literal['keep', 'first', 'min', 'max', 'sum', 'mean'] | None = ...,
    memory_limit: int | str | None = ..., spill: Path | None = ..., threads: int | None = ...,
    progress: Progress | None = ...
) -> Graph: ...

class BuildOptions(TypedDict, total=False):
    symmetrize: bool | None
    drop_loops: bool | None
    drop_isolated: bool | None
    duplicates: Literal['keep', 'first', 'min', 'max', 'sum', 'mean'] | None
    memory_limit: int | str | None
    spill: Path | None

class MakeOptions(BuildOptions, total=False):
    threads: int | None
    progress: Progress | None

class EdgeOptions(MakeOptions, total=False):
    vertices: int | None

class LoadOptions(BuildOptions, total=False):
    format: str | None
    vertices: int | None
    weight_column: int | Literal['auto', 'none'] | None
    ids: Literal['auto', 'integer', 'string'] | None
    header: Literal['auto', 'no', 'yes'] | bool | None
    columns: str | None
    delimiter: str | None
    vertices_from: Path | None
    weight_type: Literal['none', 'u32', 'i32', 'f32', 'i64', 'f64'] | None

class SaveOptions(TypedDict, total=False):
    format: str | None
    lossy: bool | None
    in_edges: bool | None
    level: int | None
    order: str | None
    memory_limit: int | str | None
    packed: bool | None

class SubgraphOptions(TypedDict, total=False):
    min_degree: int | None
    max_degree: int | None
    min_weight: float | None
    max_weight: float | None
    drop_isolated: bool | None
    memory_limit: int | str | None
    spill: Path | None
    vertex_share: float | None
    edge_share: float | None
    seed: int | None
