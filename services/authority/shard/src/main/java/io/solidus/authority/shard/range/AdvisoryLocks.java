package io.solidus.authority.shard.range;

/** Keys of advisory locks; nothing else in the database of an authority uses them. */
final class AdvisoryLocks {

  /** Held by a transaction that writes maps or ownership rows. */
  static final long RANGES = 0x736f6c6964757302L;

  /** Held by the process that carries out a split. */
  static final long SPLITTING = 0x736f6c6964757303L;

  private AdvisoryLocks() {}
}
