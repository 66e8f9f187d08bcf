"""Reports: one document of headings, text, tables and figures, written as Markdown and as one HTML file.

    document = Document("Title", "One sentence.")
    document.heading("Results")
    document.text("Plain words with `code`, **stress** and [links](https://example.org).")
    document.table(Table([Column("method"), Column("µs", number=True)], [["stack", "12.5"]]))
    document.write(folder)      # index.md and index.html

Plots share one look, see `tumble.report.plots` (it needs Matplotlib, which is only loaded when used).
"""

from tumble.report.document import Document
from tumble.report.numbers import count, microseconds, ratio, significant
from tumble.report.tables import Column, Table, number_columns

__all__ = ["Column", "Document", "Table", "count", "microseconds", "number_columns", "ratio", "significant"]
