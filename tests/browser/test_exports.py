"""Handing over and taking in: Terraform pasted and looked at becomes a design, which is exported, copied and taken."""

from collections.abc import Callable

from playwright.sync_api import Page

from tests.browser.soon import expect

HCL = """resource "google_bigtable_table" "t" {
  name                = "readings"
  deletion_protection = "PROTECTED"
  newer               = 1
  column_family {
    family = "m"
  }
}
"""


def test_terraform_comes_in_and_cbt_goes_out(page: Page, accessible: Callable[..., None]) -> None:
    page.goto("/")
    page.get_by_role("link", name="Import sample keys").click()
    page.get_by_label("Text").fill(HCL)
    page.get_by_role("button", name="Show preview").click()
    expect(page.get_by_role("heading", name="Import preview: Terraform")).to_be_visible()
    expect(page.get_by_text("newer not recognised")).to_be_visible()
    accessible("light", "dark")
    page.get_by_label("Name").fill("Handed over")
    page.get_by_role("button", name="Create design").click()

    page.wait_for_url("**/designs/*/")
    page.get_by_role("link", name="Export").click()
    page.get_by_role("link", name="cbt").click()

    expect(page.get_by_role("link", name="readings")).to_be_visible()  # what is refused, by its table
    accessible("light", "dark")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert "cbt createtable readings families=m:never" in page.evaluate("navigator.clipboard.readText()")
    with page.expect_download() as taken:
        page.get_by_role("link", name="Download").click()
    assert taken.value.suggested_filename == "handed-over-tables.sh"
