//! Shared pieces of the test suites: the specification runner and the naive evaluator.
