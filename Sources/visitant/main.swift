print("visitant")
