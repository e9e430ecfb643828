"""Large random trees and the laboratory's searches of them."""

from sssnake._fast import prefer_core

prefer_core(__path__)
