package io.solidus.edge.gateway;

/** The ways in which a fake authority answers. */
enum AuthorityBehaviour {
  HONEST(false),
  /** A point of the group that is not its signature. */
  RANDOM_POINT(true),
  /** The point at infinity. */
  IDENTITY(true),
  /** A point of the curve outside the subgroup. */
  SMALL_ORDER_POINT(true),
  /** Bytes that are not a point of the curve. */
  OFF_CURVE(true),
  /** Its own valid signature with the index of another authority. */
  WRONG_INDEX(true),
  /** A signature with another authority's share under its own index. */
  WRONG_SHARE(true),
  /** Its valid signature on other blinded coins. */
  OTHER_STATEMENT(true),
  /** One point too few. */
  TOO_FEW_POINTS(true),
  /** The points in reverse order. */
  SWAPPED_POINTS(true),
  /** Its valid signature with its vote for another core. */
  VOTE_FOR_OTHER_CORE(true),
  /** Its valid signature with another authority's vote. */
  VOTE_OF_ANOTHER(true),
  /** The valid answer of another authority, as if it were its own. */
  ANSWER_OF_ANOTHER(true),
  EMPTY_REPLY(true),
  /** A reply above the size limit. */
  HUGE_REPLY(true),
  /** Accepts the request and never answers. */
  WITHHOLDS(false),
  /** Answers honestly once the test releases it. */
  HELD(false),
  /** Ends the call with an error. */
  FAILS(false);

  private final boolean faulty;

  AuthorityBehaviour(boolean faulty) {
    this.faulty = faulty;
  }

  /** Whether the answer proves a fault of the authority. */
  boolean faulty() {
    return faulty;
  }
}
