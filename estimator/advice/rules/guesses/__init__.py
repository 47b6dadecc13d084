"""Questions about assumed values on which errors and warnings depend."""
