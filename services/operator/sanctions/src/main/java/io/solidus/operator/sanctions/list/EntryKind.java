package io.solidus.operator.sanctions.list;

/** What a listed entry is. */
public enum EntryKind {
  INDIVIDUAL,
  ENTITY,
  /** Vessels and aircraft: kept, never screened against. */
  OTHER,
  /** Further names of an entry of another list. */
  ALIAS
}
