"""Demand-driven incremental computation: inputs, queries, and dependency edges in both directions.

A query is a function of a key. It reads inputs and other queries through the database, which records each
read as a dependency. Setting an input to a different value marks its transitive readers as suspect, up to
the next firewall (see `Query`), and computes nothing. A node that is not suspect returns its memo at once.
A suspect is verified when it is next requested: it is recomputed only if a dependency has really changed. If
the new value equals the old one, the readers of the query stay valid (early cutoff).

Invariants:

- A query's value is a pure function of what it read through the database; values are immutable.
- Once the firewalls are verified, a node that is not suspect has no suspect among its dependencies.
- An exception stores nothing: the query is recomputed at the next request.

There are no durability classes: with reader edges, an unchanged input costs nothing, however many queries
depend on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, MutableSet, Sequence
from typing import Any, Generic, TypeVar, cast

from openclsp.semantics.database.query_node import NEVER, QueryNode

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
L = TypeVar("L", bound=Hashable)
W = TypeVar("W")


_LEAST_NODES = 20_000


class Input(Generic[K, V]):
    """A kind of input cell, indexed by key.

    - `absent`: the value of a cell that was never set.
    - `external`: readers get the value elsewhere and only register the dependency (`depend_on`), so a cell
      exists only if some query depends on it.
    - `published`: an analysis of the whole unit sets the cells. Its state is not part of the database, so a
      copy of the database begins without these cells.
    """

    __slots__ = ("absent", "external", "name", "published")

    def __init__(self, name: str, absent: V, *, external: bool = False, published: bool = False) -> None:
        self.name, self.absent, self.external, self.published = name, absent, external, published


class Query(Generic[K, V]):
    """A kind of derived value. `cycle` is the value returned if the computation depends on itself.

    A value of a `transient` query may refer to the context and is not copied with the database: see `copy`.

    A `firewall` has many readers and a value that rarely changes. A suspect firewall is verified before any
    top-level request is answered, and its readers become suspect only if its value has changed. A firewall
    must not read other firewalls.
    """

    __slots__ = ("compute", "cycle", "firewall", "name", "transient")

    def __init__(
        self,
        name: str,
        compute: Callable[[Any, K], V],
        cycle: V,
        *,
        firewall: bool = False,
        transient: bool = False,
    ) -> None:
        self.name, self.compute, self.cycle, self.firewall = name, compute, cycle, firewall
        self.transient = transient


class QueryDatabase:
    """The memo tables of one translation unit. `context` is passed to every query."""

    def __init__(self, context: object) -> None:
        self._context = context
        self._nodes: dict[object, dict[Hashable, QueryNode]] = {}
        self._count = 0
        """The number of nodes."""
        self._revision = 0
        self._reading: list[dict[QueryNode, None]] = []
        self._watched: dict[Query[Any, Any], set[Any]] = {}
        self._suspect_firewalls: dict[QueryNode, None] = {}
        self._retired: dict[Hashable, list[QueryNode]] = {}
        self._kept_nodes = 0
        self.computed: Counter[str] = Counter()
        """The number of computations by query name, which tests count."""
        self.checkpoint: Callable[[], None] = lambda: None
        """Called before each computation; raises if the work is superseded."""

    def set(self, kind: Input[K, V], key: K, value: V) -> None:
        """Sets an input; its transitive readers become suspect if the value differs.

        If an edit is undone, the input gets back the value before the last one (`node.before`), and the revision
        `since` at which that value was first set. So a reader that was last verified with this value is found
        unchanged. A reader that was verified with the value in between is not: it has seen another value.
        """
        node = self._get_or_create_node(kind, key)
        if node.changed >= 0 and node.value == value:
            return
        self._revision += 1
        before, since = node.before
        node.before = node.value, node.changed
        if since < 0 or before != value:
            since = self._revision
        else:
            for reader in node.readers:
                # verified with the value in between, so that `since` must be later than the verification
                if reader.verified >= node.changed:
                    reader.verified = min(reader.verified, since - 1)
        node.value, node.changed = value, since
        self._mark_readers_suspect(node)

    def read(self, kind: Input[K, V], key: K) -> V:
        """Returns an input's value and records the dependency, even if the input was never set."""
        node = self._get_or_create_node(kind, key)
        if self._reading:
            self._reading[-1][node] = None
        return cast(V, node.value)

    def depend_on(self, kind: Input[K, V], key: K, value: V) -> None:
        """Records a dependency on an input whose value the caller knows (see `Input.external`)."""
        node = self._get_or_create_node(kind, key)
        if node.changed < 0:
            node.value = value
        if self._reading:
            self._reading[-1][node] = None

    def set_if_read(self, kind: Input[K, V], key: K, value: V) -> None:
        """Sets an input only if some query depends on it."""
        node = self._find_node(kind, key)
        if node is not None and node.value != value:
            self.set(kind, key, value)

    def get(self, kind: Query[K, V], key: K) -> V:
        """Returns a query's value, recomputing it only if a dependency has changed."""
        node = self._get_or_create_node(kind, key)
        if self._reading:
            self._reading[-1][node] = None
        elif self._suspect_firewalls:
            self._verify_firewalls()
        if node.running or node.verifying:
            return kind.cycle
        if node.verified < 0 or node.suspect:
            self._bring_up_to_date(node)
        return cast(V, node.value)

    def prepare(self, kind: Query[K, V], keys: Sequence[K]) -> None:
        """Computes the query `kind` for these keys in order, so that later reads find the results.

        Records no dependencies of the running query. Does nothing if the result for the last key is up to
        date.
        """
        last = self._find_node(kind, keys[-1])
        if last is not None and last.verified >= 0 and not last.suspect:
            return
        self._reading.append({})
        try:
            for key in keys:
                self.get(kind, key)
        finally:
            self._reading.pop()

    def inherit_dependencies(self, kind: Query[K, V], key: K) -> bool:
        """Adds all dependencies of another query to the running query.

        Used if the running query continues the computation of the other one. Returns False if the other query
        has no memo or is suspect.
        """
        node = self._find_node(kind, key)
        if node is None or node.verified < 0 or node.suspect:
            return False
        if self._reading:
            self._reading[-1].update(dict.fromkeys(node.dependencies))
        return True

    def reuse_dependencies(self, kind: Query[K, V], key: K, value: V, changed: Input[L, W], at: L) -> bool:
        """Gives the running query the dependencies of its previous run; returns whether this was possible.

        The running query is `kind` with the key `key`; it computes its new value by patching its previous
        value, so it need not read its dependencies again. Returns False if the previous value is not the
        object `value`, or if any dependency has changed except the input `changed` with the key `at`. The
        query must then be computed as usual.
        """
        node = self._find_node(kind, key)
        if node is None or node.verified < 0 or node.value is not value:
            return False
        # the caller handles the change of this input itself, by patching the value
        changed_input = self._find_node(changed, at)
        for read in node.dependencies:
            if isinstance(read.kind, Query) and (read.verified < 0 or read.suspect) and not read.running:
                if read.verifying:
                    return False
                self._bring_up_to_date(read)
            if read.changed > node.verified and read is not changed_input:
                return False
        if self._reading:
            self._reading[-1].update(dict.fromkeys(node.dependencies))
        return True

    def watch(self, kind: Query[K, V]) -> MutableSet[K]:
        """Returns the set of keys of this kind that became suspect; the caller clears it.

        Recording begins with the first call. Keys that were never computed are not recorded.
        """
        self._verify_firewalls()
        return self._watched.setdefault(kind, set())

    def suspend_firewalls(self, key: Hashable) -> None:
        """Stops verifying the firewall queries of a deleted item.

        Their memos are kept, because an undo may restore the item.
        """
        self._retired.setdefault(key, [])

    def resume_firewalls(self, key: Hashable) -> None:
        """Ends `suspend_firewalls` for this key, because its item exists again."""
        for node in self._retired.pop(key, ()):
            self._suspect_firewalls[node] = None

    def sweep(self) -> None:
        """Deletes nodes without readers: external inputs, inputs with the `absent` value, suspect queries.

        To be called between edits. Does nothing while there are at most `_LEAST_NODES` nodes, or at most
        twice as many as after the last sweep (before the first sweep: at the first call).
        """
        if not self._kept_nodes:
            self._kept_nodes = max(2 * self._count, _LEAST_NODES)
        if self._count <= self._kept_nodes:
            return
        todo = [node for nodes in self._nodes.values() for node in nodes.values()]
        while todo:
            node = todo.pop()
            kind = node.kind
            if node.readers or (
                not kind.external and node.value != kind.absent
                if isinstance(kind, Input)
                else not node.suspect
            ):
                continue
            if self._nodes[kind].pop(node.key, None) is not None:
                self._count -= 1
                self._suspect_firewalls.pop(node, None)
                if node in self._retired.get(node.key, ()):
                    self._retired[node.key].remove(node)
                todo.extend(node.dependencies)
                self._detach(node)
        self._retired = {key: nodes for key, nodes in self._retired.items() if nodes}
        self._kept_nodes = max(2 * self._count, _LEAST_NODES)

    def forget_previous_inputs(self) -> None:
        """Forgets the previous value of each input, so that restoring this value counts as a change."""
        for kind, nodes in self._nodes.items():
            if isinstance(kind, Input):
                for node in nodes.values():
                    node.before = NEVER

    def copy(self, context: object) -> QueryDatabase:
        """Returns a database for another context that begins with the inputs and memos of this one.

        The values are shared, except those of transient queries, which begin with their `cycle` values.
        Published inputs are not copied. To be called only while no query runs.
        """
        made = QueryDatabase(context)
        made._count, made._revision, made._kept_nodes = self._count, self._revision, self._kept_nodes
        copies: dict[QueryNode, QueryNode] = {}
        for kind, nodes in self._nodes.items():
            own = made._nodes[kind] = {key: QueryNode(node.kind, key) for key, node in nodes.items()}
            copies.update(zip(nodes.values(), own.values(), strict=True))
        for node, copy in copies.items():
            copy.copy_memo(node)
            if isinstance(node.kind, Query) and node.kind.transient and node.verified >= 0:
                copy.value = node.kind.cycle
            copy.dependencies = tuple([copies[each] for each in node.dependencies])
            readers = [copies[each] for each in node.readers]
            copy.readers = set(readers) if isinstance(node.readers, set) else tuple(readers)
        made._suspect_firewalls = {copies[node]: None for node in self._suspect_firewalls}
        made._retired = {key: [copies[node] for node in nodes] for key, nodes in self._retired.items()}
        for kind, cells in made._nodes.items():
            if isinstance(kind, Input) and kind.published:
                for key, cell in cells.items():
                    if cell.value != kind.absent:
                        made.set(kind, key, kind.absent)
        return made

    def close(self) -> None:
        """Deletes all nodes; the database must not be used afterwards.

        Without this, only a full collection by Python's cyclic garbage collector would free the nodes,
        because nodes and their readers form reference cycles.
        """
        for nodes in self._nodes.values():
            for node in nodes.values():
                node.dependencies, node.readers, node.value = (), (), None
        self._nodes.clear()
        self._count = 0
        self._watched.clear()
        self._suspect_firewalls.clear()
        self._retired.clear()
        self._context = None

    def _get_or_create_node(self, kind: Input[Any, Any] | Query[Any, Any], key: Hashable) -> QueryNode:
        nodes = self._nodes.get(kind)
        if nodes is None:
            nodes = self._nodes[kind] = {}
        found = nodes.get(key)
        if found is None:
            found = nodes[key] = QueryNode(kind, key)
            self._count += 1
            if isinstance(kind, Input):
                found.value = kind.absent
        return found

    def _find_node(self, kind: Input[Any, Any] | Query[Any, Any], key: Hashable) -> QueryNode | None:
        nodes = self._nodes.get(kind)
        return None if nodes is None else nodes.get(key)

    def _mark_readers_suspect(self, changed: QueryNode) -> None:
        """Marks the transitive readers of `changed` as suspect, but not those of a firewall query."""
        todo = list(changed.readers)
        while todo:
            node = todo.pop()
            if not node.suspect:
                node.suspect = True
                kind = cast("Query[Any, Any]", node.kind)
                if kind.firewall:
                    self._suspect_firewalls[node] = None
                    continue
                todo.extend(node.readers)
                watched = self._watched.get(kind)
                if watched is not None:
                    watched.add(node.key)

    def _verify_firewalls(self) -> None:
        """Verifies the suspect firewall queries; those whose values changed make their readers suspect."""
        while self._suspect_firewalls:
            node = next(iter(self._suspect_firewalls))
            retired = self._retired.get(node.key)
            if retired is not None:
                retired.append(node)
            elif node.suspect:
                self._bring_up_to_date(node)
            del self._suspect_firewalls[node]

    def _bring_up_to_date(self, node: QueryNode) -> None:
        """Verifies a node, or recomputes it and replaces its dependencies."""
        if node.verified >= 0 and not self._really_changed(node):
            node.suspect, node.verified = False, self._revision
            return
        self.checkpoint()
        query = cast("Query[Any, Any]", node.kind)
        reads: dict[QueryNode, None] = {}
        self._reading.append(reads)
        node.running = True
        try:
            value = query.compute(self._context, node.key)
        finally:
            node.running = False
            self._reading.pop()
        self.computed[query.name] += 1
        self._detach(node)
        node.dependencies = tuple(reads)
        for read in node.dependencies:
            read.read_by(node)
        known = node.verified >= 0
        if not known or value != node.value:
            node.value, node.changed = value, self._revision
            if known and query.firewall:
                self._mark_readers_suspect(node)
        node.verified, node.suspect = self._revision, False

    def _really_changed(self, node: QueryNode) -> bool:
        """Whether a dependency has changed since the node was verified. Suspect dependencies are updated
        first.
        """
        node.verifying = True
        try:
            for read in node.dependencies:
                if isinstance(read.kind, Query) and (read.verified < 0 or read.suspect) and not read.running:
                    if read.verifying:
                        # a dependency cycle: recompute, so that the value equals the one obtained by
                        # requesting the other query first
                        return True
                    self._bring_up_to_date(read)
                if read.changed > node.verified:
                    return True
            return False
        finally:
            node.verifying = False

    def _detach(self, node: QueryNode) -> None:
        """Removes the edges from a node to its dependencies."""
        for read in node.dependencies:
            read.not_read_by(node)
        node.dependencies = ()
