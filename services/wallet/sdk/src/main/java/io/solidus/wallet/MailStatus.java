package io.solidus.wallet;

import io.solidus.wallet.model.MailPlace;
import io.solidus.wallet.model.WalletState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far a wallet has read its mail, as of its file.
 *
 * @param privately whether it reads with private queries; otherwise {@link Wallet#receive} reads
 *     all that there is
 * @param upTo time of the list of tables up to which it knows what came; null before the first
 *     private reading
 * @param waiting messages that may be payments to this wallet and whose bodies it has not got:
 *     about one an hour is asked for. Copies of its own coins are among them, and one of 65,536
 *     messages of others
 * @param overdue such messages that waited longer than a day: {@link Wallet#receiveWhole} brings
 *     them, and shows the gateway that something waited
 * @param nextQuery when the next one is asked for, whether or not one waits; null before the first
 */
public record MailStatus(
    boolean privately,
    @Nullable Instant upTo,
    int waiting,
    int overdue,
    @Nullable Instant nextQuery) {

  static MailStatus of(WalletState state, boolean privately) {
    MailPlace place = state.mailPlace();
    if (!privately || place == null) {
      return new MailStatus(privately, null, 0, 0, null);
    }
    return new MailStatus(
        true,
        Instant.ofEpochSecond(place.list().closed()),
        place.waiting().size(),
        place.overdue(),
        Instant.ofEpochMilli(state.nextMailQuery()));
  }
}
