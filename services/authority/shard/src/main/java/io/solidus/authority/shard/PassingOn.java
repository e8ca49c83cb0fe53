package io.solidus.authority.shard;

import io.solidus.authority.spend.Ledger.Done;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Signer;
import io.solidus.authority.spend.Spend;
import io.solidus.authority.spend.batch.Turns;
import java.util.List;

/**
 * A signer's port that lets the next batch begin as soon as one is checked: what follows waits more
 * than it computes.
 */
record PassingOn<R, A>(Signer<R, A> inner, Turns turns) implements Signer<R, A> {

  @Override
  public List<Outcome<Done>> check(List<Spend<R>> spends) {
    try {
      return inner.check(spends);
    } finally {
      turns.passOn();
    }
  }

  @Override
  public List<Outcome<A>> sign(List<Spend<R>> spends) {
    return inner.sign(spends);
  }
}
