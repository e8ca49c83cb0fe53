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
 * Transfers that were really made and really proved, by the wallet's own code: each has a payer of
 * its own, whose compliance coin and funds were signed with the committee's shares out of the key
 * directory. That takes a directory which one party made; whoever holds a ceremony's keys cannot do
 * it. A proof takes seconds.
 */
public final class ProvedTransfers implements AutoCloseable {
  private final List<Share> shares;
  private final SanctionTree tree;
  private final Verifier verifier;
  private final Customer.Bank bank;

  /**
   * @param dir of the keys, with shares
   * @param keys as opened from there; the caller's, who closes them
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
        new Customer.Bank(
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
   * The transfer of that index: the same seed and index give the same statement, though not the
   * same proof.
   */
  public TransferRequest prove(String seed, long index) {
    try (Customer payer = new Customer(bank, seed, index, "payer");
        Customer payee = new Customer(bank, seed, index, "payee")) {
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
