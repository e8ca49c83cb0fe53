package io.solidus.authority.spend;

/** What the rules in force say about a new core, before anything is spent on it. */
@FunctionalInterface
public interface Admission<R> {

  /**
   * @throws io.solidus.protocol.ProtocolException naming the rule that says no
   */
  void require(Spend<R> spend);
}
