package io.solidus.operator.sanctions.list;

/** Takes entries as a parser finds them, so that no parser holds a whole list. */
@FunctionalInterface
interface EntrySink {
  void accept(ListedEntry entry);
}
