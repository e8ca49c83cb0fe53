package io.solidus.authority.spend;

import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** This shard's durable state. A method that throws makes no statement about any item. */
public interface SpendStore<R, A> {

  /**
   * A request with the serial numbers to reserve for it here.
   *
   * @param own the request's serial numbers in this shard's range: always the lead one, perhaps all
   */
  record Reservation<R>(SpendRequest<R> request, List<SerialNumber> own) {
    public Reservation {
      own = List.copyOf(own);
    }
  }

  /** A request and the answer that was just signed for it. */
  record Signed<R, A>(SpendRequest<R> request, A answer) {}

  /**
   * A stored answer.
   *
   * @param current whether it is in the epoch of this authority's shares, or a newer one
   */
  record Stored<A>(A answer, boolean current) {}

  /** The newest answers stored for these cores; a core that is only reserved has none. */
  Map<TxCore, Stored<A>> answers(Collection<TxCore> cores);

  /** The cores that hold these serial numbers of this shard's range; absent ones are unspent. */
  Map<SerialNumber, TxCore> holders(Collection<SerialNumber> serials);

  /**
   * Reserves the serial numbers of each reservation for its core, all of them or none, and stores
   * the request. A serial number that the same core already holds, or a core below it, counts as
   * success and stays as it is. No two reservations of the list name the same serial number, and no
   * two have the same core. A reported success is durable.
   *
   * @return one outcome for each, in order: ok, or a rejection such as serial-conflict or
   *     shard-moved
   */
  List<Outcome<Ok>> reserve(List<Reservation<R>> reservations);

  /**
   * Stores answers, once for each core and epoch.
   *
   * @return the answer that is stored now in the epoch of the given one: the given one, or an
   *     earlier one when another request of the same core was faster
   */
  Map<TxCore, A> store(List<Signed<R, A>> answers);
}
