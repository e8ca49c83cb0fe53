package io.solidus.wallet.session;

import io.solidus.protocol.Signature;
import io.solidus.protocol.Spec;
import io.solidus.wallet.model.SignedComplianceCoin;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Brings an empty wallet of a known seed phrase back: the mailbox gives received coins and copies
 * to self, the chain of compliance coins gives the history and what was in flight. Every step can
 * be repeated.
 */
@Spec("W-05")
public final class Restorer {
  private final WalletSession session;
  private final Courier courier;
  private final Registrar registrar;
  private final ChainWalker chain;

  public Restorer(WalletSession session, Courier courier, Registrar registrar, ChainWalker chain) {
    this.session = session;
    this.courier = courier;
    this.registrar = registrar;
    this.chain = chain;
  }

  /**
   * What came back.
   *
   * @param coins received or minted
   * @param transfers found on the chain
   * @param disbelieved numbers of the authorities, by the gateway's word, that showed transfers as
   *     this wallet's that are not
   */
  public record Restored(
      int coins, int transfers, boolean registered, SortedSet<Integer> disbelieved) {}

  public Restored restore() {
    session.gatewayInfo();
    Courier.Mail mail = courier.receive();
    registrar
        .recognise(mail.firstSignatures())
        .ifPresent(first -> session.store().update(edit -> edit.compliance = first));
    ChainWalker.Found found = chain.catchUp(registrar.firstCoin(), signature());
    if (session.store().state().compliance() == null) {
      registrar.resume(mail.cases());
    }
    return new Restored(
        mail.receipts().size(),
        found.transfers(),
        session.store().state().compliance() != null,
        found.disbelieved());
  }

  private @Nullable Signature signature() {
    SignedComplianceCoin compliance = session.store().state().compliance();
    return compliance == null ? null : compliance.signature();
  }
}
