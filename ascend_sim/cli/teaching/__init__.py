"""The class: its folder of lessons and broken programs, the checker of exercises, pictures and notebooks."""
