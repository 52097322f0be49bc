"""Tables that a law or a client asks for."""
