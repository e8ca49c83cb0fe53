package io.solidus.authority.shard;

import org.springframework.transaction.support.TransactionTemplate;

/** The tables of a shard, with the transactions that write them. */
record ShardStores(
    Ownership ownership, SerialStore serials, CoreStore cores, TransactionTemplate transaction) {

  <R extends SubmittedRequest> SqlSpendStore<R> spends(SqlSpendStore.FirstTime<R> firstTime) {
    return new SqlSpendStore<>(ownership, serials, cores, transaction, firstTime);
  }

  Reservations reservations() {
    return new Reservations(serials, transaction);
  }
}
