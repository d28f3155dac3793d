"""Where the library has its models by kind; here they are made from tables."""

