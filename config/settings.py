"""All settings, read from the environment.

KEYWRIGHT_MODE   embedded (default): one person on this machine, SQLite, no service; or team: several people, by Compose
KEYWRIGHT_DATA   folder of the database, the secret key and collected static files (default: var/ in a clone; of an
                 installed copy the folder that the system has for a person's data)
KEYWRIGHT_BOOKS  folder of imported price books (default: books/ in KEYWRIGHT_DATA)
KEYWRIGHT_CACHE  folder in which `lint` keeps its answers, 16 MB at most (default: var/cache in a clone; of an installed
                 copy in the folder that the system has for a person's caches)
KEYWRIGHT_MEMORY  megabytes of documents and results that each process keeps (96); the program takes some 200 more
KEYWRIGHT_PROCESSES  processes beside each web process that compute designs (1; 0: it computes them itself); each keeps
                 as much as KEYWRIGHT_MEMORY, too
KEYWRIGHT_DEBUG  true for Django's debug pages (embedded mode only)
DATABASE_URL     postgresql://… (required in team mode) or sqlite:///…
SECRET_KEY, ALLOWED_HOSTS, CSRF_TRUSTED_ORIGINS, REDIS_URL   team mode; the first two are required there
SECRET_KEY_FALLBACKS   earlier secret keys, separated by commas: what they signed stays valid while they are listed
KEYWRIGHT_HTTPS  team mode: true (default) when people reach the app by HTTPS
KEYWRIGHT_PROXIES  team mode: proxies in front that name the client in X-Forwarded-For (default: 1 with HTTPS, else 0)
KEYWRIGHT_MOST_RUNS, KEYWRIGHT_MOST_EVENTS, KEYWRIGHT_MOST_KEYS   runs of a team at a time (4), single events (2·10¹⁰)
                 and keys (10⁷) of a run
KEYWRIGHT_RUN_MINUTES, KEYWRIGHT_RUN_MEMORY_MB   what one run may take (60; 1000 in each process)
KEYWRIGHT_RESULT_MB, KEYWRIGHT_RESULT_DAYS   how large a result may be (200) and how long it is kept (90)
KEYWRIGHT_PERSON_SECONDS, KEYWRIGHT_TEAM_SECONDS, KEYWRIGHT_LINK_SECONDS, KEYWRIGHT_TOKEN_SECONDS   team mode: processor
                 time that a person (30), a team (50), a review link (20) or a token (20) may take of one web process in
                 a minute
KEYWRIGHT_SESSION_HOURS   team mode: after so long somebody signs in again (720)
KEYWRIGHT_TOKEN_REQUESTS   team mode: requests that a token may send to one web process in a minute (600)
KEYWRIGHT_AUDIT_DAYS   how long the audit log is kept (365)
KEYWRIGHT_FILE_MB   how large a file of sample keys may be (1000)
KEYWRIGHT_STEPS_AT_ONCE   workers that one run may have at a time (16, and always one fewer than there are)
KEYWRIGHT_LEASE_SECONDS   after so long a worker that was not heard is taken for dead (30)
KEYWRIGHT_WEBHOOKS_PRIVATE   true: webhooks may have addresses of a private network (default: the public internet alone)
KEYWRIGHT_OIDC_ISSUER, _CLIENT_ID, _CLIENT_SECRET   team mode: all three for single sign-on by OpenID Connect
KEYWRIGHT_OIDC_NAME  what its button says (default: OpenID Connect)
KEYWRIGHT_OIDC_GROUPS  roles that groups at the provider give: GROUP=TEAM:ROLE;… with a team's number, as in its address
KEYWRIGHT_OIDC_GROUPS_CLAIM  which claim names them (default: groups)
EMAIL_HOST, EMAIL_PORT, EMAIL_HOST_USER, EMAIL_HOST_PASSWORD, EMAIL_FROM   the mail server, if any
EMAIL_USE_SSL    true: TLS from the first byte (default: at port 465)
EMAIL_USE_TLS    true: STARTTLS (default: unless EMAIL_USE_SSL)
KEYWRIGHT_METRICS  who may read /metrics: a token of 20 characters or more, or addresses and networks (default: nobody)
KEYWRIGHT_LOG    json: the log in lines of JSON, one for each request, too (default: text)
SENTRY_DSN       where errors are reported to (extra "observe"); SENTRY_ENVIRONMENT names the site
OTEL_EXPORTER_OTLP_ENDPOINT   where traces of requests are sent to (extra "observe")
"""

from django.core.exceptions import ImproperlyConfigured

from config import environment, second_factors, secret, single_sign_on
from config.installation import BASE_DIR, PROGRAM
from config.monitoring import metrics_access
from config.settings_of_files import (  # noqa: F401 - settings, too
    KEYWRIGHT_BOOKS,
    KEYWRIGHT_DATA,
    KEYWRIGHT_MEMORY,
    KEYWRIGHT_MOST_EVENTS,
    KEYWRIGHT_RUN_MEMORY_MB,
    KEYWRIGHT_RUN_MINUTES,
    LANGUAGE_CODE,
    LANGUAGES,
    LOCALE_PATHS,
    USE_TZ,
)

