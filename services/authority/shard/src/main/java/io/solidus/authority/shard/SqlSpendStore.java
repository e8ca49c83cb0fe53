package io.solidus.authority.shard;

import io.solidus.authority.spend.Ok;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Siblings.Claim;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.authority.spend.SpendStore;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.PartialSignature;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The spend store in PostgreSQL. It uses two transactions for each batch: one reserves, one stores
 * the answers.
 */
class SqlSpendStore<R extends SubmittedRequest> implements SpendStore<R, PartialSignature> {

  /**
   * A rule that counts requests when they are reserved for the first time, in the same transaction.
   */
  @FunctionalInterface
  interface FirstTime<R> {

    /**
     * Counts requests.
     *
     * @throws ProtocolException when nothing of the batch may be reserved
     */
    void count(List<SpendRequest<R>> requests);

    /** The cores that may not be reserved for the first time, with the reason of each. */
    default Map<TxCore, ProtocolException> refuse(List<SpendRequest<R>> requests) {
      return Map.of();
    }
  }

  private final Ownership ownership;
  private final SerialStore serials;
  private final CoreStore cores;
  private final Reservations reservations;
  private final TransactionTemplate transaction;
  private final FirstTime<R> firstTime;

  SqlSpendStore(
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
  public Map<TxCore, Stored<PartialSignature>> answers(Collection<TxCore> wanted) {
    return cores.answers(wanted);
  }

  @Override
  public Map<SerialNumber, TxCore> holders(Collection<SerialNumber> wanted) {
    return serials.holders(wanted);
  }

  @Override
  public List<Outcome<Ok>> reserve(List<Reservation<R>> wanted) {
    List<Claim> claims = wanted.stream().map(r -> new Claim(r.request().core(), r.own())).toList();
    return reservations.reserve(
        claims,
        (held, fresh) -> {
          List<SpendRequest<R>> requests =
              wanted.stream()
                  .map(Reservation::request)
                  .filter(s -> held.contains(s.core()))
                  .toList();
          List<SpendRequest<R>> counted =
              requests.stream().filter(s -> fresh.contains(s.core())).toList();
          if (!counted.isEmpty()) {
            Map<TxCore, ProtocolException> refused = firstTime.refuse(counted);
            if (!refused.isEmpty()) {
              return refused;
            }
            firstTime.count(counted);
          }
          cores.put(requests);
          return Map.of();
        });
  }

  /**
   * Stores answers. An answer for a moved range is not stored here, because look-ups go to the new
   * owner; the new owner signs the same bytes.
   */
  @Override
  public Map<TxCore, PartialSignature> store(List<Signed<R, PartialSignature>> signed) {
    Map<TxCore, PartialSignature> answers = new HashMap<>();
    signed.forEach(s -> answers.put(s.request().core(), s.answer()));
    List<SerialNumber> leads = signed.stream().map(s -> s.request().lead()).toList();
    Set<TxCore> stored =
        transaction.execute(status -> {
          ownership.requireInTransaction(leads);
          return cores.putAnswers(answers);
        });
    for (TxCore core : List.copyOf(answers.keySet())) {
      if (!stored.contains(core)) {
        int epoch = Objects.requireNonNull(answers.remove(core)).getShareEpoch();
        cores.answer(core, epoch).ifPresent(earlier -> answers.put(core, earlier));
      }
    }
    return answers;
  }
}
