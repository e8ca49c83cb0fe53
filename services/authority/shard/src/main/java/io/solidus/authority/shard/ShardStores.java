package io.solidus.authority.shard;

import io.solidus.authority.shard.SubmittedRequest.Recover;
import org.springframework.transaction.support.TransactionTemplate;

/** The tables of a shard, with the transactions that write them. */
record ShardStores(
    Ownership ownership,
    SerialStore serials,
    CoreStore cores,
    RecoverStore recovers,
    TransactionTemplate transaction) {

  <R extends SubmittedRequest> SqlSpendStore<R> spends(SqlSpendStore.FirstTime<R> firstTime) {
    return new SqlSpendStore<>(ownership, serials, cores, transaction, firstTime);
  }

  /** The store of recovers, which are counted nowhere. */
  SqlSpendStore<Recover> recoverSpends() {
    return new SqlSpendStore<>(ownership, serials, recovers, transaction, requests -> {});
  }

  Reservations reservations() {
    return new Reservations(serials, transaction);
  }
}
