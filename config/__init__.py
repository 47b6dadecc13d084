"""Settings, addresses and site commands."""

import os

# Before numpy is imported. Arrays are small here: further threads of its linear algebra would only wait for work, which
# takes the processor from other requests and doubles what an edit takes.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
