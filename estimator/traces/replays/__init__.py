"""The requests of a log under another key, and the model beside them."""
