"""What connects soundeval with other packages: one module for each, imported when it is needed."""
