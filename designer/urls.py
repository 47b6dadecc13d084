"""Addresses of the designer."""

from django.contrib.auth import views as auth
from django.urls import path
from django.views.decorators.cache import never_cache

from designer.views import designs, editor, gallery, history

urlpatterns = [
    path("", never_cache(designs.start), name="start"),
    path("examples/<slug:slug>/design.json", gallery.document, name="document"),
    path("schema/design-1.json", gallery.schema, name="schema"),
    path("designs/new", designs.create, name="create"),
    path("designs/<slug:key>/", never_cache(editor.editor), name="editor"),
    path("designs/<slug:key>/at/<slug:at>", never_cache(editor.editor), name="element"),
    path("designs/<slug:key>/edit", editor.edit, name="edit"),
    path("designs/<slug:key>/table", editor.add_table, name="add_table"),
    path("designs/<slug:key>/undo", editor.undo, name="undo"),
    path("designs/<slug:key>/redo", editor.redo, name="redo"),
    path("designs/<slug:key>/news", never_cache(editor.news), name="news"),
    path("designs/<slug:key>/control", never_cache(editor.control), name="control"),
    path("designs/<slug:key>/design.json", editor.document, name="design_file"),
    path("designs/<slug:key>/of/<slug:sha256>/design.json", history.content_document, name="content_file"),
    path("designs/<slug:key>/history", never_cache(history.history), name="history"),
    path("designs/<slug:key>/history/<int:number>/design.json", history.revision_document, name="revision_file"),
    path("designs/<slug:key>/history/<int:number>/restore", history.restore, name="restore"),
    path("designs/<slug:key>/history/<int:number>/name", history.name, name="name_revision"),
    path("designs/<slug:key>/copy", designs.copy, name="copy"),
    path("designs/<slug:key>/archive", designs.archive, name="archive"),
    path("designs/<slug:key>/delete", designs.delete, name="delete"),
    path("designs/<slug:key>/undelete", designs.undelete, name="undelete"),
    path("sign-in", auth.LoginView.as_view(template_name="designer/account/sign_in.html"), name="sign_in"),
    path("sign-out", auth.LogoutView.as_view(), name="sign_out"),
]
