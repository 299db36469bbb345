from django.contrib import admin
from django_summernote.admin import SummernoteModelAdmin

from notes.models import CkEditor, Plain, Summernote, TinyMce, Trix


class SummernoteAdmin(SummernoteModelAdmin):
    summernote_fields = ("text",)


for model in (Plain, CkEditor, TinyMce, Trix):
    admin.site.register(model)
admin.site.register(Summernote, SummernoteAdmin)
