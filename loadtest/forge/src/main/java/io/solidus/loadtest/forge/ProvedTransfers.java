package io.solidus.loadtest.forge;

import io.solidus.protocol.Family;
import io.solidus.protocol.TransferRequest;
import io.solidus.prover.KeySet;
import io.solidus.prover.SanctionTree;
import io.solidus.prover.Share;
import io.solidus.prover.Suite;
import io.solidus.prover.Verifier;
import io.solidus.wallet.proving.ProofCheck;
import io.solidus.wallet.proving.ProofSource;
import io.solidus.wallet.trust.Rules;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Transfers made and proved by the wallet's code. Each has a payer of its own, whose compliance
 * coin and funds are signed with the committee's shares from the key directory. That needs a
 * directory of one dealer: no party holds all shares of a ceremony. A proof takes seconds.
 */
public final class ProvedTransfers implements AutoCloseable {
  private final List<Share> shares;
  private final SanctionTree tree;
  private final Verifier verifier;
  private final PayingWallet.Bank bank;

  /**
   * Opens the shares and builds the sanction tree.
   *
   * @param dir of the keys, with shares
   * @param keys opened from that directory; the caller closes them
   * @param proofs the prover
   */
  public ProvedTransfers(Path dir, KeySet keys, PublishedRules published, ProofSource proofs) {
    this.shares = shares(dir, keys);
    this.tree = SanctionTree.build(keys.network(), published.list().toBytes());
    if (!tree.root().equals(published.checkpoint().root())) {
      close(null);
      throw new ForgeException(
          "the sanction list does not have the root that its checkpoint states");
    }
    this.verifier = Verifier.open(keys, keys.committee());
    this.bank =
        new PayingWallet.Bank(
            keys.committee(),
            keys.circuitVersion(Family.TRANSFER),
            new Suite(keys.network()),
            shares,
            new Rules(published.policy(), published.checkpoint(), tree),
            proofs,
            ProofCheck.of(verifier));
  }

  private static List<Share> shares(Path dir, KeySet keys) {
    List<Share> shares = new ArrayList<>();
    for (int index = 1; index <= keys.committee().quorum(); index++) {
      shares.add(LoadTestKeys.share(dir, index));
    }
    return shares;
  }

  /**
   * The transfer of an index. The same seed and index give the same statement and another proof.
   */
  public TransferRequest prove(String seed, long index) {
    try (PayingWallet payer = new PayingWallet(bank, seed, index, "payer");
        PayingWallet payee = new PayingWallet(bank, seed, index, "payee")) {
      return payer.pay(payee);
    }
  }

  @Override
  public void close() {
    close(verifier);
  }

  private void close(@Nullable Verifier open) {
    if (open != null) {
      open.close();
    }
    tree.close();
    shares.forEach(Share::close);
  }
}
