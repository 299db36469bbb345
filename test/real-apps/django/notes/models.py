from django.apps import apps
from django.db import models
from django_ckeditor_5.fields import CKEditor5Field
from tinymce.models import HTMLField
from trix_editor import widgets
from trix_editor.fields import TrixEditorField

# These packages load Trix and jQuery from hosts that may be out of reach, and a style sheet that is not there.
widgets.JSPath.__html__ = lambda self: '<script src="/static/trix.umd.min.js"></script>'
widgets.CSSPath.__html__ = lambda self: '<link rel="stylesheet" href="/static/trix.css">'
apps.get_app_config("django_summernote").config.update(
    base_js=("/static/admin/js/vendor/jquery/jquery.min.js",),
    default_css=(
        "summernote/summernote-lite.min.css",
        "summernote/django_summernote.css",
    ),
)


class Plain(models.Model):
    # Another name than those of the editors, whose hidden text areas would be marked with it.
    note = models.TextField()


class CkEditor(models.Model):
    text = CKEditor5Field()


class TinyMce(models.Model):
    text = HTMLField()


class Summernote(models.Model):
    text = models.TextField()


class Trix(models.Model):
    text = TrixEditorField()
