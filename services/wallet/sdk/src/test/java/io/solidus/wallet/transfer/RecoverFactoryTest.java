package io.solidus.wallet.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.Amount;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Origin;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RecoverStatement;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.prover.Suite;
import io.solidus.wallet.Samples;
import io.solidus.wallet.keys.RandomScalars;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.keys.WalletKeys;
import io.solidus.wallet.model.Memo;
import io.solidus.wallet.model.SpentInput;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Recovers of a wallet's transfers, without proofs. */
@Spec("W-10")
class RecoverFactoryTest {
  private static final long HELD = 1_000;
  private static final long COIN = 300;

  private final Suite suite = new Suite(Samples.NETWORK);
  private final WalletKeys keys = keys();
  private final TransferFactory transfers = new TransferFactory(Samples.NETWORK, suite, keys);
  private final RecoverFactory recovers = factory(keys);
  private final ComplianceCoin tip =
      new ComplianceCoin(
          transfers.apk(),
          Samples.field(5),
          Samples.PERIOD,
          new Amount(70),
          4,
          new Amount(HELD),
          Samples.field(6));
  private final OwnCore small = pay(tip, 100, COIN);
  private final OwnCore large = pay(tip, 400, COIN);

  @AfterEach
  void close() {
    keys.close();
  }

  private static WalletKeys keys() {
    try (SeedPhrase phrase = SeedPhrase.generate(new SecureRandom())) {
      return WalletKeys.derive(phrase, Samples.NETWORK);
    }
  }

  private RecoverFactory factory(WalletKeys of) {
    return new RecoverFactory(
        suite,
        of,
        new TransferFactory(Samples.NETWORK, suite, of),
        () -> 1,
        new RandomScalars(new SecureRandom()),
        witness -> new byte[Family.RECOVER.proofBytes()]);
  }

  /** A transfer that claims one coin, when its value is not zero. */
  private OwnCore pay(ComplianceCoin from, long minor, long claimed) {
    List<SpentInput> inputs =
        claimed == 0
            ? List.of()
            : List.of(new SpentInput(Origin.MINT, new Amount(claimed), Samples.field(71)));
    Memo memo =
        new Memo(0, minor, new Amount(minor), Samples.address(9), Amount.ZERO, inputs, 0, "");
    try (TransferDraft draft = transfers.draft(from, memo, Samples.PERIOD, null)) {
      return recovers.own(draft, Samples.transferRequest().evidence());
    }
  }

  private OwnRecover make(OwnCore first, OwnCore second, SerialNumber... elsewhere) {
    return recovers.make(first, second, Set.of(elsewhere), core -> Optional.empty());
  }

  private static void assertMoney(OwnRecover made, long held, long returned, long outflow) {
    assertThat(made.memo().held()).isEqualTo(new Amount(held));
    assertThat(made.memo().returned()).isEqualTo(new Amount(returned));
    assertThat(made.memo().outflow()).isEqualTo(new Amount(outflow));
  }

  @Test
  @Spec({"X-05", "X-06", "X-08", "X-09"})
  void theLargerBranchIsBurntAndTheCoinCountsOnce() {
    OwnRecover made = make(small, large);
    assertMoney(made, 900, 0, 400);
    assertThat(made.memo().count()).isEqualTo(6);
    assertThat(made.memo().sent()).isEqualTo(new Amount(470));
    assertThat(made.memo().claimed()).containsExactly(Samples.field(71));
    assertThat(made.own().credited()).isEqualTo(Set.copyOf(small.coins().getFirst()));
  }

  @Test
  void whatIsAboveTheFormerBalanceReturnsAsACoin() {
    assertMoney(make(pay(tip, 100, 5_000), pay(tip, 400, 5_000)), HELD, 4_600, 400);
  }

  @Test
  void aChildIsBurntWithItsParent() {
    OwnCore child = pay(small.next(), 350, 0);
    OwnRecover branch = make(small, child);
    assertMoney(branch, 850, 0, 450);
    assertMoney(make(branch.own(), large), 850, 0, 450);
  }

  @Test
  @Spec("X-24")
  void aCoinThatAnotherCoreHoldsIsNotCredited() {
    OwnRecover made = make(small, large, small.coins().getFirst().getFirst());
    assertMoney(made, 600, 0, 400);
    assertThat(made.own().credited()).isEmpty();
    assertThat(made.memo().claimed()).containsExactly(Samples.field(71));
  }

