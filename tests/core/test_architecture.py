"""The picture of the packages is drawn from the import contracts."""

from config.architecture import draw_packages


def test_the_committed_picture_is_up_to_date(root):
    assert (root / "docs" / "architecture.svg").read_text(encoding="utf-8") == draw_packages(root), (
        "run manage.py architecture"
    )


def test_every_layer_of_the_contracts_is_a_box(root):
    svg = draw_packages(root)

    assert [
        name for name in ("config", "document", "kernels", "pricing", "rules", "pdf") if f">{name}</text>" not in svg
    ] == []
