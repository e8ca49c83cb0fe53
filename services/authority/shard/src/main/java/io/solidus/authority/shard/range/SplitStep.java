package io.solidus.authority.shard.range;

import java.util.List;

/** The progress of a split; each step may be repeated. The names are stored. */
public enum SplitStep {
  /** The split point is chosen and stored; a later run uses the same one. */
  PLANNED,
  /** The new shard's schema exists and is empty. */
  SCHEMA_READY,
  /** New serial numbers are written to both schemas. */
  SERIALS_CAPTURED,
  /** Old serial numbers are copied. */
  SERIALS_COPIED,
  /** New cores and their first answers are written to both schemas. */
  CORES_CAPTURED,
  /** Old cores are copied. */
  CORES_COPIED,
  /** New answers of later epochs are written to both schemas. */
  LATER_ANSWERS_CAPTURED,
  /** Old answers of later epochs are copied. */
  LATER_ANSWERS_COPIED,
  /** New recovers are written to both schemas. */
  RECOVERS_CAPTURED,
  /** Old recovers are copied. */
  RECOVERS_COPIED,
  /** New answers of recovers are written to both schemas. */
  RECOVER_ANSWERS_CAPTURED,
  /** Old answers of recovers are copied. */
  RECOVER_ANSWERS_COPIED,
  /** Both schemas hold the same rows of the moving range. */
  VERIFIED,
  /** The new map is in force: the new shard owns the range, and the old shard no longer does. */
  SWITCHED,
  /** The triggers are removed. The rows of the moved range stay in the old schema, unused. */
  DONE;

  SplitStep next() {
    List<SplitStep> steps = List.of(values());
    return steps.get(steps.indexOf(this) + 1);
  }
}
