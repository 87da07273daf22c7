"""Messages of the protocol: framing, decoding, sending."""
