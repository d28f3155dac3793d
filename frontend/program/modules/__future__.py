annotations = division = print_function = absolute_import = unicode_literals = None
generators = nested_scopes = with_statement = generator_stop = None
