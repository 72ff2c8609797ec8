"""Initialisation, configuration, versions, errors and time-outs of the process."""
