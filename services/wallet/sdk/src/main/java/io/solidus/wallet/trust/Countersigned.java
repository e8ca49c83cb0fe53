package io.solidus.wallet.trust;

import io.solidus.protocol.Committee;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SignedNote;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import java.util.List;

/**
 * Notes that f+1 authorities countersigned, so that at least one honest authority serves the same
 * rules to everybody: a wallet shown a policy or a list of its own would be tagged by it.
 */
final class Countersigned {
  private Countersigned() {}

  /**
   * The note's text.
   *
   * @throws WalletException {@code rules-untrusted} when it is malformed or fewer than f+1
   *     authorities signed it
   */
  static String text(Committee committee, String note, String what) {
    SignedNote signed = parse(note, what);
    long countersigned =
        committee.members().stream().filter(member -> signedBy(signed, member)).count();
    if (countersigned < committee.weakQuorum()) {
      throw new WalletException(
          WalletError.RULES_UNTRUSTED,
          "the "
              + what
              + " carries "
              + countersigned
              + " valid countersignatures; "
              + committee.weakQuorum()
              + " are needed");
    }
    return signed.text();
  }

  private static SignedNote parse(String note, String what) {
    try {
      return SignedNote.parse(note);
    } catch (ProtocolException e) {
      throw new WalletException(
          WalletError.RULES_UNTRUSTED, "the " + what + " is not a signed note: " + e.detail(), e);
    }
  }

  /** A wrong line of one authority says nothing about the others. */
  private static boolean signedBy(SignedNote note, CommitteeMember member) {
    try {
      return !note.verifiedBy(List.of(member.countersigner())).isEmpty();
    } catch (ProtocolException e) {
      return false;
    }
  }
}
