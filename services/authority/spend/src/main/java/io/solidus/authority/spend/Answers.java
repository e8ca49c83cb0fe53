package io.solidus.authority.spend;

/** Takes the outcomes of a batch, each once and in any order. Must not throw. */
@FunctionalInterface
public interface Answers<A> {

  /**
   * @param index of the item in its batch
   */
  void answer(int index, Outcome<A> outcome);
}
