package io.solidus.wallet.keys;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.MintId;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.wallet.model.RegistrationCase;
import io.solidus.wire.hpke.HpkePrivateKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** The secrets of a wallet on one network, derived from its seed phrase alone. */
public final class WalletKeys implements AutoCloseable {
  private final KeyDerivation derivation;
  private final FieldElement nullifierKey;
  private final Scalar spendKey;
  private final HpkePrivateKey encryptionKey;
  private final byte[] memoKey;

  @Spec("O-01")
  private WalletKeys(KeyDerivation derivation) {
    this.derivation = derivation;
    this.nullifierKey = derivation.field("nullifier-key");
    this.spendKey = derivation.scalar("spend-key");
    byte[] secret = derivation.bytes("encryption-key", HpkePrivateKey.BYTES);
    this.encryptionKey = HpkePrivateKey.of(secret);
    Arrays.fill(secret, (byte) 0);
    this.memoKey = derivation.bytes("memo-key", 32);
  }

  public static WalletKeys derive(SeedPhrase phrase, NetworkId network) {
    return new WalletKeys(KeyDerivation.of(phrase, network));
  }

  /**
   * The nullifier key nk, which a prover needs. With the public spend key it gives this wallet's
   * serial numbers, so it links payments. Without the spend key it can neither spend a coin nor use
   * up its serial number.
   */
  public FieldElement nullifierKey() {
    return nullifierKey;
  }

  /** The spend key a, which signs cores; it never leaves this process. */
  public Scalar spendKey() {
    return spendKey;
  }

  /** The X25519 key that opens blobs sealed to this wallet's address. */
  public HpkePrivateKey encryptionKey() {
    return encryptionKey;
  }

  /** The AES-256 key of memos; the caller must not change or keep the array. */
  public byte[] memoKey() {
    return memoKey;
  }

  public OutputSecrets registration(int counter) {
    return output("registration", new byte[0], counter);
  }

  public OutputSecrets mint(MintId id, int counter) {
    return output("mint", id.bytes(), counter);
  }

  /** The mint id of a funding and ordinal; the same after a restore. */
  public MintId mintId(String fundingId, int ordinal) {
    return new MintId(
        Digest32.of(
            derivation.bytes(
                "mint-id", 32, fundingId.getBytes(StandardCharsets.UTF_8), counterBytes(ordinal))));
  }

  /** A tag by which a restored wallet recognises the backup copy of its own registration case. */
  public Digest32 caseTag(RegistrationCase opened) {
    return Digest32.of(
        derivation.bytes(
            "registration-case",
            Digest32.BYTES,
            opened.id().getBytes(StandardCharsets.UTF_8),
            opened.accessToken().getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * The secrets of a transfer. The same coin, counter and sealed blocks give the same secrets. The
   * context separates two transfers of one coin even in a restored wallet, which does not know the
   * transfers that were given up.
   *
   * @param context of the payout and memo blocks
   */
  @Spec("W-02")
  public TransferSecrets transfer(SerialNumber lead, int counter, Digest32 context) {
    byte[] serial = lead.bytes();
    byte[] count = counterBytes(counter);
    byte[] blocks = context.bytes();
    return new TransferSecrets(
        derivation.field("transfer/seed", serial, count, blocks),
        each(j -> derivation.field("transfer/s", serial, count, blocks, counterBytes(j))),
        each(j -> derivation.scalar("transfer/b", serial, count, blocks, counterBytes(j))),
        derivation.field("transfer/history", serial, count, blocks),
        each(j -> derivation.field("transfer/dummy", serial, count, blocks, counterBytes(j))));
  }

  @Override
  public void close() {
    derivation.close();
    spendKey.close();
    encryptionKey.close();
    Arrays.fill(memoKey, (byte) 0);
  }

  @Override
  public String toString() {
    return "WalletKeys[redacted]";
  }

  private OutputSecrets output(String use, byte[] id, int counter) {
    return new OutputSecrets(
        derivation.field(use + "/seed", id, counterBytes(counter)),
        derivation.field(use + "/s", id, counterBytes(counter)),
        derivation.scalar(use + "/b", id, counterBytes(counter)));
  }

  private static <T> List<T> each(IntFunction<T> make) {
    return IntStream.range(0, 2).mapToObj(make).toList();
  }

  private static byte[] counterBytes(int counter) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(counter).array();
  }
}
