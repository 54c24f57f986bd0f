"""Skeletons, clips, contacts, motion quality, file formats, data sets, samples, foot locking and retargeting."""
