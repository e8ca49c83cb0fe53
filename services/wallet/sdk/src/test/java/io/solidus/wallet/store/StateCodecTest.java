package io.solidus.wallet.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.MailState;
import io.solidus.protocol.MailTableList;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.Origin;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.wallet.Samples;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.AbandonedTransfer;
import io.solidus.wallet.model.BulkLines;
import io.solidus.wallet.model.BulkTag;
import io.solidus.wallet.model.Contact;
import io.solidus.wallet.model.MailPlace;
import io.solidus.wallet.model.MailboxCursor;
import io.solidus.wallet.model.Memo;
import io.solidus.wallet.model.PaymentOrder;
import io.solidus.wallet.model.PendingDelivery;
import io.solidus.wallet.model.PendingMint;
import io.solidus.wallet.model.PendingRedemption;
import io.solidus.wallet.model.PendingRegistration;
import io.solidus.wallet.model.ReceivedCoin;
import io.solidus.wallet.model.RecoverMemo;
import io.solidus.wallet.model.RecoverRecord;
import io.solidus.wallet.model.RegistrationCase;
import io.solidus.wallet.model.RuleMark;
import io.solidus.wallet.model.SignedComplianceCoin;
import io.solidus.wallet.model.TransferRecord;
import io.solidus.wallet.model.WalletProfile;
import io.solidus.wallet.model.WalletState;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
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
          edit.finish(
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
          edit.posts.add(new MailboxCursor(7, Digest32.sha256(new byte[3])));
          edit.policyMark = new RuleMark(4, Digest32.sha256());
          edit.checkpointMark = new RuleMark(9, Digest32.sha256(new byte[1]));
          edit.remember(recover(1));
          edit.contacts.add(new Contact("Anna", Samples.address(3), null));
        });
  }

  private static RecoverRecord recover(int seed) {
    return new RecoverRecord(
        Samples.core(10 + seed),
        new SerialNumber(Samples.field(4)),
        Samples.recoverMemo(seed),
        Samples.field(40 + seed),
        Samples.field(50 + seed),
        List.of(Samples.core(1), Samples.core(2)),
        seed,
        new Amount(77));
  }

  /** What a recover claimed is gone for good, and a mailbox cannot bring it back. */
  @Test
  void aRecoverRemovesWhatIsClaimedBelowAndEndsTheTransferInFlight() {
    WalletState before = full().change(edit -> edit.coins.add(Samples.coin(9)));
    FieldElement rho = before.coins().getFirst().rho();
    RecoverMemo memo = Samples.recoverMemo(0);
    RecoverRecord record =
        new RecoverRecord(
            Samples.core(30),
            new SerialNumber(Samples.field(4)),
            new RecoverMemo(
                memo.atMillis(),
                memo.period(),
                memo.sent(),
                memo.count(),
                memo.held(),
                memo.com(),
                memo.returned(),
                memo.outflow(),
                memo.budget(),
                memo.first(),
                memo.second(),
                memo.unfinished(),
                List.of(rho)),
            Samples.field(41),
            Samples.field(51),
            List.of(Samples.core(3)),
            1,
            Amount.ZERO);
    WalletState after = before.change(edit -> edit.finish(record, Samples.coin(13)));
    assertThat(after.pending()).isNull();
    assertThat(after.coins()).containsExactly(Samples.coin(9), Samples.coin(13));
    assertThat(after.seenRhos()).contains(rho, record.returnedRho());
    assertThat(after.burnt(Samples.core(3))).isTrue();
    assertThat(after.burnt(Samples.core(4))).isFalse();
    assertThat(StateCodec.decodeChange(before, StateCodec.encodeChange(before, after)).seenRhos())
        .isEqualTo(after.seenRhos());
  }

  @Test
  @Spec("W-50")
  void decodesATransferToSeveralPayees() {
    Memo one = Samples.memo();
    PaymentOrder first = one.payees().getFirst();
    BulkTag tag = BulkTag.of("payroll", one.payees());
    Memo several =
        new Memo(
            Memo.MAX_COUNTER,
            5,
            List.of(first, new PaymentOrder(Samples.address(4), new Amount(3), "second")),
            Amount.ZERO,
            one.inputs(),
            1,
            new BulkLines(tag, List.of(7, 9)));
    Memo single =
        new Memo(1, 5, List.of(first), Amount.ZERO, List.of(), 1, new BulkLines(tag, List.of(1)));
    WalletState state =
        full()
            .change(edit -> {
              for (Memo memo : List.of(several, single)) {
                edit.remember(
                    new TransferRecord(
                        Samples.core(60 + memo.payees().size()),
                        new SerialNumber(Samples.field(4)),
                        Samples.PERIOD,
                        memo,
                        Samples.field(5),
                        Samples.field(6)));
              }
              for (int payee = 0; payee < Memo.MAX_PAYEES; payee++) {
                edit.deliveries.add(new PendingDelivery(1, payee, new byte[1200]));
                edit.deliveries.add(new PendingDelivery(1, payee, new byte[1200]).posted(7));
                edit.deliveries.add(
                    new PendingDelivery(1, payee, new byte[1200])
                        .posted(7)
                        .with(PendingDelivery.Stage.SEEN));
              }
            });
    assertThat(StateCodec.decode(StateCodec.encode(ENTROPY, state))).isEqualTo(state);
  }

  @Test
  void decodesWhatItEncoded() {
    WalletState state = full();
    byte[] content = StateCodec.encode(ENTROPY, state);
    assertThat(StateCodec.decode(content)).isEqualTo(state);
    assertThat(StateCodec.entropy(content)).isEqualTo(ENTROPY);
  }

  @Test
  void aChangeHasOnlyWhatChanged() {
    WalletState before = full();
    WalletState after =
        before.change(edit -> {
          edit.restoring = false;
          edit.pending = null;
          edit.coins.clear();
          edit.accept(Samples.coin(7), received(200));
          edit.mints.removeFirst();
          edit.deliveries.set(1, edit.deliveries.get(1).posted(5));
          edit.deliveries.add(new PendingDelivery(1, new byte[1200]));
          edit.checkpointMark = null;
          edit.finish(recover(2), Samples.coin(13));
        });
    byte[] change = StateCodec.encodeChange(before, after);
    assertThat(StateCodec.decodeChange(before, change)).isEqualTo(after);
    assertThat(change.length).isLessThan(3 * 1200);
    assertThat(StateCodec.encodeChange(after, after)).hasSize(1);
  }

  /** Elements that stay, go and come in every order, each list as a change of each other. */
  @Test
  void aListIsReadFromItsChanges() {
    Random random = new Random(7);
    List<String> names = IntStream.range(0, 7).mapToObj(i -> "name " + i).toList();
    List<String> before = List.of();
    for (int i = 0; i < 5_000; i++) {
      List<String> after =
          random.ints(random.nextInt(8), 0, names.size()).mapToObj(names::get).toList();
      try (StateWriter out = new StateWriter()) {
        ListChange.write(out, before, after, StateWriter::text);
        StateReader in = new StateReader(out.toBytes());
        assertThat(ListChange.read(in, before, StateReader::text)).isEqualTo(after);
        in.requireEnd();
      }
      before = after;
    }
  }

  @Test
  void refusesChangesOfElementsThatAreNotThere() {
    for (int[] step : new int[][] {{2, 0}, {0, 2}, {1, 1}, {-1, 0}, {0, -1}}) {
      try (StateWriter out = new StateWriter()) {
        out.u8(1).u32(step[0]).u32(step[1]).u32(0).u8(0);
        StateReader in = new StateReader(out.toBytes());
        assertThatIllegalArgumentException()
            .isThrownBy(() -> ListChange.read(in, List.of("one"), StateReader::text));
      }
    }
  }

  @Test
  void refusesTruncatedChangesAndTrailingBytes() {
    WalletState before = WalletState.empty(Samples.profile());
    byte[] change = StateCodec.encodeChange(before, full());
    for (int length = 0; length < change.length; length += 97) {
      assertCorruptChange(before, Arrays.copyOf(change, length));
    }
    assertCorruptChange(before, Arrays.copyOf(change, change.length + 1));
    assertCorruptChange(before, new byte[] {99, 0});
    assertCorruptChange(before, new byte[] {2, 2, 0});
    assertCorruptChange(before, new byte[] {2, 1, 2, 1, 0});
  }

  private static void assertCorruptChange(WalletState before, byte[] change) {
    WalletException refused =
        catchThrowableOfType(WalletException.class, () -> StateCodec.decodeChange(before, change));
    assertThat(refused.error()).isEqualTo(WalletError.STORE_CORRUPT);
  }

  private static ReceivedCoin received(int rho) {
    return new ReceivedCoin(Origin.PAYMENT, new Amount(7), Samples.field(rho), 6, "later");
  }

  /**
   * Files from before there were contacts and buckets: a state without them is written as it was
   * then, so it is read. The digest is that of the content as the program of that time wrote it.
   */
  @Test
  void readsAFileFromBeforeContacts() {
    WalletState without =
        full()
            .change(edit -> {
              edit.contacts.clear();
              edit.posts.clear();
            });
    byte[] content = StateCodec.encode(ENTROPY, without);
    assertThat(Digest32.sha256(content).hex())
        .isEqualTo("beaa2f7f8d3b8121a3e2e03bcf031a68cba05c846c66469a20adb1fae1e3189e");
    WalletState read = StateCodec.decode(content);
    assertThat(read).isEqualTo(without);
    Contact bob = new Contact("Bob", Samples.address(4), new Ed25519PublicKey(new byte[32]));
    WalletState with = read.change(edit -> edit.contacts.add(bob));
    assertThat(StateCodec.decodeChange(read, StateCodec.encodeChange(read, with)).contacts())
        .containsExactly(bob);
  }

  /** A file without a place has none of its bytes, so an older file opens. */
  @Test
  void keepsThePlaceAndTheTimesOfPrivateQueries() {
    WalletState before = full();
    WalletState after =
        before.change(edit -> {
          edit.mailPlace = place();
          edit.nextMailQuery = 77;
        });
    byte[] change = StateCodec.encodeChange(before, after);
    assertThat(StateCodec.decodeChange(before, change)).isEqualTo(after);
    assertThat(StateCodec.decode(StateCodec.encode(ENTROPY, after))).isEqualTo(after);
    WalletState asked = after.change(edit -> edit.nextMailQuery = 99);
    assertThat(StateCodec.encodeChange(after, asked)).hasSize(1 + 8 + 1);
    WalletState left = asked.change(edit -> edit.mailPlace = null);
    assertThat(StateCodec.decodeChange(asked, StateCodec.encodeChange(asked, left)))
        .isEqualTo(left);
    for (int length = 1; length < change.length; length += 13) {
      assertCorruptChange(before, Arrays.copyOf(change, length));
    }
  }

  @Test
  void keepsAMessageThatCameByATag() {
    PendingDelivery tagged = PendingDelivery.tagged(new byte[1200], 78);
    WalletState after = full().change(edit -> edit.deliveries.add(tagged));
    WalletState read = StateCodec.decode(StateCodec.encode(ENTROPY, after));
    assertThat(read.deliveries().getLast()).isEqualTo(tagged);
    assertThat(read.unfinishedTransfers()).isEqualTo(full().unfinishedTransfers());
  }

  private static MailPlace place() {
    MailState state = new MailState(60, Digest32.sha256(new byte[4]));
    return new MailPlace(
        new MailboxBucket(70),
        new MailTableList(100, new TreeMap<>(Map.of(1, state, 70, state))),
        List.of(new MailPlace.Table(60, 3), new MailPlace.Table(90, 1)),
        List.of(
            new MailPlace.Waiting(60, 2, Digest32.sha256(new byte[5])),
            new MailPlace.Waiting(90, 0, Digest32.sha256(new byte[6]), true)),
        4,
        17);
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
    content[0] = 6;
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
