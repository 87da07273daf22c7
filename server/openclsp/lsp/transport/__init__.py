"""Messages of the protocol: framing, decoding and sending."""
