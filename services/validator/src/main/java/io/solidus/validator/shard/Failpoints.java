package io.solidus.validator.shard;

/**
 * The places where a crash is interesting, in the order a request passes them. Production does nothing here; fault tests
 * put a bean of their own in its place to stop the process.
 */
@FunctionalInterface
public interface Failpoints {

  enum Step {
    CHECKED,
    OWN_SERIALS_RESERVED,
    ALL_SERIALS_RESERVED,
    SIGNED,
    ANSWER_STORED
  }

  void reach(Step step);
}
