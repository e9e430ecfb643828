"""The laboratory: trees and search algorithms in their textbook form."""
