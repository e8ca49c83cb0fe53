package io.solidus.authority.spend;

/**
 * The places where a crash is interesting, in the order a batch passes them. Production does
 * nothing here; fault tests put something in its place that stops the process.
 */
@FunctionalInterface
public interface Failpoints {

  /** After the named step, before the next. */
  enum Step {
    CHECKED,
    OWN_SERIALS_RESERVED,
    ALL_SERIALS_RESERVED,
    SIGNED,
    ANSWER_STORED
  }

  void reach(Step step);
}
