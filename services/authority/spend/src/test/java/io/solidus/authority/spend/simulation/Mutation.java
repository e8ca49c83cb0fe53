package io.solidus.authority.spend.simulation;

/**
 * A guard of the simulated world that a test removes; some seed has to fail then. The guards of the
 * pipeline are in {@link PipelineMutant}.
 */
enum Mutation {
  SIGNER_IGNORES_RESERVATIONS("the signer trusts a caller with a token about reservations"),
  SIGNER_BEHIND_THE_DATABASE(
      "the signer does not compare its log with the database when it starts"),
  ANCHOR_NOT_COMPARED("the signer does not check whether its log reaches the anchor"),
  ANCHOR_MOVES_FROM_ANYWHERE("the anchor is set without comparing its old position"),
  ANCHOR_MOVES_WITHOUT_ROWS("the anchor moves without a check of the rows it covers"),
  SIGNATURE_BEFORE_LOG_SYNC("a signature leaves before the log is fsynced"),
  SIGNATURE_BEFORE_ANCHOR("a signature leaves before the anchor has moved past it"),
  COMMIT_NOT_DURABLE("a commit answers before it is flushed"),
  STANDBY_NOT_AWAITED("a commit answers before it is on the standby"),
  CANCELLED_WAIT_IS_DURABLE("a cancelled wait for the standby counts as durable"),
  RETRY_WITHOUT_DURABLE_MARK("a reservation that exists already counts as durable"),
  OWNERSHIP_NOT_IN_TRANSACTION("a reservation does not read the ownership row"),
  SERIALS_NOT_UNIQUE("the table of serial numbers has no primary key"),
  HOLDERS_OF_A_MOVED_RANGE("a shard answers for serial numbers of a range that it gave away"),
  SPLIT_LEAVES_OLD_OWNER(
      "a split gives the range to the new shard without taking it from the old one"),
  SPLIT_LEAVES_ROWS_BEHIND("a split does not copy the rows of the range"),
  SPLIT_WITHOUT_CAPTURE("a split copies rows but misses those written after the copy"),
  SPLIT_CHANGES_OWNER_BEFORE_COPY("a split changes the owner before the rows are copied"),
  ANSWERS_KEYED_BY_REQUEST("an answer is stored for the request's bytes, not for the core"),
  DUPLICATE_SERIALS_ALLOWED("a statement may name one serial number twice"),
  CERTIFICATE_COUNTS_COPIES("a certificate may hold one partial signature twice"),
  QUORUM_OF_2F("2f partial signatures make a signature"),
  FINISH_WITH_F("f partial signatures finish a core outside the window"),
  NO_FINISH_RULE("f+1 partial signatures do not finish a core outside the window"),
  PARTIALS_NOT_CHECKED("the gateway counts a partial signature it did not check"),
  PARTIAL_OF_ANOTHER_CORE_COUNTS("the gateway checks whose partial signature it is, not of what"),
  ANSWERS_COUNT_TWICE("the gateway counts answers instead of authorities"),
  EPOCHS_COUNT_TOGETHER("partial signatures of different epochs count together"),
  ANSWERS_OF_A_FORMER_EPOCH_STAY("a stored answer of a former epoch is not signed again"),
  F_REFUSALS_ARE_FINAL("f final refusals end a payment"),
  EVERY_AUTHORITY_HAS_TO_ANSWER("the gateway waits for every authority"),
  CLOCKS_OF_MANY_WRONG("the clocks of more than f authorities are wrong"),
  SPENT_INPUT_PROVEN_BY_ANYTHING("an input needs no signature of a quorum");

  private final String meaning;

  Mutation(String meaning) {
    this.meaning = meaning;
  }

  String meaning() {
    return meaning;
  }
}
