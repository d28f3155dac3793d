def tabulate(rows, headers=(), **kwargs):
    return "\n".join(["  ".join([str(cell) for cell in row]) for row in rows])
