package io.solidus.edge.gateway;

/** How a fake authority answers. */
enum Behaviour {
  HONEST(false),
  /** A good point of the group, but not its signature. */
  RANDOM_POINT(true),
  /** The point at infinity. */
  IDENTITY(true),
  /** A point of the curve outside the subgroup. */
  SMALL_ORDER_POINT(true),
  /** Bytes that are no point of the curve. */
  OFF_CURVE(true),
  /** Its own valid signature under a colleague's number. */
  WRONG_INDEX(true),
  /** A colleague's share under its own number. */
  WRONG_SHARE(true),
  /** Its valid signature on other blinded coins. */
  OTHER_STATEMENT(true),
  /** One point too few. */
  TOO_FEW_POINTS(true),
  /** The points in exchanged order. */
  SWAPPED_POINTS(true),
  EMPTY_REPLY(true),
  /** A reply beyond every limit. */
  HUGE_REPLY(true),
  /** Takes the request and never answers. */
  WITHHOLDS(false),
  /** Answers honestly after a while. */
  SLOW(false),
  /** Breaks the call. */
  FAILS(false);

  private final boolean faulty;

  Behaviour(boolean faulty) {
    this.faulty = faulty;
  }

  /** Whether the gateway can prove the authority wrong. */
  boolean faulty() {
    return faulty;
  }
}
