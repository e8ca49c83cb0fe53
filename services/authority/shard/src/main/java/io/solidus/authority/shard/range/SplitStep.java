package io.solidus.authority.shard.range;

/** How far a split has come; each step may be done twice. */
public enum SplitStep {
  /** The cut is chosen and written down; a split that goes on later uses the same one. */
  PLANNED,
  /** The new shard's schema is there, empty. */
  SCHEMA_READY,
  /** Serial numbers that come now are written to both schemas. */
  SERIALS_CAPTURED,
  /** So were those from before. */
  SERIALS_COPIED,
  /** Cores that come or are answered now are written to both schemas. */
  CORES_CAPTURED,
  /** So were those from before. */
  CORES_COPIED,
  /** Both schemas hold the same of the moving range. */
  VERIFIED,
  /** The new map is in force: the new shard owns the range, the old one is fenced off from it. */
  SWITCHED,
  /**
   * Nothing is written twice any more. The rows of the moved range stay where they were, too;
   * nobody asks for them.
   */
  DONE;

  SplitStep next() {
    return values()[ordinal() + 1];
  }
}
