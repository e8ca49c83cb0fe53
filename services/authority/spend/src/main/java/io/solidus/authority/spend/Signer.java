package io.solidus.authority.spend;

import java.util.List;

/**
 * The process of this authority that holds the key share. It signs only what it has checked itself
 * and finds reserved.
 */
public interface Signer<R, A> {

  /** One outcome for each: ok when the signer would sign the request once it is reserved. */
  List<Outcome<Ok>> check(List<SpendRequest<R>> requests);

  /** Deterministic: within one share epoch the same core always gets the same answer. */
  List<Outcome<A>> sign(List<SpendRequest<R>> requests);
}
