"""An estate through time: what each commit of a git repository changed in what the network does
(``following.history``), and the commit and line from which on something no longer holds
(``bisecting.bisect``).

Files are read by content, so that of many commits only what differs is read again
(``states.States``).
"""
