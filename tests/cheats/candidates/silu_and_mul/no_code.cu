// An answer without code.
None
