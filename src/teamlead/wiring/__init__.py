"""The one place that joins the engine and its adapters."""
