package io.solidus.wallet.trust;

import io.solidus.protocol.Committee;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.Spec;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import java.util.List;

/**
 * Verifies that f+1 authorities countersigned a note, so that at least one honest authority serves
 * the same rules to all wallets. Rules made for a single wallet would make its transfers
 * recognisable.
 */
@Spec("F-27")
final class CountersignatureCheck {
  private CountersignatureCheck() {}

  /**
   * The text of a verified note.
   *
   * @param what name of the note for error texts
   * @throws WalletException {@code rules-untrusted} when the note is malformed or fewer than f+1
   *     authorities countersigned it
   */
  static String text(Committee committee, String note, String what) {
    return text(committee, note, what, committee.weakQuorum());
  }

  /**
   * As {@link #text(Committee, String, String)}.
   *
   * @param needed countersignatures
   */
  static String text(Committee committee, String note, String what, int needed) {
    SignedNote signed = parse(note, what);
    long countersigned =
        committee.members().stream().filter(member -> signedBy(signed, member)).count();
    if (countersigned < needed) {
      throw new WalletException(
          WalletError.RULES_UNTRUSTED,
          "the "
              + what
              + " carries "
              + countersigned
              + " valid countersignatures; "
              + needed
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

  /** An invalid line of one authority does not invalidate the lines of the others. */
  private static boolean signedBy(SignedNote note, CommitteeMember member) {
    try {
      return !note.verifiedBy(List.of(member.countersigner())).isEmpty();
    } catch (ProtocolException e) {
      return false;
    }
  }
}
