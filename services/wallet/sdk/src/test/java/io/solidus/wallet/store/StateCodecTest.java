package io.solidus.wallet.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Origin;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.wallet.Samples;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.AbandonedTransfer;
import io.solidus.wallet.model.MailboxCursor;
import io.solidus.wallet.model.PendingDelivery;
import io.solidus.wallet.model.PendingMint;
import io.solidus.wallet.model.PendingRedemption;
import io.solidus.wallet.model.PendingRegistration;
import io.solidus.wallet.model.ReceivedCoin;
import io.solidus.wallet.model.RegistrationCase;
import io.solidus.wallet.model.RuleMark;
import io.solidus.wallet.model.SignedComplianceCoin;
import io.solidus.wallet.model.TransferRecord;
import io.solidus.wallet.model.WalletProfile;
import io.solidus.wallet.model.WalletState;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StateCodecTest {
  private static final byte[] ENTROPY = new byte[StateCodec.ENTROPY_BYTES];

  static {
    Arrays.fill(ENTROPY, (byte) 3);
  }

  static WalletState full() {
    WalletProfile delegating =
        Samples.profile().withProverKey(new EncryptionKey(new byte[EncryptionKey.BYTES]));
    return WalletState.empty(delegating)
        .change(edit -> {
          edit.restoring = true;
          edit.registration =
              new PendingRegistration(Samples.registerRequest(), new RegistrationCase("c", "t"));
          edit.compliance =
              new SignedComplianceCoin(Samples.compliance(7, 8, 9), Samples.signature(1));
          edit.pending = Samples.transferRequest();
          edit.accept(
              Samples.coin(100),
              new ReceivedCoin(Origin.MINT, new Amount(100), Samples.field(1100), 5, ""));
          edit.seenRhos.add(Samples.field(77));
          edit.transfers.add(
              new TransferRecord(
                  Samples.core(1),
                  new SerialNumber(Samples.field(4)),
                  Samples.PERIOD,
                  Samples.memo(),
                  Samples.field(5),
                  Samples.field(6)));
          edit.abandoned.add(
              new AbandonedTransfer(
                  Samples.core(2),
                  new SerialNumber(Samples.field(4)),
                  Samples.PERIOD,
                  Samples.memo(),
                  RejectionCode.STALE_PERIOD));
          edit.mints.add(new PendingMint("F-1", "token", 2, Samples.mintRequest()));
          edit.deliveries.add(new PendingDelivery(0, new byte[1200]));
          edit.deliveries.add(new PendingDelivery(PendingDelivery.SELF, new byte[1200]));
          edit.deliveries.add(new PendingDelivery(0, new byte[1200]).posted(77));
          edit.redemptions.add(
              new PendingRedemption(0, Samples.transferRequest(), List.of(Samples.partial(1))));
          edit.mailboxCursor = new MailboxCursor(1L << 40, Digest32.sha256(new byte[2]));
          edit.policyMark = new RuleMark(4, Digest32.sha256());
          edit.checkpointMark = new RuleMark(9, Digest32.sha256(new byte[1]));
        });
  }

  @Test
  void decodesWhatItEncoded() {
    WalletState state = full();
    byte[] content = StateCodec.encode(ENTROPY, state);
    assertThat(StateCodec.decode(content)).isEqualTo(state);
    assertThat(StateCodec.entropy(content)).isEqualTo(ENTROPY);
  }

  /** Another process reads the file, in which the iteration order of sets may differ. */
  @Test
  void keepsTheOrderOfSeenRhos() {
    List<Integer> numbers = IntStream.range(0, 40).boxed().toList();
    byte[] upwards = readAgain(numbers);
    byte[] downwards = readAgain(numbers.reversed());
    assertThat(downwards).isNotEqualTo(upwards);
  }

  private static byte[] readAgain(List<Integer> numbers) {
    List<FieldElement> rhos = numbers.stream().map(n -> Samples.field(1000 + n)).toList();
    byte[] content =
        StateCodec.encode(
            ENTROPY,
            WalletState.empty(Samples.profile()).change(edit -> edit.seenRhos.addAll(rhos)));
    WalletState read = StateCodec.decode(content);
    assertThat(read.seenRhos()).containsExactlyElementsOf(rhos);
    assertThat(StateCodec.encode(ENTROPY, read)).isEqualTo(content);
    return content;
  }

  @Test
  void decodesAnEmptyWallet() {
    WalletState state = WalletState.empty(Samples.profile());
    assertThat(StateCodec.decode(StateCodec.encode(ENTROPY, state))).isEqualTo(state);
  }

  @Test
  void refusesTruncatedContentAndTrailingBytes() {
    byte[] content = StateCodec.encode(ENTROPY, full());
    for (int length = 0; length < content.length; length += 97) {
      assertCorrupt(Arrays.copyOf(content, length));
    }
    assertCorrupt(Arrays.copyOf(content, content.length + 1));
  }

  @Test
  void refusesAContentOfALaterVersion() {
    byte[] content = StateCodec.encode(ENTROPY, full());
    content[0] = 5;
    WalletException refused =
        catchThrowableOfType(WalletException.class, () -> StateCodec.decode(content));
    assertThat(refused.error()).isEqualTo(WalletError.STORE_VERSION);
  }

  @Test
  void countsTransfersWithPendingDeliveriesOrPayouts() {
    WalletState state = full();
    assertThat(state.unfinishedTransfers()).isEqualTo(1);
    assertThat(
            state
                .change(edit -> {
                  edit.deliveries.clear();
                  edit.redemptions.clear();
                })
                .unfinishedTransfers())
        .isZero();
  }

  @Test
  void freshCountersFollowThoseOfAbandonedTransfers() {
    assertThat(full().freshCounter(new SerialNumber(Samples.field(4))))
        .isEqualTo(Samples.memo().counter() + 1);
    assertThat(full().freshCounter(new SerialNumber(Samples.field(5)))).isZero();
  }

  private static void assertCorrupt(byte[] content) {
    WalletException refused =
        catchThrowableOfType(WalletException.class, () -> StateCodec.decode(content));
    assertThat(refused.error()).isEqualTo(WalletError.STORE_CORRUPT);
  }
}
