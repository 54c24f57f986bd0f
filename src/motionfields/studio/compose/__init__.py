"""The page that composes motion: `session` answers requests, `loop` runs it on a thread, `server` connects pages."""
