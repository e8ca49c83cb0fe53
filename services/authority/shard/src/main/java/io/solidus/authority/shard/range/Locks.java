package io.solidus.authority.shard.range;

/** Numbers that nothing else in an authority's database locks. */
final class Locks {

  /** For a transaction that writes maps or ownership rows. */
  static final long RANGES = 0x736f6c6964757302L;

  /** For the process that carries out a split. */
  static final long SPLITTING = 0x736f6c6964757303L;

  private Locks() {}
}
