package io.solidus.wallet.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Mailbox;
import io.solidus.protocol.Origin;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.wallet.Samples;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.keys.WalletKeys;
import io.solidus.wallet.model.BulkLines;
import io.solidus.wallet.model.BulkTag;
import io.solidus.wallet.model.Memo;
import io.solidus.wallet.model.PaymentOrder;
import io.solidus.wallet.model.RecoverMemo;
import io.solidus.wallet.model.SpentInput;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.modes.GCMSIVBlockCipher;
import org.bouncycastle.crypto.params.AEADParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MemoCipherTest {
  private static final SerialNumber LEAD = new SerialNumber(Samples.field(7));

  private final WalletKeys keys = keys(1);
  private final MemoCipher cipher = new MemoCipher(keys);

  private static WalletKeys keys(int seed) {
    byte[] entropy = new byte[32];
    entropy[0] = (byte) seed;
    try (SeedPhrase phrase = SeedPhrase.ofEntropy(entropy)) {
      return WalletKeys.derive(phrase, Samples.NETWORK);
    }
  }

  @Test
  void opensWhatItSealed() {
    byte[] block = cipher.seal(LEAD, Samples.memo());
    assertThat(block).hasSize(Attachments.MEMO_BYTES);
    assertThat(cipher.open(LEAD, block)).contains(Samples.memo());
  }

  @Test
  void sealsTheSameMemoToTheSameBlock() {
    assertThat(cipher.seal(LEAD, Samples.memo())).isEqualTo(cipher.seal(LEAD, Samples.memo()));
  }

  @Test
  @Spec({"W-04", "F-06"})
  void opensOnlyForItsWalletAndItsSerialNumber() {
    byte[] block = cipher.seal(LEAD, Samples.memo());
    assertThat(cipher.open(new SerialNumber(Samples.field(8)), block)).isEmpty();
    assertThat(new MemoCipher(keys(2)).open(LEAD, block)).isEmpty();
    block[500] ^= 1;
    assertThat(cipher.open(LEAD, block)).isEmpty();
  }

  @Test
  @Spec("F-05")
  void theLongestMemoFits() {
    Memo memo = Samples.memo();
    Memo longest =
        new Memo(
            Memo.MAX_COUNTER,
            Long.MAX_VALUE,
            new Amount(Long.MAX_VALUE),
            new Address(
                memo.recipient().apk(),
                memo.recipient().encryptionKey(),
                new Mailbox("a".repeat(Mailbox.MAX_BYTES))),
            memo.withdrawn(),
            memo.inputs(),
            Integer.MAX_VALUE,
            "ß".repeat(70));
    assertThat(cipher.open(LEAD, cipher.seal(LEAD, longest))).contains(longest);
  }

  private static BulkLines lines(int count) {
    return new BulkLines(
        new BulkTag(Digest32.sha256(new byte[] {7})),
        IntStream.range(0, count).mapToObj(i -> BulkLines.MAX_LINES - i).toList());
  }

  private static List<PaymentOrder> longestPayees(int count) {
    Address address = Samples.address(9);
    return IntStream.range(0, count)
        .mapToObj(i ->
            new PaymentOrder(
                new Address(
                    address.apk(),
                    address.encryptionKey(),
                    new Mailbox("a".repeat(Mailbox.MAX_BYTES))),
                new Amount(Long.MAX_VALUE / 8 - i),
                "ß".repeat(70)))
        .toList();
  }

  private static Memo memo(List<PaymentOrder> payees, int inputs, @Nullable BulkLines bulk) {
    return new Memo(
        Memo.MAX_COUNTER,
        Long.MAX_VALUE,
        payees,
        new Amount(40),
        IntStream.range(0, inputs)
            .mapToObj(i -> new SpentInput(Origin.OWN, new Amount(i), Samples.field(70 + i)))
            .toList(),
        Integer.MAX_VALUE,
        bulk);
  }

  @Test
  @Spec("F-81")
  void eightPayeesWithTheLongestTextsFit() {
    for (int payees = 2; payees <= Memo.MAX_PAYEES; payees++) {
      Memo memo = memo(longestPayees(payees), 2, lines(payees));
      byte[] block = cipher.seal(LEAD, memo);
      assertThat(block).hasSize(Attachments.LONG_MEMO_BYTES);
      assertThat(cipher.open(LEAD, block)).contains(memo);
      Memo ofNoList = memo(longestPayees(payees), 0, null);
      assertThat(cipher.open(LEAD, cipher.seal(LEAD, ofNoList))).contains(ofNoList);
      block[2000] ^= 1;
      assertThat(cipher.open(LEAD, block)).isEmpty();
    }
  }

  @Test
  @Spec({"F-05", "W-50"})
  void sixteenCoinsAndALineOfAListFitIntoTheShortBlock() {
    Memo memo = memo(longestPayees(1), 16, lines(1));
    byte[] block = cipher.seal(LEAD, memo);
    assertThat(block).hasSize(Attachments.MEMO_BYTES);
    assertThat(cipher.open(LEAD, block)).contains(memo);
  }

  @Test
  void aMemoHasAPayeeForEachLine() {
    assertThatThrownBy(() -> memo(longestPayees(2), 0, lines(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> memo(List.of(), 0, null)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> memo(longestPayees(9), 0, null))
        .isInstanceOf(IllegalArgumentException.class);
    BulkTag tag = lines(1).tag();
    for (List<Integer> numbers :
        List.of(List.<Integer>of(), List.of(0), List.of(1_001), List.of(3, 3))) {
      assertThatThrownBy(() -> new BulkLines(tag, numbers))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  @Spec("F-35")
  void aRecoversMemoOpensAgainAndIsNoTransfers() {
    for (int claimed : new int[] {0, 1, RecoverMemo.MAX_CLAIMED}) {
      RecoverMemo memo = Samples.recoverMemo(claimed);
      byte[] block = cipher.seal(LEAD, memo);
      assertThat(block).hasSize(Attachments.MEMO_BYTES);
      assertThat(cipher.openRecover(LEAD, block)).contains(memo);
      assertThat(cipher.open(LEAD, block)).isEmpty();
      assertThat(cipher.openRecover(new SerialNumber(Samples.field(8)), block)).isEmpty();
    }
    assertThat(cipher.openRecover(LEAD, cipher.seal(LEAD, Samples.memo()))).isEmpty();
    assertThatThrownBy(() -> Samples.recoverMemo(RecoverMemo.MAX_CLAIMED + 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aReferenceIsBounded() {
    assertThatThrownBy(() ->
            new Memo(
                0, 0, Amount.ZERO, Samples.address(1), Amount.ZERO, List.of(), 0, "ß".repeat(71)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @Spec("F-05")
  void moreThanSixteenCoinsAreRefused() {
    Memo memo = Samples.memo();
    byte[] plain = MemoCodec.encode(memo, Attachments.MEMO_BYTES - 16);
    int count = 1 + 2 + 8 + 8 + 32 + 32 + 1 + memo.recipient().mailbox().host().length() + 8 + 4;
    assertThat(plain[count]).isEqualTo((byte) memo.inputs().size());
    for (int more : new int[] {17, 127, 128, 255}) {
      plain[count] = (byte) more;
      assertThatThrownBy(() -> MemoCodec.decode(plain))
          .as("%s coins", more)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** A test vector of RFC 8452, appendix C.2. */
  @Test
  @Spec("W-04")
  void theCipherAgreesWithRfc8452() throws Exception {
    GCMSIVBlockCipher mode = new GCMSIVBlockCipher(AESEngine.newInstance());
    byte[] key = HexFormat.of().parseHex("01" + "00".repeat(31));
    byte[] nonce = HexFormat.of().parseHex("03" + "00".repeat(11));
    mode.init(true, new AEADParameters(new KeyParameter(key), 128, nonce, new byte[0]));
    byte[] plain = HexFormat.of().parseHex("0100000000000000");
    byte[] out = new byte[mode.getOutputSize(plain.length)];
    int length = mode.processBytes(plain, 0, plain.length, out, 0);
    mode.doFinal(out, length);
    assertThat(HexFormat.of().formatHex(out))
        .isEqualTo("c2ef328e5c71c83b843122130f7364b761e0b97427e3df28");
  }

  @Test
  void blocksOfDifferentWalletsDiffer() {
    SecureRandom random = new SecureRandom();
    try (SeedPhrase phrase = SeedPhrase.generate(random);
        WalletKeys other = WalletKeys.derive(phrase, Samples.NETWORK)) {
      assertThat(new MemoCipher(other).seal(LEAD, Samples.memo()))
          .isNotEqualTo(cipher.seal(LEAD, Samples.memo()));
    }
  }
}
