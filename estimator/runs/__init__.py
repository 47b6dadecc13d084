"""Run types and limits.

`models` holds the truth in rows; `delivery` tells workers that there is something; `working` is what a worker does;
`sweeping` picks up what was left lying; `kinds` says what there is to compute.
"""
