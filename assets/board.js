// Comfort for the boards: they work without this file, too.
