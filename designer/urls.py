"""Addresses of the designer."""

from django.contrib.auth import views as auth
from django.urls import path
from django.views.decorators.cache import never_cache

from .editing.forms import INSTANCE
from .views.accounts import account, team_log, teams, tokens
from .views.designs import designs, gallery, history, importing, sentences, start
from .views.editor import editor, elements, keys
from .views.editor import presence as together

urlpatterns = [
    path("", never_cache(start.start), name="start"),
    path("examples/<slug:slug>/design.json", gallery.document, name="document"),
    path("schema/design-1.json", gallery.schema, name="schema"),
    path("designs/new", designs.create, name="create"),
    path("designs/sentences", sentences.change_sentences, name="sentences"),
    path("designs/import", never_cache(importing.new), name="import"),
    path("designs/<slug:key>/import", never_cache(importing.into), name="import_tables"),
    path("designs/<slug:key>/", never_cache(editor.editor), name="editor"),
    path("designs/<slug:key>/at/<slug:at>", never_cache(editor.editor), name="element"),
    path("designs/<slug:key>/instance", never_cache(editor.editor), {"at": INSTANCE}, name="instance"),
    path("designs/<slug:key>/instance/callers", never_cache(editor.callers), name="callers"),
    path("designs/<slug:key>/edit", editor.edit, name="edit"),
    path("designs/<slug:key>/table", elements.add_table, name="add_table"),
    path("designs/<slug:key>/add", elements.add, name="add"),
    path("designs/<slug:key>/at/<slug:at>/remove", elements.remove, name="remove"),
    path("designs/<slug:key>/find", never_cache(elements.find), name="find"),
    path("designs/<slug:key>/keys/<slug:at>/text", keys.write, name="key_text"),
    path("designs/<slug:key>/keys/<slug:at>/check", keys.check, name="key_check"),
    path("designs/<slug:key>/keys/<slug:at>/paste", keys.paste, name="key_paste"),
    path("designs/<slug:key>/keys/<slug:at>/accept", keys.accept, name="key_accept"),
    path("designs/<slug:key>/keys/<slug:at>/move", keys.move, name="key_move"),
    path("designs/<slug:key>/undo", editor.undo, name="undo"),
    path("designs/<slug:key>/redo", editor.redo, name="redo"),
    path("designs/<slug:key>/back/<slug:at>", editor.bring_back, name="bring_back"),
    path("designs/<slug:key>/news", never_cache(together.news), name="news"),
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
    path("sign-in", never_cache(account.sign_in), name="sign_in"),
    path("sign-out", auth.LogoutView.as_view(), name="sign_out"),
    path("account", never_cache(account.account), name="account"),
    path("password", never_cache(account.request_password_reset), name="password_reset"),
    path("password/sent", account.link_sent, name="password_reset_done"),
    path("password/<uidb64>/<token>", never_cache(account.new_password), name="password_reset_confirm"),
    path("teams/", teams.teams, name="teams"),
    path("teams/new", teams.create_team, name="create_team"),
    path("teams/<int:pk>/", never_cache(teams.team), name="team"),
    path("teams/<int:pk>/rename", teams.rename, name="rename_team"),
    path("teams/<int:pk>/log", never_cache(team_log.team_log), name="team_log"),
    path("teams/<int:pk>/log.ndjson", team_log.team_log_file, name="team_log_file"),
    path("teams/<int:pk>/invite", teams.invite, name="invite"),
    path("teams/<int:pk>/invitations/<int:invitation>/withdraw", teams.withdraw, name="withdraw"),
    path("teams/<int:pk>/people/<int:who>/role", teams.change_role, name="change_role"),
    path("teams/<int:pk>/people/<int:who>/remove", teams.remove, name="remove_member"),
    path("teams/<int:pk>/tokens", never_cache(tokens.tokens), name="tokens"),
    path("teams/<int:pk>/tokens/<int:token>/revoke", tokens.revoke, name="revoke_token"),
    path("invitations/<str:token>", never_cache(teams.invitation), name="invitation"),
    path("signed-in", together.sign_in_done, name="signed_in"),
]
