"""Operators: types with a numpy function and a shape rule, and the built-in ones."""
