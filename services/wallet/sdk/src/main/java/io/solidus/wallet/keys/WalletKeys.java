package io.solidus.wallet.keys;

import io.solidus.protocol.Apk;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.MintId;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Period;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.model.RegistrationCase;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.token.BlindedToken;
import io.solidus.wire.token.TokenChallenge;
import io.solidus.wire.token.TokenKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** The secrets of a wallet on one network, derived from its seed phrase alone. */
public final class WalletKeys implements AutoCloseable {
  /** Of a transfer and of a recover; so many coins an ordinary transfer claims, too. */
  private static final int OUTPUTS = 2;

  private static final int SECONDS_OF_A_DAY = 86_400;

  private final KeyDerivation derivation;
  private final FieldElement nullifierKey;
  private final KeyScalar spendKey;
  private final HpkePrivateKey encryptionKey;
  private final byte[] memoKey;

  @Spec({"O-01", "F-03"})
  private WalletKeys(KeyDerivation derivation) {
    this.derivation = derivation;
    this.nullifierKey = derivation.field("nullifier-key");
    this.spendKey = derivation.keyScalar("spend-key");
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
  public KeyScalar spendKey() {
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

  /** The key that signs this wallet's payment requests; the caller closes it. */
  public Ed25519PrivateKey requestKey() {
    byte[] seed = derivation.bytes("request-key", Ed25519PrivateKey.SEED_BYTES);
    try {
      return Ed25519PrivateKey.fromSeed(seed);
    } finally {
      Arrays.fill(seed, (byte) 0);
    }
  }

  public OutputSecrets registration() {
    return output("registration");
  }

  public OutputSecrets mint(MintId id) {
    return output("mint", id.bytes());
  }

  /** The mint id of a funding and ordinal; the same after a restore. */
  public MintId mintId(String fundingId, int ordinal) {
    return new MintId(
        Digest32.of(
            derivation.bytes(
                "mint-id", 32, fundingId.getBytes(StandardCharsets.UTF_8), u32(ordinal))));
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
   * A tag by which a restored wallet of an unregulated network recognises the copy of an own coin.
   *
   * @param origin MINT or OWN
   */
  public Digest32 coinTag(Origin origin, FieldElement rho) {
    return Digest32.of(
        derivation.bytes(
            "own-coin", Digest32.BYTES, new byte[] {(byte) origin.code()}, rho.bytes()));
  }

  /**
   * Where a page begins in which this wallet looks for a message that it posted: the same each
   * time, because what several pages have in common would be the message.
   *
   * @return from 0 to {@code bound - 1}
   */
  public int lookOffset(Digest32 message, int bound) {
    byte[] drawn = derivation.bytes("mailbox-look", Integer.BYTES, message.bytes());
    return Integer.remainderUnsigned(ByteBuffer.wrap(drawn).getInt(), bound);
  }

  /**
   * An address of nobody, in whose bucket this wallet posts a message for nobody. It follows from
   * the secrets, those who are paid and the place, and not from the message. So messages for nobody
   * stay in their buckets as those for payees do: posted again, made again by a restored wallet,
   * and a month later for the same payees.
   *
   * @param payees of the transfer, in any order
   * @param place in the transfer, from 0
   */
  public Apk nobody(List<Apk> payees, int place) {
    ByteBuffer group = ByteBuffer.allocate(payees.size() * FieldElement.BYTES);
    payees.stream().map(Apk::bytes).sorted(Arrays::compareUnsigned).forEach(group::put);
    return new Apk(derivation.field("mailbox-nobody", group.array(), u32(place)));
  }

  /**
   * A blind token: the same for a day, number, key and challenge, so that an answer that was lost
   * can be fetched again. Key and challenge separate the factors, because two requests with one
   * factor would tell the issuer which tokens they became.
   *
   * @param day in days since 1970 (UTC)
   * @param number in the day's batch
   */
  public BlindedToken token(TokenKey key, TokenChallenge challenge, long day, int number) {
    byte[][] parts = {u64(day), u32(number), key.id().bytes(), challenge.digest().bytes()};
    byte[] salt = derivation.bytes("token/salt", BlindedToken.SALT_BYTES, parts);
    byte[] factor = derivation.bytes("token/factor", BlindedToken.FACTOR_BYTES, parts);
    try {
      return new BlindedToken(
          key,
          challenge,
          Digest32.of(derivation.bytes("token/nonce", Digest32.BYTES, parts)),
          salt,
          factor);
    } finally {
      Arrays.fill(salt, (byte) 0);
      Arrays.fill(factor, (byte) 0);
    }
  }

  /** The second of a day (UTC) from which this wallet fetches the day's tokens. */
  public int tokenSecond(long day) {
    byte[] drawn = derivation.bytes("token/second", Integer.BYTES, u64(day));
    return Integer.remainderUnsigned(ByteBuffer.wrap(drawn).getInt(), SECONDS_OF_A_DAY);
  }

  /**
   * The secrets of a transfer. The same coin, counter, period and sealed blocks give the same
   * secrets. The context separates two transfers of one coin even in a restored wallet, which does
   * not know the transfers that were given up. The period separates them because the bases of the
   * outputs depend on it.
   *
   * @param context of the payout and memo blocks
   */
  public TransferSecrets transfer(SerialNumber lead, int counter, Period period, Digest32 context) {
    return transfer(lead, counter, period, context, OUTPUTS, OUTPUTS);
  }

  /**
   * As {@link #transfer(SerialNumber, int, Period, Digest32)}.
   *
   * @param claims how many coins the transfer claims, dummies included
   * @param outputs how many outputs it has
   */
  @Spec({"W-02", "F-04"})
  public TransferSecrets transfer(
      SerialNumber lead, int counter, Period period, Digest32 context, int claims, int outputs) {
    byte[] serial = lead.bytes();
    byte[] count = u32(counter);
    byte[] month = u32(period.yyyymm());
    byte[] blocks = context.bytes();
    return new TransferSecrets(
        derivation.field("transfer/seed", serial, count, month, blocks),
        each(outputs, j -> derivation.field("transfer/s", serial, count, month, blocks, u32(j))),
        each(outputs, j -> derivation.scalar("transfer/b", serial, count, month, blocks, u32(j))),
        derivation.field("transfer/history", serial, count, month, blocks),
        each(
            claims, j -> derivation.field("transfer/dummy", serial, count, month, blocks, u32(j))));
  }

  /**
   * The secrets of a recover. The same lead, cores and credits give the same secrets, so two
   * devices that know the same cores make one recover. The two cores are digests over all that is
   * below them.
   *
   * @param credits as the statement has them
   */
  public RecoverSecrets recover(SerialNumber lead, TxCore first, TxCore second, int credits) {
    byte[] serial = lead.bytes();
    byte[] one = first.bytes();
    byte[] two = second.bytes();
    byte[] bits = u32(credits);
    return new RecoverSecrets(
        derivation.field("recover/seed", serial, one, two, bits),
        each(j -> derivation.field("recover/s", serial, one, two, bits, u32(j))),
        each(j -> derivation.scalar("recover/b", serial, one, two, bits, u32(j))),
        derivation.field("recover/history", serial, one, two, bits),
        derivation.bytes("recover/payout", Attachments.PAYOUT_BYTES, serial, one, two, bits));
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

  private OutputSecrets output(String use, byte[]... id) {
    return new OutputSecrets(
        derivation.field(use + "/seed", id),
        derivation.field(use + "/s", id),
        derivation.scalar(use + "/b", id));
  }

  private static <T> List<T> each(IntFunction<T> make) {
    return each(OUTPUTS, make);
  }

  private static <T> List<T> each(int count, IntFunction<T> make) {
    return IntStream.range(0, count).mapToObj(make).toList();
  }

  private static byte[] u64(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  private static byte[] u32(int value) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
  }
}
