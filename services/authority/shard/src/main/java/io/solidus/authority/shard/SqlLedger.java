package io.solidus.authority.shard;

import io.solidus.authority.spend.Ledger;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Siblings.Claim;
import io.solidus.authority.spend.Spend;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.PartialSignature;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A shard's PostgreSQL as the pipeline sees it: two transactions for each batch, one that reserves
 * and one that keeps the answers.
 */
class SqlLedger<R extends Submitted> implements Ledger<R, PartialSignature> {

  /** A rule that counts what is spent for the first time, in the transaction that reserves it. */
  @FunctionalInterface
  interface FirstTime<R> {

    /**
     * @throws io.solidus.protocol.ProtocolException when nothing of the batch may be reserved
     */
    void count(List<Spend<R>> spends);
  }

  private final Ownership ownership;
  private final SerialStore serials;
  private final CoreStore cores;
  private final Reservations reservations;
  private final TransactionTemplate transaction;
  private final FirstTime<R> firstTime;

  SqlLedger(
      Ownership ownership,
      SerialStore serials,
      CoreStore cores,
      TransactionTemplate transaction,
      FirstTime<R> firstTime) {
    this.ownership = ownership;
    this.serials = serials;
    this.cores = cores;
    this.reservations = new Reservations(serials, transaction);
    this.transaction = transaction;
    this.firstTime = firstTime;
  }

  @Override
  public Map<TxCore, PartialSignature> answers(Collection<TxCore> wanted) {
    return cores.answers(wanted);
  }

  @Override
  public Map<SerialNumber, TxCore> holders(Collection<SerialNumber> wanted) {
    return serials.holders(wanted);
  }

  @Override
  public List<Outcome<Done>> reserve(List<Reservation<R>> wanted) {
    List<Claim> claims = wanted.stream().map(r -> new Claim(r.spend().core(), r.own())).toList();
    return reservations.reserve(
        claims,
        (held, fresh) -> {
          List<Spend<R>> spends =
              wanted.stream().map(Reservation::spend).filter(s -> held.contains(s.core())).toList();
          List<Spend<R>> counted = spends.stream().filter(s -> fresh.contains(s.core())).toList();
          if (!counted.isEmpty()) {
            firstTime.count(counted);
          }
          cores.put(spends);
        });
  }

  /**
   * An answer whose range moved meanwhile is not kept here, where nobody would look for it; the new
   * owner signs the same bytes.
   */
  @Override
  public Map<TxCore, PartialSignature> store(List<Signed<R, PartialSignature>> signed) {
    Map<TxCore, PartialSignature> answers = new HashMap<>();
    signed.forEach(s -> answers.put(s.spend().core(), s.answer()));
    List<SerialNumber> leads = signed.stream().map(s -> s.spend().lead()).toList();
    Set<TxCore> stored =
        transaction.execute(status -> {
          ownership.requireInTransaction(leads);
          return cores.answered(answers);
        });
    if (stored.size() < answers.size()) {
      Set<TxCore> others = new HashSet<>(answers.keySet());
      others.removeAll(stored);
      answers.keySet().retainAll(stored);
      answers.putAll(cores.answers(others));
    }
    return answers;
  }
}
