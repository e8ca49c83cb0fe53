package io.solidus.wallet.trust;

import io.solidus.protocol.Digest32;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.RuleMark;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Rejects rules older than those seen before, and a second text of one version. */
final class RollbackGuard {
  private RollbackGuard() {}

  /**
   * The mark to store when this text is used.
   *
   * @param what name of the rule for error texts
   * @throws WalletException {@code rules-rolled-back}
   */
  static RuleMark advance(@Nullable RuleMark seen, long version, String text, String what) {
    RuleMark mark = new RuleMark(version, Digest32.sha256(text.getBytes(StandardCharsets.UTF_8)));
    if (seen != null && version < seen.version()) {
      throw new WalletException(
          WalletError.RULES_ROLLED_BACK,
          "version "
              + version
              + " of "
              + what
              + " is offered after version "
              + seen.version()
              + " was seen");
    }
    if (seen != null && version == seen.version() && !mark.digest().equals(seen.digest())) {
      throw new WalletException(
          WalletError.RULES_ROLLED_BACK,
          "another text of version "
              + version
              + " of "
              + what
              + " is offered than was seen before");
    }
    return mark;
  }
}
