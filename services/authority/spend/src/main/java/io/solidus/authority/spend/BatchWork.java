package io.solidus.authority.spend;

import java.util.List;

/** Work on a whole batch. Several threads may call it at the same time. */
@FunctionalInterface
public interface BatchWork<I, O> {

  /**
   * Answers each input once. An input that is left without an answer fails as a defect; all inputs
   * without an answer do when this throws.
   */
  void run(List<I> inputs, Answers<O> answers);
}
