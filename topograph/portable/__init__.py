"""What engines outside Python need to answer questions: tables of plain JSON, without a vendor's name.

``selector_trees`` gives selectors as trees. ``viz/page/engine`` reads what is made here. May import the vocabulary, selectors, forwarding, systems,
engines, access and questions.
"""
