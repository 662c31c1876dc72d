"""Lockstep, a workbench for distributed machine learning. The module for your own scripts is `lockstep`."""
