package io.solidus.loadtest.byzantine;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * A faulty authority's answer to a transfer, and the reason for which the gateway may then report
 * it, if any.
 */
enum Attack {
  /** A valid point of the group that is not a signature. */
  RANDOM_POINT("wrong-signature"),
  IDENTITY("malformed-partial"),
  OFF_CURVE("wrong-signature"),
  WRONG_SUBGROUP("wrong-signature"),
  /** Coordinates beyond the modulus. */
  NOT_CANONICAL("malformed-partial"),
  /** Its valid signature on the same outputs under another input digest. */
  OTHER_MESSAGE("wrong-signature"),
  /** Its own answer to an earlier transfer. */
  OTHER_CORE("wrong-vote"),
  /** Its own valid signature with its vote for another core. */
  OTHER_VOTE("wrong-vote"),
  /** Its own valid signature with the vote of another authority. */
  PEER_VOTE("wrong-vote"),
  /** A signature of another authority's share, under its own number. */
  PEER_SHARE("wrong-signature"),
  /** The replayed answer of another authority. */
  PEER_ANSWER("wrong-sender"),
  /** Its own signature under another authority's number. */
  PEER_NUMBER("wrong-sender"),
  /** A signature of a share of another committee. */
  OTHER_KEY("wrong-signature"),
  /** A valid signature with another epoch. */
  OTHER_EPOCH,
  SWAPPED("wrong-signature"),
  /** Only the last output's point is wrong. */
  LAST_WRONG("wrong-signature"),
  TOO_FEW("wrong-point-count"),
  TOO_MANY("wrong-point-count"),
  NO_POINTS("malformed-partial"),
  EMPTY_REPLY("empty-reply"),
  /** Bytes that are not a message. */
  GARBAGE("unreadable-reply"),
  /** A message that is longer than the protocol allows. */
  HUGE("unreadable-reply"),
  /** Never answers. */
  WITHHOLDS,
  /** Sends one byte at a time. */
  DRIPS,
  /** Closes the connection within its answer. */
  CUTS,
  /** Fails the call. */
  FAILS,
  /** A final refusal that may depend on stored state. */
  SAYS_CONFLICT,
  /** A final refusal of a fact that every authority can check. */
  SAYS_INVALID("disputes-evidence"),
  /** Repeats a retryable refusal for ever. */
  SAYS_LATER,
  SAYS_OVERLOADED,
  /** An unknown code with half a megabyte of detail. */
  SAYS_NONSENSE,
  /** Refers the gateway to another shard with a map that it did not sign. */
  FORGED_MAP("forged-shard-map"),
  /** Refers the gateway to another shard without a map. */
  NO_MAP,
  /** Signs two maps of one version. */
  TWO_MAPS("conflicting-shard-maps"),
  /** Signs every request; it looks correct until a wallet spends twice. */
  SIGNS_BOTH,
  /** A random one of the above for every request. */
  ANY;

  private final String reason;

  Attack() {
    this("");
  }

  Attack(String reason) {
    this.reason = reason;
  }

  /** The only reasons for which the gateway may report an authority with this attack. */
  Set<String> proves() {
    if (this == ANY) {
      return Set.of(
          "wrong-signature",
          "wrong-vote",
          "malformed-partial",
          "wrong-sender",
          "wrong-point-count",
          "empty-reply",
          "unreadable-reply",
          "contradicts-quorum",
          "disputes-evidence",
          "forged-shard-map",
          "conflicting-shard-maps");
    }
    return reason.isEmpty() ? Set.of() : Set.of(reason);
  }

  /** Whether every answer of this kind proves the attack. */
  boolean alwaysProves() {
    return !reason.isEmpty();
  }

  /** The choices of {@link #ANY}: attacks by an answer, not by the connection. */
  static List<Attack> answers() {
    return Arrays.stream(values())
        .filter(attack -> !Set.of(ANY, WITHHOLDS, DRIPS, CUTS, TWO_MAPS).contains(attack))
        .toList();
  }
}