  @Test
  void oneCoreAloneCanBeTakenBack() {
    assertMoney(make(small, small), HELD, 200, 100);
  }

  /** Two devices; only the proof and its key's randomisation are fresh. */
  @Test
  @Spec("W-02")
  void theSameCoresGiveTheSameRecover() {
    RecoverRequest one = make(small, large).request();
    RecoverRequest other =
        factory(keys).make(small, large, Set.of(), core -> Optional.empty()).request();
    assertThat(one.statement()).isEqualTo(other.statement());
    assertThat(one.attachments()).isEqualTo(other.attachments());
    assertThat(one.evidence().rk()).isNotEqualTo(other.evidence().rk());
  }

  @Test
  void aRecoverThatWasMadeIsNotProvedAgain() {
    OwnRecover made = make(small, large);
    assertThat(
            recovers.make(
                small,
                large,
                Set.of(),
                core -> core.equals(made.core()) ? Optional.of(made) : Optional.empty()))
        .extracting(OwnRecover::request)
        .isEqualTo(made.request());
  }

  /** An authority may show what it likes, with blocks of a recover that it has seen. */
  @Test
  void onlyTheOwnersRecoverOpens() {
    RecoverRequest made = make(small, large).request();
    assertThat(recovers.reopen(made)).isPresent();
    try (WalletKeys others = keys()) {
      assertThat(factory(others).reopen(made)).isEmpty();
    }
    RecoverStatement s = made.statement();
    List<BlindedCoin> outputs = s.outputs().reversed();
    assertThat(recovers.reopen(with(made, s.next(), s.credits(), outputs))).isEmpty();
    assertThat(recovers.reopen(with(made, s.next(), 0, s.outputs()))).isEmpty();
    List<SerialNumber> others = List.of(small.nextSerial(), new SerialNumber(Samples.field(9)));
    assertThat(recovers.reopen(with(made, others, s.credits(), s.outputs()))).isEmpty();
  }

  private static RecoverRequest with(
      RecoverRequest made, List<SerialNumber> next, int credits, List<BlindedCoin> outputs) {
    RecoverStatement s = made.statement();
    return new RecoverRequest(
        made.below(),
        new RecoverStatement(
            s.first(), s.second(), next, s.returned(), credits, outputs, s.context()),
        made.evidence(),
        made.attachments());
  }

  /** The positions in the list of a further recover are other ones. */
  @Test
  @Spec("X-20")
  void aRecoverIsOverRecoversOfBothSides() {
    OwnCore third = pay(tip, 250, 0);
    OwnRecover left = make(small, third);
    OwnRecover right = make(large, third);
    OwnRecover both = make(left.own(), right.own());
    assertThat(both.own().below())
        .containsExactlyInAnyOrder(
            small.core(), third.core(), large.core(), left.core(), right.core());
    assertMoney(both, 900, 0, 400);
    assertThat(recovers.reopen(both.request())).isPresent();
  }

  @Test
  @Spec("X-22")
  void moreThanSixteenCoresAreRefused() {
    List<OwnCore> cores = new ArrayList<>();
    OwnCore last = small;
    for (int i = 0; i < 8; i++) {
      cores.add(pay(tip, i, 0));
      last = make(last, cores.get(i)).own();
    }
    OwnCore full = last;
    assertThat(full.below()).hasSize(16);
    assertThatThrownBy(() -> make(full, large)).isInstanceOf(ProtocolException.class);
  }

  @Test
  void aReturnedCoinIsNotCredited() {
    OwnRecover first = make(pay(tip, 100, 5_000), pay(tip, 400, 5_000));
    Memo memo =
        new Memo(
            0,
            9,
            new Amount(10),
            Samples.address(9),
            Amount.ZERO,
            List.of(new SpentInput(Origin.OWN, first.memo().returned(), first.returned().rho())),
            0,
            "");
    OwnCore child;
    try (TransferDraft draft = transfers.draft(first.own().next(), memo, Samples.PERIOD, null)) {
      child = recovers.own(draft, Samples.transferRequest().evidence());
    }
    OwnRecover made = make(first.own(), child);
    assertMoney(made, HELD, 4_590, 410);
    FieldElement returned = first.own().returned();
    assertThat(made.own().credited()).doesNotContain(new SerialNumber(returned));
  }
}
