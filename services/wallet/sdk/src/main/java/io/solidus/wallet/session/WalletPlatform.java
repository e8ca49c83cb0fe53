package io.solidus.wallet.session;

import io.solidus.protocol.Committee;
import io.solidus.protocol.NetworkKind;
import io.solidus.prover.KeySet;
import io.solidus.prover.NativeException;
import io.solidus.prover.Prover;
import io.solidus.prover.Suite;
import io.solidus.prover.Verifier;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.WalletProfile;
import io.solidus.wallet.proving.LocalProofs;
import io.solidus.wallet.proving.ProofCheck;
import io.solidus.wallet.proving.ProofSource;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A network's verified keys and what is built on them. It is large (proving keys), so wallets of
 * one network in one process share one; it has to outlive them.
 */
public final class WalletPlatform implements AutoCloseable {
  private final KeySet keys;
  private final Suite suite;
  private final Verifier verifier;
  private final Prover prover;
  private final boolean ownsKeys;
  private final ProofSource proofs;
  private final ProofCheck check;

  private WalletPlatform(KeySet keys, Prover prover, boolean ownsKeys) {
    this(keys, prover, ownsKeys, new LocalProofs(prover), null);
  }

  private WalletPlatform(
      KeySet keys,
      Prover prover,
      boolean ownsKeys,
      ProofSource proofs,
      @Nullable ProofCheck check) {
    if (keys.kind() != NetworkKind.REGULATED) {
      throw new WalletException(
          WalletError.NOT_SUPPORTED, "this wallet works on regulated networks");
    }
    this.keys = keys;
    this.suite = new Suite(keys.network(), keys.kind());
    this.prover = prover;
    this.ownsKeys = ownsKeys;
    suite.checkCommittee(keys.committee());
    this.verifier = Verifier.open(keys, keys.committee());
    this.proofs = proofs;
    this.check = check == null ? ProofCheck.of(verifier) : check;
  }

  /**
   * Opens the keys that a wallet pinned, for this process alone.
   *
   * @throws WalletException {@code manifest-untrusted} when the folder's manifest is not what was
   *     pinned
   */
  public static WalletPlatform open(WalletProfile profile) {
    try {
      KeySet keys =
          KeySet.open(
              Path.of(profile.keysDir()),
              profile.network(),
              profile.kind(),
              profile.keyClasses(),
              profile.manifestKey());
      return new WalletPlatform(keys, Prover.open(keys, 1), true);
    } catch (NativeException e) {
      throw new WalletException(
          WalletError.MANIFEST_UNTRUSTED,
          "the keys in " + profile.keysDir() + " cannot be used: " + e.getMessage(),
          e);
    }
  }

  /** Over keys and a prover that belong to the caller, who closes them after this. */
  public static WalletPlatform over(KeySet keys, Prover prover) {
    return new WalletPlatform(keys, prover, false);
  }

  /**
   * As {@link #over}, with proofs from elsewhere; the wallet verifies each before it sends it, like
   * its own.
   */
  public static WalletPlatform over(KeySet keys, Prover prover, ProofSource proofs) {
    return new WalletPlatform(keys, prover, false, proofs, null);
  }

  /** For tests in which the proof is not the point. */
  static WalletPlatform withProofs(
      KeySet keys, Prover prover, ProofSource proofs, ProofCheck check) {
    return new WalletPlatform(keys, prover, false, proofs, check);
  }

  public KeySet keys() {
    return keys;
  }

  public Committee committee() {
    return keys.committee();
  }

  public Suite suite() {
    return suite;
  }

  /** Looks at requests as a validator would, before they are sent. */
  public ProofCheck proofCheck() {
    return check;
  }

  /** Proofs made in this process. */
  public ProofSource localProofs() {
    return proofs;
  }

  @Override
  public void close() {
    verifier.close();
    if (ownsKeys) {
      prover.close();
      keys.close();
    }
  }
}
