package io.solidus.authority.shard;

import io.solidus.authority.spend.SpendRequest;
import io.solidus.authority.spend.SpendStore.Stored;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.PartialSignature;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The tables of a kind of requests that a shard coordinates, with their answers. */
interface StoredRequests {

  /** The newest stored answers in this shard's range. */
  Map<TxCore, Stored<PartialSignature>> answers(Collection<TxCore> cores);

  /** Stores requests in the caller's transaction. */
  <R extends SubmittedRequest> void put(Collection<SpendRequest<R>> requests);

  /**
   * Stores answers in the caller's transaction, once for each core and epoch.
   *
   * @return the cores whose answer was stored; for the others another request of the same core was
   *     faster
   */
  Set<TxCore> putAnswers(Map<TxCore, PartialSignature> signed);

  /** The stored answer of a core in one epoch. */
  Optional<PartialSignature> answer(TxCore core, int epoch);
}
