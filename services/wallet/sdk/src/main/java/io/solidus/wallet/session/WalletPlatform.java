package io.solidus.wallet.session;

import io.solidus.protocol.Committee;
import io.solidus.protocol.Family;
import io.solidus.prover.KeySet;
import io.solidus.prover.NativeException;
import io.solidus.prover.Prover;
import io.solidus.prover.RecoverWitness;
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
 * The verified keys of a network, and the prover and verifier that use them. It is large (proving
 * keys), so the wallets of one network in one process share it. Close it after the wallets.
 */
public final class WalletPlatform implements AutoCloseable {
  private final KeySet keys;
  private final Suite suite;
  private final Verifier verifier;
  private final Prover prover;
  private final boolean ownsKeys;
  private final ProofSource proofs;
  private final LocalProofs recovers;
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
    this.keys = keys;
    this.suite = new Suite(keys.network(), keys.kind());
    this.prover = prover;
    this.ownsKeys = ownsKeys;
    suite.checkCommittee(keys.committee());
    this.verifier = Verifier.open(keys, keys.committee());
    this.proofs = proofs;
    this.recovers = new LocalProofs(prover);
    this.check = check == null ? ProofCheck.of(verifier) : check;
  }

  /**
   * Opens the keys that a profile pins.
   *
   * @throws WalletException {@code manifest-untrusted} when the pinned key did not sign the
   *     folder's manifest, or the manifest states another network or kind
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

  /** A platform with the caller's keys and prover; the caller closes them after the platform. */
  public static WalletPlatform over(KeySet keys, Prover prover) {
    return new WalletPlatform(keys, prover, false);
  }

  /**
   * As {@link #over(KeySet, Prover)}, with another source of proofs; the wallet verifies each proof
   * before it sends it.
   */
  public static WalletPlatform over(KeySet keys, Prover prover, ProofSource proofs) {
    return new WalletPlatform(keys, prover, false, proofs, null);
  }

  /** For tests that replace proofs and their verification. */
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

  /** Verifies requests as a validator does, before they are sent. */
  public ProofCheck proofCheck() {
    return check;
  }

  public ProofSource localProofs() {
    return proofs;
  }

  /**
   * Whether this process can prove a family: it has its keys, and the proving key was downloaded.
   */
  public boolean proves(Family family) {
    return keys.canProve(family);
  }

  /** The proof of a recover, always made in this process. */
  public byte[] proveRecover(RecoverWitness witness) {
    return recovers.proveRecover(witness);
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
