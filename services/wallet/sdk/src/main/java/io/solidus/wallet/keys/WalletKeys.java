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

/** Every secret of a wallet on one network, from its seed phrase alone. */
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
   * nk: whoever proves needs it. With the public spend key it gives this wallet's serial numbers,
   * so it links payments; without the spend key it neither spends a coin nor uses up its serial
   * number.
   */
  public FieldElement nullifierKey() {
    return nullifierKey;
  }

  /** a: signs cores; never leaves this process. */
  public Scalar spendKey() {
    return spendKey;
  }

  /** X25519: opens what is sealed to this wallet's address. */
  public HpkePrivateKey encryptionKey() {
    return encryptionKey;
  }

  /** AES-256; the caller must not change or keep it. */
  public byte[] memoKey() {
    return memoKey;
  }

  public OutputSecrets registration(int counter) {
    return output("registration", new byte[0], counter);
  }

  public OutputSecrets mint(MintId id, int counter) {
    return output("mint", id.bytes(), counter);
  }

  /** The same funding and ordinal give the same mint again, also after a restore. */
  public MintId mintId(String fundingId, int ordinal) {
    return new MintId(
        Digest32.of(
            derivation.bytes(
                "mint-id", 32, fundingId.getBytes(StandardCharsets.UTF_8), counterBytes(ordinal))));
  }

  /** Shows this wallet after a restore that a copy of a registration case is its own. */
  public Digest32 caseTag(RegistrationCase opened) {
    return Digest32.of(
        derivation.bytes(
            "registration-case",
            Digest32.BYTES,
            opened.id().getBytes(StandardCharsets.UTF_8),
            opened.accessToken().getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * The same coin, counter and sealed blocks give the same secrets; anything else gives others. The
   * context keeps two transfers out of one coin apart also in a restored wallet, which knows of
   * none that was given up.
   *
   * @param context of the payout and memo blocks
   */
  @Spec("W-02")
  public TransferSecrets transfer(SerialNumber lead, int counter, Digest32 context) {
    byte[] serial = lead.bytes();
    byte[] draw = counterBytes(counter);
    byte[] blocks = context.bytes();
    return new TransferSecrets(
        derivation.field("transfer/seed", serial, draw, blocks),
        each(j -> derivation.field("transfer/s", serial, draw, blocks, counterBytes(j))),
        each(j -> derivation.scalar("transfer/b", serial, draw, blocks, counterBytes(j))),
        derivation.field("transfer/history", serial, draw, blocks),
        each(j -> derivation.field("transfer/dummy", serial, draw, blocks, counterBytes(j))));
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
