"""The search algorithms, each as its paper states it."""
