//! Tests of Brimline against servers that behave like real ones.
