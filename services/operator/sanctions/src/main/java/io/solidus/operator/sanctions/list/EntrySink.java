package io.solidus.operator.sanctions.list;

/** Receives entries one by one, so that no parser holds a complete list in memory. */
@FunctionalInterface
interface EntrySink {
  void accept(ListedEntry entry);
}
