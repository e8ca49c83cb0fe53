package io.solidus.authority.signer.log;

/**
 * A place in the sign-log's file.
 *
 * @param at the records before it
 * @param offset the bytes before it
 */
record Mark(LogPosition at, long offset) {

  static Mark beginningOf(LogPosition genesis) {
    return new Mark(genesis, 0);
  }
}
