def not_built_yet(v):
    return True


def run(v): ...
