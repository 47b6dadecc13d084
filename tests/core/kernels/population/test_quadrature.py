"""The points and weights that are written out."""

import numpy as np
import pytest

from estimator.kernels.population.quadrature import gauss


@pytest.mark.parametrize("count", [2, 3, 6])
def test_they_are_those_of_numpy_to_the_last_bit(count):
    assert [each.tolist() for each in gauss(count)] == [
        each.tolist() for each in np.polynomial.legendre.leggauss(count)
    ]
