"""Array types, errors, compiled-code helpers, files, storage, artifacts and geometry. Knows nothing of motion."""
