"""One construct a kind of orchestrator."""
