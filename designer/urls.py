"""Addresses of the designer."""

from django.urls import path

from designer import views

urlpatterns = [
    path("", views.gallery, name="start"),
    path("examples/<slug:slug>/design.json", views.document, name="document"),
    path("schema/design-1.json", views.schema, name="schema"),
]
