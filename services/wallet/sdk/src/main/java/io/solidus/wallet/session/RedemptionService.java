package io.solidus.wallet.session;

import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.PendingRedemption;
import java.util.List;

/** Requests the payouts of finished withdrawals from the issuer, which pays each of them once. */
public final class RedemptionService {
  private final WalletSession session;

  public RedemptionService(WalletSession session) {
    this.session = session;
  }

  /**
   * Requests the outstanding payouts. Returns whether none is left. A refused or failed request
   * stays stored and is repeated by the next command, because its evidence is worth money.
   */
  public boolean redeem() {
    boolean all = true;
    for (PendingRedemption redemption : session.store().state().redemptions()) {
      session.options().progress().at(Progress.Step.REDEEMING);
      try {
        request(redemption);
        session.store().update(edit -> edit.redemptions.remove(redemption));
      } catch (ProtocolException | WalletException e) {
        all = false;
      }
    }
    return all;
  }

  private void request(PendingRedemption redemption) {
    TxCore core = redemption.request().statement().core(session.network());
    session.issuance().redeem(core, redemption.request(), partials(core, redemption));
  }

  /**
   * The partial signatures that were stored with the transfer. If a faulty gateway omitted some,
   * the transfer is submitted again for them.
   */
  private List<PartialSignature> partials(TxCore core, PendingRedemption redemption) {
    return redemption.partials().size() >= session.platform().committee().quorum()
        ? redemption.partials()
        : session.gateway().submitTransfer(core, redemption.request()).partials();
  }
}
