print("pghd")
