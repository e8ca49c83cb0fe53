package io.solidus.authority.spend;

/**
 * Places in the pipeline where a test may simulate a crash, in the order a batch passes them.
 * Production does nothing here.
 */
@FunctionalInterface
public interface Failpoints {

  /** Reached after the named step and before the next one. */
  enum Step {
    CHECKED,
    OWN_SERIALS_RESERVED,
    ALL_SERIALS_RESERVED,
    SIGNED,
    ANSWER_STORED
  }

  void reach(Step step);
}
