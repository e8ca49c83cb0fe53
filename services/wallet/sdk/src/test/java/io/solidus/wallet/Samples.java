package io.solidus.wallet;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.Mailbox;
import io.solidus.protocol.MintId;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.MintStatement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Origin;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Period;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProofBytes;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.protocol.Vote;
import io.solidus.prover.KeyClass;
import io.solidus.wallet.model.Memo;
import io.solidus.wallet.model.OwnedCoin;
import io.solidus.wallet.model.RecoverMemo;
import io.solidus.wallet.model.ServicePins;
import io.solidus.wallet.model.SpentInput;
import io.solidus.wallet.model.WalletProfile;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/** Well-formed values for tests that need no cryptography. */
public final class Samples {
  public static final NetworkId NETWORK = new NetworkId("solidus-test");
  public static final Period PERIOD = new Period(202611);

  private Samples() {}

  public static FieldElement field(long value) {
    return FieldElement.ofLong(value);
  }

  /** A pair of coordinates; not a point of the curve. */
  public static G1Point point(int seed) {
    byte[] bytes = new byte[G1Point.BYTES];
    bytes[47] = (byte) (seed + 1);
    bytes[95] = (byte) (seed + 2);
    return new G1Point(bytes);
  }

  /** A pair of coordinates; not a point of Jubjub. */
  public static KeyPoint key(int seed) {
    byte[] bytes = new byte[KeyPoint.BYTES];
    bytes[31] = (byte) (seed + 1);
    bytes[63] = (byte) (seed + 2);
    return new KeyPoint(bytes);
  }

  public static Signature signature(int seed) {
    return new Signature(point(seed), point(seed + 1));
  }

  public static Address address(int seed) {
    byte[] key = new byte[EncryptionKey.BYTES];
    Arrays.fill(key, (byte) seed);
    return new Address(new Apk(field(seed + 1)), new EncryptionKey(key));
  }

  public static OwnedCoin coin(long minor) {
    return new OwnedCoin(
        Origin.MINT, new Amount(minor), field(1000 + minor), signature((int) minor));
  }

  public static ComplianceCoin compliance(long held, long sent, int count) {
    return new ComplianceCoin(
        address(1).apk(), field(5), PERIOD, new Amount(sent), count, new Amount(held), field(0));
  }

  public static Policy policy(long perTransfer, long perPeriod, long held, int count) {
    return new Policy(
        1,
        PERIOD,
        new Amount(perTransfer),
        new Amount(perPeriod),
        new Amount(held),
        Amount.ZERO,
        count,
        new Amount(1_000_000),
        0);
  }

  public static Memo memo() {
    return new Memo(
        3,
        1_700_000_000_000L,
        new Amount(250),
        new Address(address(9).apk(), address(9).encryptionKey(), new Mailbox("post.example.org")),
        new Amount(40),
        List.of(
            new SpentInput(Origin.MINT, new Amount(100), field(71)),
            new SpentInput(Origin.OWN, new Amount(200), field(72))),
        2,
        "Miete März");
  }

  public static RecoverMemo recoverMemo(int claimed) {
    return new RecoverMemo(
        1_700_000_000_000L,
        PERIOD,
        new Amount(11),
        2,
        new Amount(12),
        field(30),
        new Amount(13),
        new Amount(14),
        new Amount(39),
        field(31),
        field(32),
        3,
        IntStream.range(0, claimed).mapToObj(i -> field(100 + i)).toList());
  }

  public static TransferRequest transferRequest() {
    List<SerialNumber> serials =
        List.of(new SerialNumber(field(1)), new SerialNumber(field(2)), new SerialNumber(field(3)));
    Attachments attachments =
        Attachments.withoutPayout(new byte[Attachments.MEMO_BYTES], new Random(1));
    TransferStatement statement =
        new TransferStatement(
            Family.TRANSFER,
            serials,
            List.of(blinded(1), blinded(2)),
            PERIOD,
            new Amount(40),
            attachments.context(NETWORK));
    ShownSignature shown = new ShownSignature(point(1), point(2), point(3));
    Evidence evidence =
        new Evidence(
            7,
            8,
            1,
            key(4),
            List.of(shown, shown, shown),
            new byte[Family.TRANSFER.proofBytes()],
            new byte[ProofBytes.RK_SIGNATURE]);
    return new TransferRequest(statement, evidence, attachments, List.of(partial(2)));
  }

  public static PartialSignature partial(int authority) {
    return new PartialSignature(
        authority, 0, List.of(point(5), point(6)), new Vote(new byte[Vote.BYTES]));
  }

  public static RegisterRequest registerRequest() {
    RegisterStatement statement = new RegisterStatement(address(1).apk(), blinded(3));
    return new RegisterRequest(
        statement,
        1,
        key(4),
        new byte[Family.REGISTER.proofBytes()],
        new byte[ProofBytes.RK_SIGNATURE]);
  }

  public static MintRequest mintRequest() {
    return new MintRequest(
        new MintStatement(new MintId(Digest32.sha256(new byte[] {1})), new Amount(500), blinded(4)),
        1,
        new byte[Family.MINT.proofBytes()],
        List.of());
  }

  public static TxCore core(int seed) {
    return new TxCore(Digest32.sha256(new byte[] {(byte) seed}));
  }

  public static WalletProfile profile() {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) 7);
    return new WalletProfile(
        NETWORK,
        NetworkKind.REGULATED,
        new CurrencyCode("EUR"),
        key,
        Set.of(KeyClass.DEVELOPMENT, KeyClass.CEREMONY),
        URI.create("http://localhost:8080"),
        new ServicePins(
            URI.create("http://localhost:8081"),
            URI.create("http://localhost:8082"),
            URI.create("http://localhost:8083"),
            new EncryptionKey(key)),
        "keys",
        null);
  }

  private static BlindedCoin blinded(int seed) {
    return new BlindedCoin(field(seed), point(seed));
  }
}
