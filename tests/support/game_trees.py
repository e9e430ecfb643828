"""Trees made by hypothesis."""

from hypothesis import strategies as st

from sssnake.engine.lab.trees.trees import Nested, NestedTree

LEAVES = st.one_of(st.integers(-3, 3), st.integers(-(10**9), 10**9))


def trees(max_leaves: int = 40) -> st.SearchStrategy[NestedTree]:
    """Irregular trees with single children, early leaves and heavy ties."""
    inner: st.SearchStrategy[Nested] = st.recursive(
        LEAVES, lambda children: st.lists(children, min_size=1, max_size=4), max_leaves=max_leaves
    )
    return st.lists(inner, min_size=1, max_size=4).map(NestedTree)
