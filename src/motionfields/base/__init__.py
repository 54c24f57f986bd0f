"""Array types, errors, compiled-code helpers, files, storage, artifacts and geometry; nothing specific to motion."""
