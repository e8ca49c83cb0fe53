package io.solidus.authority.spend;

/** Receives the outcomes of a batch, each once and in any order. Must not throw. */
@FunctionalInterface
public interface Answers<A> {

  /**
   * Receives one outcome.
   *
   * @param index of the item in its batch
   */
  void answer(int index, Outcome<A> outcome);
}
