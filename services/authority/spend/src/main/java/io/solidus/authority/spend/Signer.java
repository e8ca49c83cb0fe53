package io.solidus.authority.spend;

import io.solidus.authority.spend.Ledger.Done;
import java.util.List;

/**
 * This authority's only holder of its key share. It signs what it checked itself and finds
 * reserved, and nothing else.
 */
public interface Signer<R, A> {

  /** One verdict for each: done when the signer would sign, apart from what is stored. */
  List<Outcome<Done>> check(List<Spend<R>> spends);

  /** Deterministic: the same core gets the same answer for ever (within one share epoch). */
  List<Outcome<A>> sign(List<Spend<R>> spends);
}
