package io.solidus.wallet.trust;

import io.solidus.protocol.Committee;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.TokenKeyList;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;

/**
 * Verifies the keys of tokens. Each authority countersigns one key for a day, and two quorums share
 * an honest authority, so all wallets have the same keys.
 */
public final class TokenKeys {
  private TokenKeys() {}

  /**
   * Reads a note.
   *
   * @throws WalletException {@code rules-untrusted} when the note is malformed or fewer than 2f+1
   *     authorities countersigned it
   */
  public static TokenKeyList read(Committee committee, NetworkId network, String note) {
    String text =
        CountersignatureCheck.text(committee, note, "list of token keys", committee.quorum());
    try {
      return TokenKeyList.parse(network, text);
    } catch (ProtocolException e) {
      throw new WalletException(
          WalletError.RULES_UNTRUSTED,
          "the list of token keys does not have the expected text: " + e.detail(),
          e);
    }
  }
}
