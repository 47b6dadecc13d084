"""Second factors of accounts: what django-allauth's MFA needs in team mode. Alone there are no accounts."""

APPS = ("allauth", "allauth.account", "allauth.mfa")
MIDDLEWARE = "allauth.account.middleware.AccountMiddleware"
SETTINGS = {
    "MFA_ADAPTER": "designer.views.accounts.adapter.EncryptedSecrets",
    "MFA_SUPPORTED_TYPES": ["totp", "webauthn", "recovery_codes"],
    "MFA_PASSKEY_LOGIN_ENABLED": True,
    "MFA_WEBAUTHN_USER_VERIFICATION": "required",  # by a finger, a face or a PIN: a passkey alone is two factors
    "MFA_TOTP_TOLERANCE": 1,  # clocks of phones are up to half a minute off
    "MFA_TOTP_ISSUER": "Keywright",
    "ACCOUNT_USER_MODEL_USERNAME_FIELD": None,
    "ACCOUNT_LOGIN_METHODS": {"email"},
    "ACCOUNT_SIGNUP_FIELDS": ["email*", "password1*"],
    "ACCOUNT_EMAIL_VERIFICATION": "none",
    "ACCOUNT_SESSION_REMEMBER": True,
}
