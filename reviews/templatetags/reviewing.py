"""What is said of reviews, for templates."""

from django import template

register = template.Library()
