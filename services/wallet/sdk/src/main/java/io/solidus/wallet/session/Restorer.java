package io.solidus.wallet.session;

import io.solidus.protocol.Signature;
import io.solidus.protocol.Spec;
import io.solidus.wallet.model.SignedComplianceCoin;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Restores a new wallet of a known seed phrase. The mailbox gives received coins and backup copies.
 * The chain of compliance coins gives the history and a transfer in flight. Every step can be
 * repeated.
 */
@Spec("W-05")
public final class Restorer {
  private final WalletSession session;
  private final MailboxClient mailbox;
  private final Registrar registrar;
  private final ComplianceChainWalker chain;

  public Restorer(
      WalletSession session,
      MailboxClient mailbox,
      Registrar registrar,
      ComplianceChainWalker chain) {
    this.session = session;
    this.mailbox = mailbox;
    this.registrar = registrar;
    this.chain = chain;
  }

  /**
   * The result of a restore.
   *
   * @param coins number of received and minted coins found
   * @param transfers number of transfers found on the chain
   * @param registered whether the wallet has its compliance coin
   * @param disbelieved indexes of the authorities that, as reported by the gateway, returned
   *     foreign requests for this wallet's coins
   */
  public record Restored(
      int coins, int transfers, boolean registered, SortedSet<Integer> disbelieved) {}

  public Restored restore() {
    session.gatewayInfo();
    MailboxClient.Mail mail = mailbox.receive();
    registrar
        .recognise(mail.firstSignatures())
        .ifPresent(first -> session.store().update(edit -> edit.compliance = first));
    ComplianceChainWalker.Found found = chain.catchUp(registrar.firstCoin(), signature());
    if (session.store().state().compliance() == null) {
      registrar.resume(mail.cases());
    }
    return new Restored(
        mail.receivedCoins().size(),
        found.transfers(),
        session.store().state().compliance() != null,
        found.disbelieved());
  }

  private @Nullable Signature signature() {
    SignedComplianceCoin compliance = session.store().state().compliance();
    return compliance == null ? null : compliance.signature();
  }
}
