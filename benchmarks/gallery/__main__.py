"""``python -m benchmarks.gallery``."""

from benchmarks.gallery import main

main()
