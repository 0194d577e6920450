"""Calls in coroutines: each model is searched for in a thread."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._asp import Model, Solve


async def step(solve: Solve) -> Model:
    """The next model of a call."""
    search = asyncio.get_running_loop().run_in_executor(None, solve._next)
    try:
        model = await asyncio.shield(search)
    except asyncio.CancelledError:
        solve.cancel()
        await asyncio.wait([search])
        raise
    if model is None:
        raise StopAsyncIteration
    return model