KEYWRIGHT_MODE = environment.choice("KEYWRIGHT_MODE", "embedded", ("embedded", "team"))
TEAM = KEYWRIGHT_MODE == "team"
KEYWRIGHT_PROGRAM = PROGRAM

DEBUG = environment.flag("KEYWRIGHT_DEBUG", False)
if TEAM:
    if DEBUG:
        raise ImproperlyConfigured("KEYWRIGHT_DEBUG shows secrets to visitors; leave it unset in team mode.")
    SECRET_KEY = environment.required_text(
        "SECRET_KEY", why="team mode signs cookies with it; use 50 random characters."
    )
    ALLOWED_HOSTS = environment.names("ALLOWED_HOSTS")
    if not ALLOWED_HOSTS:
        raise ImproperlyConfigured("Set ALLOWED_HOSTS: the host names that people use, separated by commas.")
    DATABASES = {
        "default": environment.database(
            environment.required_text("DATABASE_URL", why="team mode keeps its data there.")
        )
    }
else:
    SECRET_KEY = secret.read_or_create(KEYWRIGHT_DATA / "secret_key")
    ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
    DATABASES = {
        "default": environment.database(
            environment.text("DATABASE_URL", f"sqlite:///{KEYWRIGHT_DATA}/keywright.sqlite3")
        )
    }
SECRET_KEY_FALLBACKS = environment.names("SECRET_KEY_FALLBACKS")  # earlier keys, while what they signed lives
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "config.apps.SiteConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "designer",
    "estimator",
    "reviews",
    "django_htmx",
    "config.apps.StaticsConfig",
]
MIDDLEWARE = [
    # Outermost, so that what inner middleware refuses is recorded, too. Static files come before anything that asks the
    # database, and who somebody is before what they may do.
    "config.requests.RequestRecords",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "designer.http.pages.PrivateByDefault",
    "designer.http.release.ReleaseHeader",
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "designer.local.LocalPerson",
    "designer.views.access.AdmittedPerson",
    "designer.views.access.SignInFirst",
    "designer.views.accounts.gate.EnrolFirst",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "designer.http.shares.FairShares",
    "config.limits.BodyLimit",
    "designer.http.parameters.StorablePaths",
    "designer.http.posted_addresses.PostedAddresses",
    "designer.http.errors.UserErrors",
]
if TEAM:
    INSTALLED_APPS += second_factors.APPS
    MIDDLEWARE.append(second_factors.MIDDLEWARE)
    globals().update(second_factors.SETTINGS)
OIDC = single_sign_on.from_environment(team=TEAM)
if OIDC is not None:
    INSTALLED_APPS += single_sign_on.APPS
    SOCIALACCOUNT_PROVIDERS = OIDC.providers
    SOCIALACCOUNT_ADAPTER = "designer.views.accounts.single_sign_on.ByVerifiedAddress"
    SOCIALACCOUNT_OPENID_CONNECT_URL_PREFIX = ""
    SOCIALACCOUNT_LOGIN_ON_GET = True  # by a link: a form could not be sent on to the provider under our policy
    SOCIALACCOUNT_STORE_TOKENS = False
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
            ],
        },
    },
]

AUTH_USER_MODEL = "designer.Person"
AUTHENTICATION_BACKENDS = ["designer.views.accounts.backend.Accounts"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": name, "OPTIONS": options}
    for name, options in (
        ("designer.views.accounts.backend.MinimumLengthValidator", {"min_length": 12}),
        ("designer.views.accounts.backend.MaximumLengthValidator", {}),
        ("django.contrib.auth.password_validation.CommonPasswordValidator", {}),
        ("django.contrib.auth.password_validation.UserAttributeSimilarityValidator", {}),
    )
]
LOGIN_URL, LOGIN_REDIRECT_URL, LOGOUT_REDIRECT_URL = "sign_in", "start", "sign_in"
SESSION_COOKIE_AGE = environment.positive_integer("KEYWRIGHT_SESSION_HOURS", 30 * 24) * 3600
# "Strict" would leave out the cookie on the way back from the OpenID provider and when a link in a mail is opened.
SESSION_COOKIE_HTTPONLY, SESSION_COOKIE_SAMESITE = True, "Lax"

EMAIL_HOST = environment.text("EMAIL_HOST")  # none: invitations are links to copy, passwords are reset by a command
# Ports by RFC 8314: 465 for TLS from the first byte, 587 for STARTTLS.
EMAIL_PORT = environment.positive_integer("EMAIL_PORT", 465 if environment.flag("EMAIL_USE_SSL", False) else 587)
EMAIL_USE_SSL = environment.flag("EMAIL_USE_SSL", EMAIL_PORT == 465)
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = environment.text("EMAIL_HOST_USER"), environment.text("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = environment.flag("EMAIL_USE_TLS", not EMAIL_USE_SSL)
if EMAIL_USE_SSL and EMAIL_USE_TLS:
    raise ImproperlyConfigured("EMAIL_USE_TLS is STARTTLS and EMAIL_USE_SSL is TLS from the first byte; set only one.")
EMAIL_TIMEOUT = 10
KEYWRIGHT_WEBHOOKS_PRIVATE = environment.flag("KEYWRIGHT_WEBHOOKS_PRIVATE", False)
DEFAULT_FROM_EMAIL = environment.text("EMAIL_FROM", "keywright@localhost")

LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = KEYWRIGHT_DATA / "static"  # filled by `serve`, and in the image when it is built
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.statics.HashedStorage"},
}

