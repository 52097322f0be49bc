"""The rows of the vocabulary of metrics, one row a metric, by subject; `metrics.py` reads them."""
