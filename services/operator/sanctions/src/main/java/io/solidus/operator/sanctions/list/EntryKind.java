package io.solidus.operator.sanctions.list;

/** The kind of a listed entry. */
public enum EntryKind {
  INDIVIDUAL,
  ENTITY,
  /** Vessels and aircraft. They are stored, but names are not screened against them. */
  OTHER,
  /** More names of an entry of another list. */
  ALIAS
}
