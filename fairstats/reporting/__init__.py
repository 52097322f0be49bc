"""Results as documents: HTML, PDF, JSON, CSV, figures."""
