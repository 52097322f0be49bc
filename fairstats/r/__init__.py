"""R beside Python: the values of one in the other, results as plain R records, and what the R package calls.

`values` is the one form that both bridges share; `wire` writes it as bytes, `to_python` and `to_rvalue` say what it
means.
"""
