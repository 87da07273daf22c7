"""Editor features, independent of the protocol.

They are pure functions from an analysed unit and a position to plain values.
"""
