"""Fixtures for all tests, and how long Hypothesis looks for counterexamples.

``pytest --hypothesis-profile=thorough`` looks twenty times longer.
"""

from __future__ import annotations

import pytest
from gold import Gold, read_dcase2023
from hypothesis import HealthCheck, settings
from implementations import IMPLEMENTATIONS, Fast, Twin

# No deadline: the first call of anything is slow, and machines are busy. Drawing a whole evaluation
# set is slow too, which is no reason to draw smaller ones.
settings.register_profile(
    "standard", deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", settings.get_profile("standard"), max_examples=2000)
settings.load_profile("standard")


@pytest.fixture(scope="session", params=list(IMPLEMENTATIONS))
def implementation(request: pytest.FixtureRequest) -> Twin | Fast:
    """Run a test on the pure-Python twin and on the fast functions."""
    return IMPLEMENTATIONS[request.param]


@pytest.fixture(scope="session")
def dcase2023() -> Gold:
    """Scores of the baseline of DCASE 2023 Task 4a for 20 clips, and what others say of them."""
    return read_dcase2023()
