"""The page that plans and sketches motion: `session` answers requests, `loop` runs it, `server` connects pages."""
