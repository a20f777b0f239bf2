"""What is wrong or risky in a network of routers (amq_interconnect.md 5.2), and what runs
against what is configured.
"""
