package io.solidus.wallet.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.solidus.dev.fuzz.Hostile;
import io.solidus.dev.fuzz.Seeds;
import io.solidus.protocol.Amount;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.Family;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Period;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.prover.KeyClass;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.Memo;
import io.solidus.wallet.model.OwnedCoin;
import io.solidus.wallet.model.PendingDelivery;
import io.solidus.wallet.model.PendingMint;
import io.solidus.wallet.model.PendingRegistration;
import io.solidus.wallet.model.ReceivedCoin;
import io.solidus.wallet.model.RegistrationCase;
import io.solidus.wallet.model.RuleMark;
import io.solidus.wallet.model.ServicePins;
import io.solidus.wallet.model.SignedComplianceCoin;
import io.solidus.wallet.model.SpentInput;
import io.solidus.wallet.model.TransferRecord;
import io.solidus.wallet.model.WalletProfile;
import io.solidus.wallet.model.WalletState;
import java.net.URI;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The wallet's file and its content. */
class StoreFuzzTest {
  private static final char[] PASSPHRASE = "fuzz".toCharArray();
  private static final byte[] ENTROPY = new byte[StateCodec.ENTROPY_BYTES];
  private static final byte[] CONTENT = StateCodec.encode(ENTROPY, full());
  private static final byte[] FILE = file();

  private static WalletState full() {
    byte[] key = Seeds.digest(1).bytes();
    WalletProfile profile =
        new WalletProfile(
            Seeds.NETWORK,
            NetworkKind.REGULATED,
            new CurrencyCode("EUR"),
            key,
            Set.of(KeyClass.DEVELOPMENT),
            URI.create("http://localhost:8080"),
            new ServicePins(
                URI.create("http://localhost:8081"),
                URI.create("http://localhost:8082"),
                URI.create("http://localhost:8083"),
                new EncryptionKey(key)),
            "keys",
            null);
    Memo memo =
        new Memo(
            3,
            1_700_000_000_000L,
            new Amount(250),
            Seeds.address(),
            new Amount(40),
            List.of(new SpentInput(Origin.MINT, new Amount(100), Seeds.field(71))),
            2,
            "rent");
    ComplianceCoin compliance =
        new ComplianceCoin(
            Seeds.address().apk(),
            Seeds.field(5),
            new Period(202611),
            new Amount(7),
            8,
            new Amount(9),
            Seeds.field(0));
    return WalletState.empty(profile)
        .change(edit -> {
          edit.registration =
              new PendingRegistration(Seeds.register(), new RegistrationCase("c", "t"));
          edit.compliance = new SignedComplianceCoin(compliance, Seeds.signature(1));
          edit.pending = Seeds.transfer(Family.TRANSFER);
          edit.accept(
              new OwnedCoin(Origin.MINT, new Amount(100), Seeds.field(9), Seeds.signature(2)),
              new ReceivedCoin(Origin.MINT, new Amount(100), Seeds.field(9), 5, ""));
          edit.finish(
              new TransferRecord(
                  new TxCore(Seeds.digest(3)),
                  new SerialNumber(Seeds.field(4)),
                  new Period(202611),
                  memo,
                  Seeds.field(5),
                  Seeds.field(6)));
          edit.mints.add(new PendingMint("F-1", "token", 2, Seeds.mint()));
          edit.deliveries.add(new PendingDelivery(0, new byte[1200]));
          edit.policyMark = new RuleMark(4, Seeds.digest(5));
        });
  }

  private static byte[] file() {
    try (StoreCipher cipher = StoreCipher.create(PASSPHRASE, new PassphraseCost(64, 1, 1))) {
      return cipher.file(CONTENT).bytes();
    }
  }

  static Stream<byte[]> contents() {
    return Stream.of(
        CONTENT,
        new byte[0],
        new byte[] {2},
        new byte[] {3},
        Arrays.copyOf(CONTENT, 200),
        Arrays.copyOf(CONTENT, 9000));
  }

  /**
   * Decrypted content, for example after a defect of the wallet: read back exactly, or refused as
   * corrupt.
   */
  @MethodSource("contents")
  @FuzzTest
  void readsContents(byte @NotNull [] content) {
    Hostile.decoded(
            content.length,
            WalletException.class,
            () -> StateCodec.encode(StateCodec.entropy(content), StateCodec.decode(content)))
        .ifPresent(again -> assertThat(again).isEqualTo(content));
  }

  static Stream<Arguments> patches() {
    return Stream.of(
        Arguments.of(1, new byte[] {1}),
        Arguments.of(33, new byte[] {-1, -1, -1, -1}),
        Arguments.of(500, new byte[] {1}));
  }

  @MethodSource("patches")
  @FuzzTest
  void readsChangedContents(int offset, byte @NotNull [] patch) {
    readsContents(Hostile.patched(CONTENT, offset, patch));
  }

  static Stream<Arguments> files() {
    return Stream.of(
        Arguments.of(9, new byte[] {1}),
        Arguments.of(20, new byte[] {1}),
        Arguments.of(51, new byte[] {1}),
        Arguments.of(90, new byte[] {1}));
  }

  /** Changed files with a corrected digest, to reach the checks after it: no changed file opens. */
  @MethodSource("files")
  @FuzzTest
  void opensOnlyItsOwnFile(int offset, byte @NotNull [] patch) throws Exception {
    byte[] file = Hostile.patched(FILE, offset, patch);
    if (isCostly(file)) {
      return; // a header may ask for a gigabyte and a minute at most; that bound has a test of its
      // own
    }
    byte[] mended =
        MessageDigest.getInstance("SHA-256").digest(Arrays.copyOf(file, file.length - 32));
    System.arraycopy(mended, 0, file, file.length - 32, 32);
    boolean opened =
        Hostile.decoded(
                file.length,
                WalletException.class,
                () -> {
                  try (StoreCipher cipher = StoreCipher.open(file, PASSPHRASE)) {
                    return cipher.read(file);
                  }
                })
            .isPresent();
    assertThat(opened).isEqualTo(Arrays.equals(file, FILE));
  }

  static Stream<byte[]> raw() {
    return Stream.of(
        FILE,
        Arrays.copyOf(FILE, 100),
        new byte[0],
        "SOLIDUSW".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
  }

  @MethodSource("raw")
  @FuzzTest
  void opensNoOtherBytes(byte @NotNull [] file) {
    if (!isCostly(file)) {
      boolean opened =
          Hostile.decoded(
                  file.length, WalletException.class, () -> StoreCipher.open(file, PASSPHRASE))
              .isPresent();
      // a part of another entry, as a crash leaves it, may follow
      assertThat(opened).isIn(Arrays.equals(file, FILE), startsWith(file, FILE));
    }
  }

  private static boolean startsWith(byte[] file, byte[] start) {
    return file.length >= start.length
        && Arrays.equals(file, 0, start.length, start, 0, start.length);
  }

  private static boolean isCostly(byte[] file) {
    return file.length > 19
        && (file[10] != 0
            || file[11] != 0
            || file[12] > 4
            || file[12] < 0
            || file[14] != 0
            || file[15] != 0
            || file[16] != 0);
  }

  @Test
  void seedsAreWellFormed() {
    assertThat(StateCodec.decode(CONTENT)).isEqualTo(full());
    assertThat(StoreCipher.open(FILE, PASSPHRASE).read(FILE).entries())
        .singleElement()
        .isEqualTo(CONTENT);
    assertThat(isCostly(FILE)).isFalse();
  }
}
