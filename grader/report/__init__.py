"""Everything a person or another program reads: each report is a function of the results, in a file of its own."""
