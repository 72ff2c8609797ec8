"""What builds take for an installed CANN: headers, the library, scripts and commands, and the compiler that makes them."""
