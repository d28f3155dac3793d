// Nothing: the target that precompiles headers needs a source.
