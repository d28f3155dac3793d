class DataChunkRecipe:
    def __init__(self, *args, **options):
        pass


DataTransformRecipe = DataProcessor = DataChunkRecipe
