"""Every result in one file, and back: a JSON header that names a closed set of classes, and plain arrays; no pickle."""
