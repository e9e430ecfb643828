"""The search: the null-window test (MT) and alpha-beta, their rules, what they remember, and the root."""

from sssnake._fast import prefer_core

prefer_core(__path__)
