"""What a PSD-ROC plot shows is what the result holds."""

import subprocess
import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import same_color
from matplotlib.figure import Figure

import soundeval as se
from soundeval import example
from soundeval.plot import _MAX_NAMED, _spread, plot_psd_roc


@pytest.fixture(scope="module")
def result():
    folder = example.path()
    return se.psds(
        folder / "scores",
        folder / "ground_truth.tsv",
        folder / "durations.tsv",
        **se.scenarios.PSDS1,
    )


@pytest.fixture
def ax():
    return Figure().add_subplot()


def result_of(n_classes, name="class{}"):
    """One event per class, found at a score of its own."""
    names = [name.format(k) for k in range(n_classes)]
    scores = np.linspace(0.1, 0.9, 2 * n_classes).reshape(2, n_classes)
    return se.psds(
        {"a": scores},
        {"a": [(0.0, 1.0 + k % 2, label) for k, label in enumerate(names)]},
        {"a": 2.0},
        dtc_threshold=0.5,
        gtc_threshold=0.5,
        timestamps=[0.0, 1.0, 2.0],
        event_classes=names,
    )


def curves(ax):
    """Return the staircases, without the lines that lead to the names."""
    return [line for line in ax.lines if line.get_drawstyle() == "steps-post"]


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_the_bold_curve_is_the_effective_true_positive_rate(result, ax):
    plot_psd_roc(result, ax=ax)
    bold = max(curves(ax), key=lambda line: line.get_linewidth())
    inner = slice(1, -1)
    np.testing.assert_array_equal(bold.get_xdata()[inner], result.curve.efpr)
    np.testing.assert_array_equal(bold.get_ydata()[inner], result.curve.etpr)


def test_the_area_of_the_bold_staircase_is_the_score(result, ax):
    plot_psd_roc(result, ax=ax)
    bold = max(curves(ax), key=lambda line: line.get_linewidth())
    area = np.sum(np.diff(bold.get_xdata()) * bold.get_ydata()[:-1]) / result.max_efpr
    assert area == pytest.approx(result.value, rel=1e-12)


def test_every_class_has_a_curve_and_is_named_with_its_value(result, ax):
    plot_psd_roc(result, ax=ax)
    assert len(curves(ax)) == 1 + len(result.per_class)
    assert set(texts(ax)) == {
        f"PSDS {result.value:.3f}",
        *(f"{name}  {value:.3f}" for name, value in result.per_class.items()),
    }


def test_a_line_in_the_colour_of_each_class_leads_to_its_name(result, ax):
    plot_psd_roc(result, ax=ax)
    leaders = [line for line in ax.lines if line not in curves(ax)]
    for curve in curves(ax):
        end = curve.get_ydata()[-1]
        assert any(
            same_color(leader.get_color(), curve.get_color()) and leader.get_ydata()[0] == end
            for leader in leaders
        )


def test_a_curve_without_values_is_plotted_with_names_only(result, ax):
    plot_psd_roc(result.curve, ax=ax)
    assert set(texts(ax)) == {"Overall", *result.per_class}


def test_classes_can_be_left_out(result, ax):
    plot_psd_roc(result, ax=ax, per_class=False)
    assert len(curves(ax)) == 1
    assert texts(ax) == [f"PSDS {result.value:.3f}"]


def test_axes_are_named_with_the_unit_of_time(result, ax):
    plot_psd_roc(result, ax=ax, title="Scenario 1")
    assert ax.get_xlabel() == "Effective false positive rate (per hour)"
    assert ax.get_ylabel() == "True positive ratio"
    assert ax.get_title(loc="left") == "Scenario 1"
    assert ax.get_xlim() == (0.0, 100.0)


def test_without_an_end_the_axis_ends_at_the_last_point_of_any_class(ax):
    folder = example.path()
    curve = se.statistics(
        folder / "scores",
        folder / "ground_truth.tsv",
        se.Intersection(),
        audio_durations=folder / "durations.tsv",
    ).psd_roc(max_efpr=None)
    plot_psd_roc(curve, ax=ax)
    assert ax.get_xlim()[1] == max(c.efpr[-1] for c in curve.per_class.values())


def test_up_to_sixteen_classes_are_named_and_told_apart(ax):
    plot_psd_roc(result_of(_MAX_NAMED), ax=ax)
    assert len(texts(ax)) == _MAX_NAMED + 1
    looks = {str((line.get_color(), line._dash_pattern)) for line in curves(ax)}
    assert len(looks) == _MAX_NAMED + 1


def test_more_classes_are_a_grey_background_without_names(ax):
    plot_psd_roc(result_of(_MAX_NAMED + 1), ax=ax)
    assert len(curves(ax)) == _MAX_NAMED + 2
    assert len(texts(ax)) == 1
    assert len({line.get_color() for line in curves(ax)}) == 2


def test_a_class_name_is_text_even_with_dollar_signs(ax):
    plot_psd_roc(result_of(2, "$x_{}$"), ax=ax)
    ax.figure.draw_without_rendering()
    assert not any(text.get_parse_math() for text in ax.texts)


def test_a_new_figure_is_made_if_no_axes_are_given(result, monkeypatch):
    monkeypatch.setattr(plt, "show", lambda: pytest.fail("nothing is to be shown"))
    plt.switch_backend("Agg")
    ax = plot_psd_roc(result)
    plt.close(ax.figure)


def test_matplotlib_is_not_imported_before_something_is_plotted():
    code = "import sys, soundeval, soundeval.plot; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@given(
    heights=st.lists(st.floats(0.0, 1.0), min_size=1, max_size=17),
    gap=st.floats(0.001, 0.06),
)
def test_names_keep_their_order_their_distance_and_the_panel(heights, gap):
    placed = _spread(sorted(heights), gap)
    assert np.all(np.diff(placed) >= gap * (1 - 1e-9))
    assert placed[0] >= -0.02 - 1e-9
    assert placed[-1] <= 1.02 + 1e-9


def test_names_that_are_apart_stay_where_their_curves_end():
    assert _spread([0.2, 0.5, 0.9], 0.05) == pytest.approx([0.2, 0.5, 0.9])


def test_a_crowd_of_names_spreads_evenly_around_its_middle():
    assert _spread([0.5, 0.5, 0.5], 0.1) == pytest.approx([0.4, 0.5, 0.6])
