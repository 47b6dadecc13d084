"""Signing in with a passkey, through Chromium's own virtual authenticator."""

from collections.abc import Callable
from typing import Any

from django.contrib.sessions.backends.db import SessionStore
from playwright.sync_api import Page

from designer.models import Person, SignIn, Team
from tests.browser.soon import expect

PASSWORD = "columns-wide-open"
DEVICE = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
    "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip


def test_a_passkey_is_enrolled_and_signs_in_alone_and_proves_who_it_is(
    page: Page, settings: Any, accessible: Callable[..., None], allowed_console_errors: list[str]
) -> None:
    settings.KEYWRIGHT_MODE = "team"
    ana = Person.objects.create_user("ana@example.com", PASSWORD, name="Ana")
    team = Team.objects.create(name="Platform", second_factor_required=True)
    team.add(ana, "owner")
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
    page.goto("/sign-in")
    page.get_by_label("E-mail address").fill("ana@example.com")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()

    expect(page.get_by_text("The team Platform requires a second factor")).to_be_visible()
    accessible()
    page.get_by_label("Name", exact=True).fill("Laptop")
    page.get_by_role("button", name="Add passkey").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    accessible()
    page.get_by_role("link", name="I stored the codes").click()
    expect(page.locator("strong", has_text="Laptop")).to_be_visible()
    page.get_by_role("button", name="Sign out", exact=True).click()

    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page).to_have_url("/")
    assert SignIn.objects.get().methods == "passkey"
    page.goto(f"/teams/{team.pk}/")
    page.get_by_label("Purpose").fill("Night build")
    forget_proof()
    allowed_console_errors.append("403")
    page.get_by_role("button", name="Create token").click()
    expect(page.get_by_role("heading", name="Confirm that it is you")).to_be_visible()
    accessible()
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.locator("strong", has_text="Night build")).to_be_visible()
    device.send("WebAuthn.disable")
    device.detach()


def forget_proof() -> None:
    """As if ten minutes went by."""

    session = SessionStore(SignIn.objects.get().session_key)
    session["proved_at"] = 0
    session.save()
