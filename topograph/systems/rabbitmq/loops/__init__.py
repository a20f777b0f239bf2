"""Messages that come back to where they were (RQ-14, RQ-20, RQ-22).

``reach`` says from which places that may be, ``tried`` which keys and headers stand for all
others there, ``rounds`` the graph of what becomes of them while nothing ends a circle, ``replay``
what a broker makes of one circle of it, ``finding`` puts them together, ``twice`` looks for what
arrives more than once.
"""
