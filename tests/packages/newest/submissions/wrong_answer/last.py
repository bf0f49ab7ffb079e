print("!", input(), flush=True)
