package io.solidus.wallet.session;

import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.PendingRedemption;
import java.util.List;

/** Shows the issuer finished withdrawals, which pays each of them out once. */
public final class Redeemer {
  private final WalletSession session;

  public Redeemer(WalletSession session) {
    this.session = session;
  }

  /**
   * Asks for what is outstanding; true when nothing is left. What is refused or cannot be asked
   * stays for the next occasion: its evidence is worth money.
   */
  public boolean redeem() {
    boolean all = true;
    for (PendingRedemption redemption : session.store().state().redemptions()) {
      session.options().progress().at(Progress.Step.REDEEMING);
      try {
        ask(redemption);
        session.store().update(edit -> edit.redemptions.remove(redemption));
      } catch (ProtocolException | WalletException e) {
        all = false;
      }
    }
    return all;
  }

  private void ask(PendingRedemption redemption) {
    TxCore core = redemption.request().statement().core(session.network());
    session.issuance().redeem(core, redemption.request(), partials(core, redemption));
  }

  /**
   * Those that came with the transfer, or, when a faulty gateway left some out, those that it gives
   * now.
   */
  private List<PartialSignature> partials(TxCore core, PendingRedemption redemption) {
    return redemption.partials().size() >= session.platform().committee().quorum()
        ? redemption.partials()
        : session.gateway().submitTransfer(core, redemption.request()).partials();
  }
}