# One policy for every page: htmx keeps the first document's policy, so a policy per page would not hold.
# plotly sets style attributes while it draws; scripts and style elements come from us alone.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "style-src-elem": ["'self'"],
        "style-src-attr": ["'unsafe-inline'"],
        "img-src": ["'self'", "data:", "blob:"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    },
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
# No script reads the cookie: pages hold the token in their forms and in `hx-headers`.
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_TRUSTED_ORIGINS = environment.names("CSRF_TRUSTED_ORIGINS")
HTTPS = TEAM and environment.flag("KEYWRIGHT_HTTPS", True)
KEYWRIGHT_PROXIES = int(environment.choice("KEYWRIGHT_PROXIES", "1" if HTTPS else "0", ("0", "1", "2", "3")))
CSRF_COOKIE_SECURE = SESSION_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
if HTTPS:  # browsers take a cookie of such a name from this host alone, never from one beside or above it
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
SECURE_HSTS_SECONDS = 3600 * 24 * 30 if HTTPS else 0
if HTTPS:
    # The proxy in front must set or remove this header: a client that sends it would otherwise look like HTTPS.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT, SECURE_REDIRECT_EXEMPT = (
        True,
        [r"^healthz$", r"^readyz$", r"^metrics$"],
    )  # those come from beside the app

# Given to new designs to keep; named here because the designer does not import the estimator.
KEYWRIGHT_NEWEST_BOOK = "estimator.price_books.shelf.newest_name"

# Celery delivers jobs, by Redis in team mode; embedded, without REDIS_URL, by files in KEYWRIGHT_DATA.
REDIS_URL = environment.text("REDIS_URL", "redis://127.0.0.1:6379/0" if TEAM else "")
KEYWRIGHT_CELERY = "config.celery.app"  # named here because the estimator does not import the site
KEYWRIGHT_LEASE_SECONDS = environment.positive_integer("KEYWRIGHT_LEASE_SECONDS", 30)
KEYWRIGHT_STEPS_AT_ONCE = environment.positive_integer("KEYWRIGHT_STEPS_AT_ONCE", 16)
KEYWRIGHT_MOST_RUNS = environment.positive_integer("KEYWRIGHT_MOST_RUNS", 4)
KEYWRIGHT_MOST_KEYS = environment.positive_integer("KEYWRIGHT_MOST_KEYS", 10_000_000)
KEYWRIGHT_SHARES = {
    "person": environment.positive_integer("KEYWRIGHT_PERSON_SECONDS", 30),
    "team": environment.positive_integer("KEYWRIGHT_TEAM_SECONDS", 50),
    "link": environment.positive_integer("KEYWRIGHT_LINK_SECONDS", 20),
    "token": environment.positive_integer("KEYWRIGHT_TOKEN_SECONDS", 20),
}
KEYWRIGHT_TOKEN_REQUESTS = environment.positive_integer("KEYWRIGHT_TOKEN_REQUESTS", 600)
KEYWRIGHT_RESULT_MB = environment.positive_integer("KEYWRIGHT_RESULT_MB", 200)
KEYWRIGHT_PROCESSES = int(environment.choice("KEYWRIGHT_PROCESSES", "1", ("0", "1", "2", "3", "4")))
KEYWRIGHT_FILE_MB = environment.positive_integer("KEYWRIGHT_FILE_MB", 1000)
KEYWRIGHT_AUDIT_DAYS = environment.positive_integer("KEYWRIGHT_AUDIT_DAYS", 365)
KEYWRIGHT_RESULT_DAYS = environment.positive_integer("KEYWRIGHT_RESULT_DAYS", 90)

# A design file has 2 MB at most, and as text in a form it grows; nothing larger is sent anywhere.
KEYWRIGHT_MOST_BODY_BYTES = 8_000_000
DATA_UPLOAD_MAX_MEMORY_SIZE = KEYWRIGHT_MOST_BODY_BYTES

KEYWRIGHT_METRICS = metrics_access.parse_access(environment.text("KEYWRIGHT_METRICS"))
SENTRY_DSN = environment.sentry_address("SENTRY_DSN")
OTEL_ENDPOINT = environment.web_address("OTEL_EXPORTER_OTLP_ENDPOINT")
KEYWRIGHT_LOG = environment.choice("KEYWRIGHT_LOG", "text", ("text", "json"))
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
        "json": {"()": "config.monitoring.logs.JsonLines"},
    },
    "filters": {"no_secrets": {"()": "config.monitoring.logs.NoSecrets"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": KEYWRIGHT_LOG, "filters": ["no_secrets"]}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "keywright.start": {"level": "INFO"},
        "keywright.requests": {"level": "INFO" if KEYWRIGHT_LOG == "json" else "WARNING"},
    },
}
