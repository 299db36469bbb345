"""A site of Wagtail with a snippet whose text is written in Draftail."""

from settings import *  # noqa: F403

INSTALLED_APPS = [
    "wagtail.users",
    "wagtail.documents",
    "wagtail.images",
    "wagtail.search",
    "wagtail.admin",
    "wagtail",
    "wagtail.sites",
    "modelcluster",
    "taggit",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "wagtail.snippets",
    "wagtail_notes",
]
ROOT_URLCONF = "wagtail_urls"
WAGTAIL_SITE_NAME = "Notes"
WAGTAILADMIN_BASE_URL = "http://localhost"
STATICFILES_DIRS = []
MEDIA_ROOT = DATA / "media"  # noqa: F405
USE_TZ = True
