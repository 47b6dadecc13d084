"""What a rule's page shows of its examples."""

import pytest
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("code", "has_picture"), [("K004", True), ("K001", False), ("I024", False)])
def test_a_map_that_would_be_one_pale_area_is_not_shown(client: Client, code: str, has_picture: bool) -> None:
    shown = client.get(reverse("rule_miniature", args=[code, "bad"])).content.decode()

    assert ('class="heat-cells"' in shown) == has_picture
    assert "of its limit" in shown
