"""Threads, forks, signals: an evaluation inside a training job must not hang, crash or differ."""

import multiprocessing
import os
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import soundeval as se
from soundeval import _core

CLASSES = ["Dog", "Speech", "Cat"]
SETTINGS = {"timestamps": np.arange(2001) * 0.02, "event_classes": CLASSES, **se.scenarios.PSDS2}


@pytest.fixture(scope="module")
def clips():
    """Enough work for several threads, with something to find for each class."""
    rng = np.random.default_rng(7)
    scores = {f"clip{i}": rng.random((2000, 3), dtype=np.float32) for i in range(30)}
    events = {
        clip: [(float(i % 7), 8.0 + i % 5, CLASSES[i % 3]), (12.0, 20.0, CLASSES[(i + 1) % 3])]
        for i, clip in enumerate(scores)
    }
    for i, clip in enumerate(scores):
        for onset, offset, label in events[clip]:
            frames = slice(int(onset * 50), int(offset * 50))
            scores[clip][frames, CLASSES.index(label)] += 0.5 + 0.1 * (i % 4)
    return scores, events, dict.fromkeys(scores, 40.0)


@pytest.fixture(autouse=True)
def _keep_threads():
    n_threads = _core.num_threads()
    yield
    se.set_num_threads(n_threads)


def evaluate(clips):
    """Everything that could differ, as bytes."""
    result = se.psds(*clips, **SETTINGS)
    curves = [result.curve.etpr, result.curve.efpr]
    for curve in result.curve.per_class.values():
        curves += [curve.tpr, curve.efpr, curve.thresholds]
    return b"".join(curve.tobytes() for curve in curves) + repr(result.value).encode()


def test_one_thread_and_many_give_the_same_bits(clips):
    results = set()
    for n_threads in [1, 2, 3, 8, 61, 1]:
        se.set_num_threads(n_threads)
        results.add(evaluate(clips))
    assert len(results) == 1


def test_the_order_of_clips_changes_no_bit(clips):
    scores, events, durations = clips
    backwards = (
        {clip: scores[clip] for clip in reversed(scores)},
        {clip: events[clip][::-1] for clip in sorted(events)},
        durations,
    )
    assert evaluate(backwards) == evaluate(clips)


def test_python_threads_evaluate_at_the_same_time(clips):
    expected = evaluate(clips)
    results = []
    threads = [threading.Thread(target=lambda: results.append(evaluate(clips))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert results == [expected] * 4


def _evaluate_into(queue, clips):
    queue.put(evaluate(clips))


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("n_threads", [1, 2])
def test_a_child_forked_after_a_parallel_call_computes_the_same(clips, n_threads):
    se.set_num_threads(n_threads)
    expected = evaluate(clips)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_evaluate_into, args=(queue, clips))
    child.start()
    assert queue.get(timeout=60) == expected
    child.join(60)
    assert child.exitcode == 0
    assert evaluate(clips) == expected


def test_other_python_threads_go_on_during_a_long_call():
    # 6 million frames keep the compiled part busy for a while; meanwhile Python counts.
    scores = {"day": np.random.default_rng(1).random((2_000_000, 3), dtype=np.float32)}
    truth = {"day": [(1.0, 2.0, name) for name in CLASSES]}
    edges = np.arange(2_000_001) * 0.02
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.002)

    ticker = threading.Thread(target=tick)
    ticker.start()
    start = time.perf_counter()
    criterion = se.Intersection(0.1, 0.1, 0.3)
    se.statistics(scores, truth, criterion, timestamps=edges, event_classes=CLASSES)
    end = time.perf_counter()
    stop.set()
    ticker.join()
    during = [at for at in ticks if start < at < end]
    # With the GIL held there would be one tick at most for each switch between Python and Rust.
    assert len(during) >= 10 * (end - start), f"{len(during)} ticks in {end - start:.2f} s"


