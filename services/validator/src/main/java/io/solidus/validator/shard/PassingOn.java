package io.solidus.validator.shard;

import io.solidus.validator.batch.Turns;
import io.solidus.validator.spend.Ledger.Done;
import io.solidus.validator.spend.Outcome;
import io.solidus.validator.spend.Signer;
import io.solidus.validator.spend.Spend;
import java.util.List;

/** A signer's port that lets the next batch begin as soon as one is checked: what follows waits more than it computes. */
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
