print("properties")
