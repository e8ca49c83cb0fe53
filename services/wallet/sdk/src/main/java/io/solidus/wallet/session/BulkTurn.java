package io.solidus.wallet.session;

import io.solidus.protocol.Apk;
import io.solidus.protocol.ProtocolException;
import io.solidus.wallet.model.BulkLine;
import io.solidus.wallet.model.BulkTag;
import java.util.List;

/**
 * The payments of a list by the rules that are in force now, in the way of a network's kind. The
 * wallet knows all transfers that any copy of it made.
 */
public interface BulkTurn {
  boolean isListed(Apk payee);

  /** The most payees of one transfer. */
  int payees();

  /**
   * Whether this wallet could pay more with one transfer, and only the gateway does not take it.
   */
  boolean isDenied();

  /**
   * The number of transfers that the lines take.
   *
   * @throws ProtocolException the limit, or insufficient-funds, when they cannot all be paid
   */
  int transfers(List<BulkLine> lines);

  /**
   * Makes one transfer: that which pays these lines and no others, or a claim that has to come
   * first. What is open then has to be asked again: a conflict may have shown transfers of another
   * copy of the wallet.
   */
  void pay(BulkTag tag, List<BulkLine> lines);
}
