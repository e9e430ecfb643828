"""The place of the opening book. None is shipped yet: GUIs bring their own."""
