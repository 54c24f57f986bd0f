"""Composition: captured frames in a new order, chosen to show the labels of a timeline."""

from motionfields.authoring.compose.labels import StateLabels, label_states, labels_of

__all__ = ["StateLabels", "label_states", "labels_of"]
