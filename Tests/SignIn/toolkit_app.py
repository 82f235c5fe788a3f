"""An OpenID provider of django-oauth-toolkit in one file: toolkit_app.py SETTINGS seed|run"""

import json
import sys
from pathlib import Path

import django
from django.conf import settings

GIVEN = json.loads(Path(sys.argv[1]).read_text())
FOLDER = Path(GIVEN["folder"])
ORIGIN = f"http://127.0.0.1:{GIVEN['port']}"
LOGIN = "<form method=post>{% csrf_token %}{{ form }}<input type=hidden name=next value='{{ next }}'></form>"

settings.configure(
    DEBUG=False,
    SECRET_KEY="only on loopback",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF="toolkit_app",
    USE_TZ=True,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": FOLDER / "db.sqlite3", "OPTIONS": {"timeout": 30}}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=[
        "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "django.contrib.messages",
        "oauth2_provider",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
    ],
    TEMPLATES=[{
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "loaders": [
                ("django.template.loaders.locmem.Loader", {"login.html": LOGIN}),
                "django.template.loaders.app_directories.Loader",
            ],
        },
    }],
    LOGIN_URL="/login/",
    STATIC_URL="/static/",
    OAUTH2_PROVIDER={
        "OIDC_ENABLED": True,
        "OIDC_RSA_PRIVATE_KEY": (FOLDER / "key.pem").read_text(),
        "OIDC_ISS_ENDPOINT": f"{ORIGIN}/o",
        "PKCE_REQUIRED": True,
        "SCOPES": {scope: scope for scope in GIVEN["scopes"]},
        "ACCESS_TOKEN_EXPIRE_SECONDS": GIVEN["token_seconds"],
        "ROTATE_REFRESH_TOKEN": True,
        "REFRESH_TOKEN_REUSE_PROTECTION": True,
        "REFRESH_TOKEN_GRACE_PERIOD_SECONDS": 0,
        "ALLOWED_REDIRECT_URI_SCHEMES": ["http"],
        "OAUTH_DEVICE_VERIFICATION_URI": f"{ORIGIN}/o/device/",
        "DEVICE_FLOW_INTERVAL": 1,
    },
)
django.setup()

from django.contrib.auth.views import LoginView  # noqa: E402
from django.urls import include, path  # noqa: E402

urlpatterns = [
    path("o/", include("oauth2_provider.urls", namespace="oauth2_provider")),
    path("login/", LoginView.as_view(template_name="login.html")),
]


def seed():
    from django.contrib.auth.models import User
    from oauth2_provider.models import Application

    execute_from_command_line(["toolkit_app", "migrate", "-v", "0"])
    User.objects.create_user(GIVEN["user"], password=GIVEN["password"])
    Application.objects.create(
        client_id=GIVEN["client"], name="CLI", client_type="public", client_secret="",
        authorization_grant_type="authorization-code", algorithm="RS256", skip_authorization=True,
        redirect_uris="http://127.0.0.1/callback http://[::1]/callback",
    )
    # A client of this server has only one grant type.
    Application.objects.create(
        client_id=GIVEN["device_client"], name="Device", client_type="public", client_secret="",
        authorization_grant_type="urn:ietf:params:oauth:grant-type:device_code", algorithm="RS256",
    )


if __name__ == "__main__":
    sys.modules["toolkit_app"] = sys.modules["__main__"]
    from django.core.management import execute_from_command_line

    if sys.argv[2] == "seed":
        seed()
    else:
        execute_from_command_line(["toolkit_app", "runserver", "--noreload", f"127.0.0.1:{GIVEN['port']}"])
