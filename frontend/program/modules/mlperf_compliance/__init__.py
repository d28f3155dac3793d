"""Records of MLPerf, which go nowhere."""
