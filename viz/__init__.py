"""Pictures: layout, pyvis views and the HTML report. May import the questions' answers only."""

if __name__ != "topograph.viz":
    raise ImportError("import this package as topograph.viz; under the name 'viz' its modules would exist twice")
