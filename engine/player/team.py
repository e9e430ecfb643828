"""One bracket, many threads: the threads of a team serve the same iteration of SSS*, each with another gamma.

Whoever ends a pass narrows the bracket for all. A pass whose gamma has fallen outside of it gives up. Where
no gamma is left that would tell much, a thread begins the next iteration, or helps another one.
"""

import threading
from collections.abc import Callable, Sequence
from itertools import pairwise

from _fast.drivers.sharing import SharedRoots
from _fast.search import root
from _fast.search.worker import Worker
from _fast.values import INFINITE
from engine.player.drivers import TOP, DriverParameters, Iteration, Pass, Stopped

MOST = 16  # threads of a team
ALONE = 5  # plies: shallower iterations end before another thread has begun
PASSES = 60  # of an iteration: then what is proved counts, for the bracket of a mate can swing for ever
AHEAD = 4  # threads: from here on half of them serve the next iteration
STACK = 16 << 20  # bytes, of a thread
NARROW = 2  # centipawns: a gap between two gammas that is not worth another one


class SharedIteration(Iteration):
    """An iteration that a team serves. All methods are called under the team's lock."""

    def __init__(self, worker: Worker, depth: int, guess: int, swing: float, parameters: DriverParameters):
        super().__init__(worker, depth, guess, swing=swing, parameters=parameters)
        self.roots = SharedRoots()
        self.asked: dict[int, int] = {}  # gammas under way, by number of the thread
        self.set_out()

    def set_out(self) -> None:
        """Choose by guess and swing, which have changed."""
        margin = self.stride(self.parameters.margin, self.parameters.margin_swing)
        self.second: int | None = self.guess + margin if margin else None
        self.size = max(1, self.stride(self.parameters.step, self.parameters.step_swing))

    def live(self) -> list[int]:
        """The gammas under way that are inside the bracket, sorted."""
        return sorted(gamma for gamma in self.asked.values() if self.lower < gamma <= self.upper)

    def choose(self, threads: int) -> int | None:
        """A gamma that nobody asks for; None: nothing worth while."""
        asked = self.live()
        if self.lower == -INFINITE and self.upper == INFINITE:
            return None if asked else TOP  # the first pass, from the top
        if self.lower > TOP or self.upper < -TOP:  # a mate: its length, step by step
            return None if asked else self.lower + 1 if self.lower > TOP else self.upper
        if self.second is not None and self.lower < self.second <= self.upper:
            gamma, self.second = self.second, None
            return gamma
        if self.lower == -INFINITE:
            above = asked[-1] + self.size if asked else INFINITE
            if len(asked) % 2 == 0 and above <= self.upper:
                return above
            return max(-TOP, (asked[0] if asked else self.upper) - self._stride())
        if self.upper == INFINITE:
            return min(TOP, (asked[-1] if asked else self.lower) + self._stride())
        return self._split(asked, threads)

    def _split(self, asked: list[int], threads: int) -> int | None:
        """A gamma between the bounds: the widest gap is divided, if need be from the side that moved last."""
        points = [self.lower, *asked, self.upper + 1]
        gap, low = max((high - low, low) for low, high in pairwise(points))
        if asked and gap <= max(NARROW, self._tolerance()):
            return None
        parts = 2 if asked else threads + 1
        gamma = low + max(1, gap * (parts - 1) // parts)
        last = self.passes[-1]
        if last.value >= last.gamma:
            return min(gamma, low + self._stride()) if gamma > low + self.size else gamma
        high = low + gap
        return max(gamma, high - self._stride()) if gamma < high - self.size else gamma

    def _stride(self) -> int:
        """The next step; the one after it is twice as large."""
        size = self.size
        self.size = min(2 * size, max(1, self.parameters.step_max))
        return size

    def take(self, worker: Worker, gamma: int, value: int, nodes: int) -> None:
        """Take over what a pass of this worker has proved."""
        failed_high = value >= gamma
        self.roots.merge(worker, failed_high)
        self.narrow(gamma, value, nodes)
        if failed_high and self.parameters.best:
            self.decided = self.roots.unrivalled()

    def closed(self) -> bool:
        """See Iteration; the number of passes has a limit."""
        return super().closed() or (len(self.passes) >= PASSES and self.lower > -INFINITE)

    def leader(self) -> tuple[int, float]:
        """See Iteration."""
        return self.roots.leader()

    def tell(self) -> None:
        """Tell of the passes that nobody was told of: the main thread does, without the lock."""
        while self.told < len(self.passes):
            self._tell(self.passes[self.told])

    def _lead_with_best(self) -> None:
        self.roots.lead_with_best()

    def _note(self, done: Pass) -> None:
        self.passes.append(done)


class Team:
    """Threads that search one position. The first worker is the caller's, who runs the iterations.

    deepest: the last iteration's depth. ahead: whether idle threads begin the next iteration. wait: what a
    thread does that has nothing to do, given its number; None: it sleeps until there may be something.
    """

    def __init__(
        self,
        workers: Sequence[Worker],
        parameters: DriverParameters,
        deepest: int,
        ahead: bool = True,
        wait: Callable[[int], None] | None = None,
    ):
        self.workers = workers
        self.parameters = parameters
        self.deepest = deepest
        self.ahead = ahead
        self.over = False
        self._front: SharedIteration | None = None  # the iteration under way
        self._next: SharedIteration | None = None  # the one after it
        self._changed = threading.Condition()
        self._wait = wait
        self._threads: list[threading.Thread] = []

    # For the main thread.

    def start(self) -> None:
        """Start a thread for every worker but the first, so far as the system gives some."""
        usual = threading.stack_size(STACK)
        try:
            for number in range(1, len(self.workers)):
                thread = threading.Thread(target=self.help, args=(number,), name="team", daemon=True)
                thread.start()
                self._threads.append(thread)
        except RuntimeError:
            pass  # fewer do
        finally:
            threading.stack_size(usual)

    def iteration(self, depth: int, guess: int, swing: float) -> SharedIteration:
        """The iteration of a depth at the main worker's root moves; perhaps it has been begun already."""
        main = self.workers[0]
        with self._changed:
            found, self._next = self._next, None
            if found is None or found.depth != depth or main.root_first:
                found = SharedIteration(main, depth, guess, swing, self.parameters)
                found.roots.begin(main)
            found.guess, found.swing = guess, swing
            if len(found.passes) < 2:
                found.set_out()
            return found

    def drive(self, it: SharedIteration) -> None:
        """All threads' passes, until the bracket closes. Raises Stopped."""
        with self._changed:
            self._front = it
            self._changed.notify_all()
        self._serve(0)
        it.tell()
        with self._changed:
            self._front = None
            if not it.closed():
                raise Stopped
            it.roots.lend(self.workers[0], it.depth, nodes=True)
            self.workers[0].resume()

    def finish(self) -> None:
        """The search is over: all threads end."""
        with self._changed:
            self.over = True
            for worker in self.workers:
                worker.give_up()
            self._changed.notify_all()

    def join(self) -> None:
        """Wait until they have."""
        for thread in self._threads:
            thread.join()

    # For all threads.

    def help(self, number: int) -> None:
        """What a thread does that is not the main one."""
        self.workers[number].new_iteration(1)
        self._serve(number)

    def _serve(self, number: int) -> None:
        """Pass after pass: the main thread until the iteration is closed, others until the search is over."""
        worker = self.workers[number]
        while True:
            with self._changed:
                job = self._job(number)
                if job is None:
                    return
                it, gamma = job
                it.asked[number] = gamma
                it.roots.lend(worker, it.depth)
                worker.resume()
                worker.set_learning(it.is_learning(gamma))
                before = worker.nodes
            value = root.mt(worker, gamma, it.depth)
            if number == 0:
                it.tell()
            with self._changed:
                del it.asked[number]
                if worker.stopped and not worker.gave_up:
                    self._changed.notify_all()  # the main thread may wait for this pass
                    return
                if worker.gave_up or it.closed():  # late: a contradiction would open it again
                    it.roots.count_nodes(worker)
                else:
                    self._take(it, worker, gamma, value, worker.nodes - before)

    def _job(self, number: int) -> tuple[SharedIteration, int] | None:
        """The next pass of a thread: iteration and gamma. None: the thread's work is done."""
        while not self.over:
            front = self._front
            if front is not None and front.closed():
                front = None
            if front is None and number == 0:
                return None
            job = self._choose(front, number)
            if job is not None:
                return job
            if self._wait is None:
                self._changed.wait()
            else:
                self._changed.release()
                self._wait(number)
                self._changed.acquire()
        return None

    def _choose(self, front: SharedIteration | None, number: int) -> tuple[SharedIteration, int] | None:
        """A gamma of this iteration, or of the next one, or one that another thread asks for."""
        threads = len(self.workers)
        room = threads if threads < AHEAD else (threads + 1) // 2
        live = [] if front is None else front.live()
        if front is not None and len(live) < room:
            gamma = front.choose(room)
            if gamma is not None:
                return front, gamma
        following = self._following(front)
        if following is not None and number and not following.closed():
            gamma = following.choose(threads - room + 1)
            if gamma is not None:
                return following, gamma
        if front is not None and front.passes and live:
            return front, live[len(live) // 2]
        return None

    def _following(self, front: SharedIteration | None) -> SharedIteration | None:
        """The iteration after this one."""
        if self._next is None and self.ahead and front is not None and front.depth < self.deepest:
            guess = front.guess if front.lower == -INFINITE else front.lower
            self._next = SharedIteration(front.worker, front.depth + 1, guess, front.swing, self.parameters)
            self._next.roots.follow(front.roots)
        return self._next

    def _take(self, it: SharedIteration, worker: Worker, gamma: int, value: int, nodes: int) -> None:
        """Narrow the bracket; passes that ask outside of it give up."""
        it.take(worker, gamma, value, nodes)
        closed = it is self._front and it.closed()
        for number, other in it.asked.items():
            if closed or not it.lower < other <= it.upper:
                self.workers[number].give_up()
        self._changed.notify_all()
