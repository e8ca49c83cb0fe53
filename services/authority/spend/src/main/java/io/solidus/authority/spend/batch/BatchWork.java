package io.solidus.authority.spend.batch;

import io.solidus.authority.spend.Answers;
import java.util.List;

/** What a worker does with a batch. Called by several workers at a time. */
@FunctionalInterface
public interface BatchWork<I, O> {

  /**
   * Answers each input once; one that is left without an answer, or all that are when this throws,
   * fail as defects.
   */
  void run(List<I> inputs, Answers<O> answers);
}
