package io.solidus.authority.spend;

import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * This shard's durable state. A method throws when nothing of the batch can be said to have
 * happened.
 */
public interface Ledger<R, A> {

  /**
   * The serial numbers of this shard's own range that a spend uses up; they may be all of them, and
   * always hold the lead one.
   */
  record Reservation<R>(Spend<R> spend, List<SerialNumber> own) {
    public Reservation {
      own = List.copyOf(own);
    }
  }

  /** An answer that was just signed. */
  record Signed<R, A>(Spend<R> spend, A answer) {}

  /** The answers stored for these cores; a core that is merely reserved has none. */
  Map<TxCore, A> answers(Collection<TxCore> cores);

  /** Which cores hold these serial numbers of this shard's range; absent ones are unspent. */
  Map<SerialNumber, TxCore> holders(Collection<SerialNumber> serials);

  /**
   * Holds the serial numbers of each reservation for its core, all of them or none, and keeps the
   * request. What the same core holds already counts as success. No two reservations of the list
   * want the same serial number, and no two have the same core. Whatever is reported as done is
   * durable.
   *
   * @return one outcome for each, in order: done, or serial-conflict, shard-moved and the like
   */
  List<Outcome<Done>> reserve(List<Reservation<R>> reservations);

  /**
   * Keeps answers, once for each core.
   *
   * @return the answer that is stored now: the given one, or an earlier one when another request of
   *     the same core was faster
   */
  Map<TxCore, A> store(List<Signed<R, A>> answers);

  /** There is nothing to say but that it was done. */
  enum Done {
    DONE
  }
}