def run_script(script, **environment):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.skipif(os.name != "posix", reason="SIGINT is sent as on POSIX systems")
@pytest.mark.parametrize("n_threads", ["1", "2"])
def test_ctrl_c_ends_a_long_call_within_half_a_second(n_threads):
    ended = run_script(
        """
        import os, signal, threading, time
        import numpy as np
        import soundeval as se

        scores = np.random.default_rng(0).random((3_000_000, 8), dtype=np.float32)
        classes = [f"c{i}" for i in range(8)]
        events = [(float(t), t + 3.0, classes[t % 8]) for t in range(0, 60_000, 7)]
        edges = np.arange(3_000_001) * 0.02
        sent = []
        # A shell lets its background jobs, and what they start, ignore it.
        signal.signal(signal.SIGINT, signal.default_int_handler)

        def interrupt():
            sent.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(0.4, interrupt)
        criterion = se.Intersection(0.1, 0.1, 0.3)
        timer.start()
        try:
            while True:
                se.statistics({"day": scores}, {"day": events}, criterion,
                              timestamps=edges, event_classes=classes)
        except KeyboardInterrupt:
            print("interrupted after", time.perf_counter() - sent[0])
        """,
        SOUNDEVAL_NUM_THREADS=n_threads,
    )
    assert ended.returncode == 0, ended.stderr
    words = ended.stdout.split()
    assert words[:2] == ["interrupted", "after"]
    assert float(words[2]) < 0.5


@pytest.mark.skipif(os.name != "posix", reason="SIGINT is sent as on POSIX systems")
def test_ctrl_c_ends_the_reading_of_one_large_file_within_half_a_second(tmp_path):
    path = tmp_path / "scores.tsv"
    row = "\t".join(["0.12345678901234567"] * 20)
    with path.open("w") as file:
        file.write("onset\toffset\t" + "\t".join(f"c{i}" for i in range(20)) + "\n")
        for start in range(0, 300_000, 1000):
            lines = (f"{frame}\t{frame + 1}\t{row}\n" for frame in range(start, start + 1000))
            file.write("".join(lines))
    ended = run_script(
        f"""
        import os, signal, threading, time
        import soundeval as se

        sent = []
        # A shell lets its background jobs, and what they start, ignore it.
        signal.signal(signal.SIGINT, signal.default_int_handler)

        def interrupt():
            sent.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)

        threading.Timer(0.1, interrupt).start()
        try:
            while True:
                se.read_scores({str(path)!r})
        except KeyboardInterrupt:
            print("interrupted after", time.perf_counter() - sent[0])
        """
    )
    assert ended.returncode == 0, ended.stderr
    assert float(ended.stdout.split()[2]) < 0.5


def test_the_number_of_threads_comes_from_the_environment():
    script = "import soundeval._core as core; print(core.num_threads())"
    assert run_script(script, SOUNDEVAL_NUM_THREADS="3").stdout.strip() == "3"
    for text in ["many", "0", "-1", "100000"]:
        nonsense = run_script(script, SOUNDEVAL_NUM_THREADS=text)
        assert nonsense.returncode == 0
        assert "SOUNDEVAL_NUM_THREADS must be a number of threads" in nonsense.stderr
        assert int(nonsense.stdout) == (os.cpu_count() or 1) or int(nonsense.stdout) < 1024


def test_importing_starts_no_thread_and_loads_nothing_heavy():
    ended = run_script(
        """
        import sys, threading
        import soundeval
        heavy = {"pandas", "polars", "matplotlib", "rich", "click", "torch", "scipy"}
        print(sorted(heavy & set(sys.modules)), threading.active_count())
        """
    )
    assert ended.stdout.strip() == "[] 1", ended.stderr


def test_inputs_are_left_as_they_were(clips):
    scores, events, durations = clips
    before = {clip: array.tobytes() for clip, array in scores.items()}
    frozen = {clip: array.copy() for clip, array in scores.items()}
    for array in frozen.values():
        array.setflags(write=False)
    assert evaluate((frozen, events, durations)) == evaluate(clips)
    assert {clip: array.tobytes() for clip, array in scores.items()} == before


@pytest.mark.parametrize(
    "arrange",
    [
        np.asfortranarray,
        lambda array: np.repeat(array, 2, axis=0)[::2],
        lambda array: np.concatenate([array, array], axis=1)[:, :3],
        lambda array: array[::-1].copy()[::-1],
    ],
    ids=["columns first", "every other row", "some columns", "backwards"],
)
def test_any_layout_in_memory_gives_the_same_bits(clips, arrange):
    scores, events, durations = clips
    arranged = {clip: arrange(array) for clip, array in scores.items()}
    assert evaluate((arranged, events, durations)) == evaluate(clips)
