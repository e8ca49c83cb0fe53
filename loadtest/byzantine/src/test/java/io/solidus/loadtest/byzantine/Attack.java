package io.solidus.loadtest.byzantine;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * How a faulty authority answers a transfer, and which of the gateway's reasons it proves against
 * itself; none when it proves nothing.
 */
enum Attack {
  /** A good point of the group that is no signature. */
  RANDOM_POINT("wrong-signature"),
  IDENTITY("malformed-partial"),
  OFF_CURVE("wrong-signature"),
  WRONG_SUBGROUP("wrong-signature"),
  /** Coordinates beyond the modulus. */
  NOT_CANONICAL("malformed-partial"),
  /** Its valid signature on the same outputs under another input digest. */
  OTHER_MESSAGE("wrong-signature"),
  /** Its own answer to an earlier transfer. */
  OTHER_CORE("wrong-signature"),
  /** What a colleague's share signs, under its own number. */
  COLLEAGUES_SHARE("wrong-signature"),
  /** A colleague's whole answer, replayed. */
  COLLEAGUES_ANSWER("wrong-sender"),
  /** Its own signature under a colleague's number. */
  COLLEAGUES_NUMBER("wrong-sender"),
  /** The share of another committee. */
  OTHER_KEY("wrong-signature"),
  /** A valid signature that is said to be of another epoch. */
  OTHER_EPOCH,
  SWAPPED("wrong-signature"),
  /** The last output's point is wrong, the others are right. */
  LAST_WRONG("wrong-signature"),
  TOO_FEW("wrong-point-count"),
  TOO_MANY("malformed-partial"),
  NO_POINTS("malformed-partial"),
  EMPTY_REPLY("empty-reply"),
  /** Bytes that are no message. */
  GARBAGE("unreadable-reply"),
  /** A message longer than any of the protocol. */
  HUGE("unreadable-reply"),
  /** Takes the request and never answers. */
  WITHHOLDS,
  /** Its bytes come one at a time. */
  DRIPS,
  /** Closes the connection in the middle of what it sends. */
  CUTS,
  /** Fails the call. */
  FAILS,
  /** A final refusal that may rest on what it stores. */
  SAYS_CONFLICT,
  /** A final refusal of what everybody can check. */
  SAYS_INVALID("disputes-evidence"),
  /** Refuses for a reason that passes, for ever. */
  SAYS_LATER,
  SAYS_OVERLOADED,
  /** A code nobody knows, with half a megabyte of words. */
  SAYS_NONSENSE,
  /** Sends the gateway on with a map that it did not sign. */
  FORGED_MAP("forged-shard-map"),
  /** Sends the gateway on, with nothing to go by. */
  NO_MAP,
  /** Signs two maps of one version. */
  TWO_MAPS("conflicting-shard-maps"),
  /**
   * Signs whatever it is given; indistinguishable from an honest one until somebody spends twice.
   */
  SIGNS_BOTH,
  /** One of the above, drawn anew for every request. */
  ANY(reasons());

  private final Set<String> proves;

  Attack(String... proves) {
    this.proves = Set.of(proves);
  }

  private static String[] reasons() {
    return new String[] {
      "wrong-signature",
      "malformed-partial",
      "wrong-sender",
      "wrong-point-count",
      "empty-reply",
      "unreadable-reply",
      "contradicts-quorum",
      "disputes-evidence",
      "forged-shard-map",
      "conflicting-shard-maps"
    };
  }

  /** Reasons for which the gateway may name an authority that does this, and no others. */
  Set<String> proves() {
    return proves;
  }

  /** Whether every single answer of this kind proves it. */
  boolean alwaysProves() {
    return !proves.isEmpty() && this != ANY;
  }

  /** What {@link #ANY} draws from: everything that is an answer and not the network's doing. */
  static List<Attack> answers() {
    return Arrays.stream(values())
        .filter(attack -> !Set.of(ANY, WITHHOLDS, DRIPS, CUTS, TWO_MAPS).contains(attack))
        .toList();
  }
}
