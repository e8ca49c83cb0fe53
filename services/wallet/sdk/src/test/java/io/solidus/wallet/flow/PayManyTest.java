package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.amount;
import static io.solidus.wallet.flow.WalletBench.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Family;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.wallet.HistoryItem;
import io.solidus.wallet.Limits;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.model.BulkLine;
import io.solidus.wallet.model.BulkPlan;
import io.solidus.wallet.model.BulkStatus;
import io.solidus.wallet.model.PaymentOrder;
import io.solidus.wallet.model.ReceivedCoin;
import io.solidus.wallet.receipt.PaymentReceipt;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An employer pays a list, in a network with transfers to eight payees. */
@Tag("process")
@Spec({"W-50", "W-51", "W-52", "W-53"})
class PayManyTest {
  private static final String ID = "payroll-2026-11";

  @TempDir private Path folder;
  private final String words = WalletBench.newPhrase();
  private final List<Wallet> staff = new ArrayList<>();
  private WalletBench bench;

  @BeforeEach
  void open() {
    bench = new WalletBench(folder, TestNetwork.withShapes());
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private Wallet employer(long... coins) {
    return bench.funded("employer", words, coins);
  }

  /** One payment for each of so many people, 101, 102 and so on. */
  private List<PaymentOrder> payroll(int people) {
    while (staff.size() < people) {
      staff.add(bench.create("staff" + staff.size()));
    }
    return IntStream.range(0, people)
        .mapToObj(
            i -> new PaymentOrder(staff.get(i).address(), amount(101 + i), "salary " + (i + 1)))
        .toList();
  }

  private static Amount sum(List<PaymentOrder> orders) {
    return orders.stream().map(PaymentOrder::amount).reduce(Amount.ZERO, Amount::plus);
  }

  private List<Family> families(int before) {
    return bench.gateway.transfers.subList(before, bench.gateway.transfers.size()).stream()
        .map(request -> request.statement().family())
        .toList();
  }

  private static List<BulkLine.State> states(BulkStatus status) {
    return status.lines().stream().map(BulkLine::state).toList();
  }

  private void everybodyGot(List<PaymentOrder> orders) {
    for (int i = 0; i < orders.size(); i++) {
      List<ReceivedCoin> received = staff.get(i).receive();
      assertThat(received).as("payee " + i).hasSize(1);
      assertThat(received.getFirst().value()).isEqualTo(orders.get(i).amount());
      assertThat(received.getFirst().reference()).isEqualTo(orders.get(i).reference());
    }
  }

  @Test
  void elevenPeopleArePaidWithOneProofForEightAndThreeForTheOthers() {
    Wallet employer = employer(5_000);
    List<PaymentOrder> orders = payroll(11);
    BulkPlan plan = employer.planMany(ID, orders);
    assertThat(plan.proofs()).isEqualTo(4);
    assertThat(plan.payeesPerProof()).isEqualTo(8);
    assertThat(plan.status().sum(BulkLine.State.OPEN)).isEqualTo(sum(orders));
    int before = bench.gateway.transfers.size();
    int posts = bench.gateway.mailbox().size();
    List<Integer> progress = new ArrayList<>();
    BulkStatus status =
        employer.payMany(ID, orders, now -> progress.add(now.lines(BulkLine.State.PAID).size()));
    assertThat(states(status)).containsOnly(BulkLine.State.PAID);
    assertThat(status.lines()).allMatch(BulkLine::delivered);
    assertThat(progress).containsExactly(8, 9, 10, 11);
    assertThat(families(before))
        .containsExactly(Family.PAY_8, Family.TRANSFER, Family.TRANSFER, Family.TRANSFER);
    assertThat(bench.gateway.mailbox()).hasSize(posts + 11);
    everybodyGot(orders);
    assertThat(employer.balance().total()).isEqualTo(amount(5_000).minus(sum(orders)));
    assertThat(employer.history().stream().filter(i -> i.kind() == HistoryItem.Kind.PAID))
        .extracting(HistoryItem::amount)
        .containsExactlyElementsOf(orders.stream().map(PaymentOrder::amount).toList());
    assertThat(employer.payMany(ID, orders)).isEqualTo(status);
    assertThat(families(before)).as("paid once").hasSize(4);
  }

  /** With real proofs; the number of messages does not tell that five are paid. */
  @Test
  @Spec("F-23")
  void fivePeopleGetEightMessagesAndReceiptsOfTheirOwn() {
    bench.closeWallet(employer(2_000));
    List<PaymentOrder> orders = payroll(5);
    bench.useRealProofs();
    Wallet employer = bench.reopen("employer");
    int before = bench.gateway.transfers.size();
    int posts = bench.gateway.mailbox().size();
    BulkStatus status = employer.payMany(ID, orders);
    assertThat(families(before)).containsExactly(Family.PAY_8);
    assertThat(bench.gateway.mailbox()).hasSize(posts + 8);
    assertThat(status.lines()).extracting(BulkLine::payee).containsExactly(0, 1, 2, 3, 4);
    everybodyGot(orders);
    for (BulkLine line : status.lines()) {
      PaymentReceipt receipt = employer.receipt(line.core(), line.payee());
      assertThat(receipt.coin().owner()).isEqualTo(line.order().to().apk());
      assertThat(receipt.coin().value()).isEqualTo(line.order().amount());
    }
    PaymentReceipt first = employer.receipt(status.lines().getFirst().core(), 0);
    PaymentReceipt second = employer.receipt(status.lines().getFirst().core(), 1);
    PaymentReceipt mixed =
        new PaymentReceipt(
            first.network(), first.statement(), first.votes(), second.coin(), first.secret());
    refused(
        WalletError.RECEIPT_INVALID,
        () -> mixed.verify(bench.platform.committee(), bench.platform.suite(), Instant.now()));
    refused(RejectionCode.NOT_FOUND, () -> employer.receipt(status.lines().getFirst().core(), 5));
    assertThat(staff.getFirst().balance().unclaimed()).isEqualTo(amount(101));
  }

  /** A message for nobody has a bucket, is looked for and not posted again, as all others. */
  @Test
  void messagesForNobodyAreTreatedLikeOthers() {
    bench.options = WalletBench.OPTIONS.withMailboxBits(MailboxBucket.MAX_BITS);
    Wallet employer = employer(2_000);
    List<PaymentOrder> orders = payroll(4);
    int before = bench.gateway.mailbox().size();
    employer.payMany(ID, orders);
    List<String> posted =
        List.copyOf(bench.gateway.mailbox().subList(before, bench.gateway.mailbox().size()));
    assertThat(posted).hasSize(8).doesNotHaveDuplicates().allMatch(one -> one.length() == 1_600);
    assertThat(posted)
        .extracting(bench.gateway::bucketOf)
        .doesNotContain(MailboxBucket.WHOLE)
        .satisfies(buckets -> assertThat(Set.copyOf(buckets)).hasSizeGreaterThan(2));
    everybodyGot(orders);
    int all = bench.gateway.mailbox().size();
    employer.receive();
    employer.receive();
    assertThat(bench.gateway.mailbox()).hasSize(all);
    assertThat(employer.status().pendingDeliveries()).isZero();
  }

  @Test
  void threePeopleArePaidOneByOne() {
    Wallet employer = employer(2_000);
    List<PaymentOrder> orders = payroll(3);
    int before = bench.gateway.transfers.size();
    employer.payMany(ID, orders);
    assertThat(families(before)).containsOnly(Family.TRANSFER).hasSize(3);
    everybodyGot(orders);
  }

  @Test
  void withoutTheShapeEverybodyIsPaidOneByOne() {
    bench.gateway.faults.withoutShapes = true;
    Wallet employer = employer(2_000);
    List<PaymentOrder> orders = payroll(5);
    BulkPlan plan = employer.planMany(ID, orders);
    assertThat(plan.payeesPerProof()).isEqualTo(1);
    assertThat(plan.proofs()).isEqualTo(5);
    int before = bench.gateway.transfers.size();
    employer.payMany(ID, orders);
    assertThat(families(before)).containsOnly(Family.TRANSFER).hasSize(5);
    everybodyGot(orders);
  }

  /** Each payment counts, whatever proofs they share; nothing is paid where not all can be. */
  @Test
  void limitsAreCheckedForTheWholeListBeforeAnythingIsPaid() {
    Wallet employer = employer(5_000);
    List<PaymentOrder> orders = payroll(9);
    int before = bench.gateway.transfers.size();
    Limits limits = employer.limits();
    Policy policy = bench.gateway.rules.policy();
    List<PaymentOrder> large = new ArrayList<>(orders);
    large.set(
        6,
        new PaymentOrder(
            staff.get(6).address(), policy.maxPerTransfer().plus(amount(1)), "too much"));
    assertThat(
            catchThrowableOfType(ProtocolException.class, () -> employer.payMany("large", large)))
        .hasMessageContaining("payment 7")
        .extracting(ProtocolException::code)
        .isEqualTo(RejectionCode.OVER_LIMIT_TRANSFER);
    List<PaymentOrder> rich = new ArrayList<>(orders);
    rich.set(8, new PaymentOrder(staff.get(8).address(), amount(5_000), "more than there is"));
    refused(RejectionCode.INSUFFICIENT_FUNDS, () -> employer.payMany("rich", rich));
    List<PaymentOrder> many =
        IntStream.rangeClosed(0, limits.transfersLeft())
            .mapToObj(i -> new PaymentOrder(staff.getFirst().address(), amount(1), "many " + i))
            .toList();
    refused(RejectionCode.OVER_LIMIT_COUNT, () -> employer.payMany("many", many));
    refused(RejectionCode.OVER_LIMIT_COUNT, () -> employer.planMany("many", many));
    assertThat(families(before)).isEmpty();
    employer.payMany(ID, orders);
    assertThat(employer.limits().transfersLeft()).isEqualTo(limits.transfersLeft() - 9);
    assertThat(employer.limits().sent()).isEqualTo(limits.sent().plus(sum(orders)));
  }

  /** The attack: one listed name stops everybody's pay. */
  @Test
  void aListedPayeeIsNamedBeforeTheProofAndTheOthersArePaid() {
    Wallet employer = employer(5_000);
    List<PaymentOrder> orders = payroll(6);
    bench.gateway.rules.sanction(staff.get(2).address().apk());
    BulkPlan plan = employer.planMany(ID, orders);
    assertThat(plan.status().lines(BulkLine.State.LISTED))
        .extracting(BulkLine::number)
        .containsExactly(3);
    assertThat(plan.proofs()).isEqualTo(1);
    int before = bench.gateway.transfers.size();
    BulkStatus status = employer.payMany(ID, orders);
    assertThat(families(before)).containsExactly(Family.PAY_8);
    assertThat(states(status))
        .containsExactly(
            BulkLine.State.PAID,
            BulkLine.State.PAID,
            BulkLine.State.LISTED,
            BulkLine.State.PAID,
            BulkLine.State.PAID,
            BulkLine.State.PAID);
    assertThat(staff.get(2).receive()).isEmpty();
    assertThat(staff.get(5).receive()).hasSize(1);
    assertThat(employer.payMany(ID, orders)).isEqualTo(status);
    assertThat(families(before)).hasSize(1);
  }

  /** The attack: a name is listed while the transfer is on its way, so that all wait for ever. */
  @Test
  @Spec("W-03")
  void aPayeeWhoIsListedInFlightIsLeftOutAndTheOthersArePaid() {
    bench.options = WalletBench.IMPATIENT;
    Wallet employer = employer(5_000);
    List<PaymentOrder> orders = payroll(8);
    bench.gateway.faults.lostRequests.set(Integer.MAX_VALUE);
    refused(WalletError.TRANSFER_IN_FLIGHT, () -> employer.payMany(ID, orders));
    bench.gateway.faults.lostRequests.set(0);
    bench.gateway.rules.sanction(staff.get(6).address().apk());
    BulkStatus status = employer.payMany(ID, orders);
    assertThat(status.lines(BulkLine.State.LISTED)).extracting(BulkLine::number).containsExactly(7);
    assertThat(status.lines(BulkLine.State.PAID)).hasSize(7);
    for (int i = 0; i < orders.size(); i++) {
      assertThat(staff.get(i).receive()).hasSize(i == 6 ? 0 : 1);
    }
    assertThat(employer.history().stream().map(HistoryItem::kind))
        .contains(HistoryItem.Kind.ABANDONED);
    assertThat(employer.balance().total())
        .isEqualTo(amount(5_000).minus(sum(orders)).plus(orders.get(6).amount()));
  }

  @Test
  void anotherListUnderTheSameNameIsRefused() {
    Wallet employer = employer(5_000);
    List<PaymentOrder> orders = payroll(5);
    employer.payMany(ID, orders);
    int before = bench.gateway.transfers.size();
    List<PaymentOrder> changed = new ArrayList<>(orders);
    changed.set(4, new PaymentOrder(staff.get(4).address(), amount(500), "raised"));
    refused(RejectionCode.IDEMPOTENCY_MISMATCH, () -> employer.payMany(ID, changed));
    refused(RejectionCode.IDEMPOTENCY_MISMATCH, () -> employer.payMany(ID, orders.subList(0, 3)));
    refused(RejectionCode.IDEMPOTENCY_MISMATCH, () -> employer.manyStatus(ID, changed));
    refused(RejectionCode.MALFORMED_REQUEST, () -> employer.payMany("\0own", orders));
    refused(RejectionCode.MALFORMED_REQUEST, () -> employer.payMany("none", List.of()));
    refused(
        RejectionCode.MALFORMED_REQUEST,
        () ->
            employer.payMany(
                "self", List.of(new PaymentOrder(employer.address(), amount(1), "to oneself"))));
    refused(
        RejectionCode.MALFORMED_REQUEST,
        () ->
            employer.payMany(
                "nothing",
                List.of(new PaymentOrder(staff.getFirst().address(), Amount.ZERO, "nothing"))));
    assertThat(families(before)).isEmpty();
  }

  @Test
  void coinsAreClaimedWhereThePaymentsNeedThem() {
    Wallet employer = employer(300, 300, 300);
    List<PaymentOrder> orders = payroll(6);
    BulkPlan plan = employer.planMany(ID, orders);
    assertThat(plan.proofs()).isEqualTo(2);
    int before = bench.gateway.transfers.size();
    employer.payMany(ID, orders);
    assertThat(families(before)).containsExactly(Family.TRANSFER, Family.PAY_8);
    everybodyGot(orders);
    assertThat(employer.balance().total()).isEqualTo(amount(900).minus(sum(orders)));
  }

  /** The answer is lost; the owner asks again with the same list, from the same file. */
  @Test
  void aListWhoseAnswerWasLostGoesOnWithoutPayingAnybodyTwice() {
    bench.options = WalletBench.IMPATIENT;
    Wallet employer = employer(5_000);
    List<PaymentOrder> orders = payroll(9);
    int before = bench.gateway.transfers.size();
    bench.gateway.faults.lostReplies.set(1);
    refused(WalletError.TRANSFER_IN_FLIGHT, () -> employer.payMany(ID, orders));
    BulkStatus status = employer.manyStatus(ID, orders);
    assertThat(status.lines(BulkLine.State.IN_FLIGHT)).hasSize(8);
    assertThat(status.lines(BulkLine.State.OPEN)).hasSize(1);
    bench.closeWallet(employer);
    Wallet again = bench.reopen("employer");
    assertThat(again.manyStatus(ID, orders)).isEqualTo(status);
    assertThat(states(again.payMany(ID, orders))).containsOnly(BulkLine.State.PAID);
    assertThat(
            bench.gateway.transfers.subList(before, bench.gateway.transfers.size()).stream()
                .map(TransferRequest::statement)
                .distinct())
        .hasSize(2);
    everybodyGot(orders);
  }

  /** Each message is retried alone, and one payee's can be posted again. */
  @Test
  void aMessageThatIsRefusedHoldsBackNoOtherPayee() {
    Wallet employer = employer(5_000);
    List<PaymentOrder> orders = payroll(8);
    bench.gateway.faults.refusesNextBlob = true;
    BulkStatus status = employer.payMany(ID, orders);
    assertThat(states(status)).containsOnly(BulkLine.State.PAID);
    assertThat(status.lines().stream().filter(line -> !line.delivered())).hasSize(1);
    BulkLine missing =
        status.lines().stream().filter(line -> !line.delivered()).findFirst().orElseThrow();
    for (BulkLine line : status.lines()) {
      assertThat(staff.get(line.number() - 1).receive())
          .hasSize(line.number() == missing.number() ? 0 : 1);
    }
    bench.gateway.faults.refusedBlobs.clear();
    assertThat(employer.resend(missing.core(), missing.payee())).isTrue();
    assertThat(employer.manyStatus(ID, orders).lines()).allMatch(BulkLine::delivered);
    assertThat(staff.get(missing.number() - 1).receive()).hasSize(1);
    int posts = bench.gateway.mailbox().size();
    assertThat(employer.resend(missing.core(), 0)).isTrue();
    assertThat(bench.gateway.mailbox()).as("one message, for one payee").hasSize(posts + 1);
    assertThat(staff.getFirst().receive()).isEmpty();
    refused(RejectionCode.NOT_FOUND, () -> employer.resend(missing.core(), 8));
    assertThat(
            staff
                .get(missing.number() - 1)
                .acceptParcel(employer.parcel(missing.core(), missing.payee())))
        .isEmpty();
  }

  /** The phone is lost half-way; the words tell who was paid, and the list goes on. */
  @Test
  @Spec({"F-81", "W-05"})
  void aRestoredWalletGoesOnWithTheList() {
    bench.options = WalletBench.IMPATIENT;
    Wallet employer = employer(5_000);
    List<PaymentOrder> orders = payroll(20);
    bench.gateway.faults.onTransfer =
        request -> {
          if (bench.gateway.transfers.size() > 1) {
            bench.only(1, 2);
          }
        };
    refused(RejectionCode.NO_QUORUM, () -> employer.payMany(ID, orders));
    bench.gateway.faults.onTransfer = null;
    bench.only(1, 2, 3, 4);
    bench.closeWallet(employer);
    Wallet restored = bench.toRestore("restored", words);
    restored.restore();
    BulkStatus status = restored.manyStatus(ID, orders);
    assertThat(status.lines(BulkLine.State.PAID)).hasSizeGreaterThanOrEqualTo(8);
    assertThat(status.lines(BulkLine.State.OPEN)).isNotEmpty();
    assertThat(states(restored.payMany(ID, orders))).containsOnly(BulkLine.State.PAID);
    everybodyGot(orders);
    assertThat(restored.balance().total()).isEqualTo(amount(5_000).minus(sum(orders)));
    assertThat(restored.history().stream().filter(i -> i.kind() == HistoryItem.Kind.PAID))
        .extracting(HistoryItem::reference)
        .containsExactlyElementsOf(orders.stream().map(PaymentOrder::reference).toList());
    BulkLine first = status.lines().get(1);
    assertThat(restored.receipt(first.core(), first.payee()).coin().value())
        .isEqualTo(orders.get(1).amount());
  }

  /** Two devices with the same list, of which one has an older file. */
  @Test
  void anOlderCopyOfTheFileSeesWhatWasPaid() {
    Wallet employer = employer(5_000);
    List<PaymentOrder> orders = payroll(9);
    bench.closeWallet(employer);
    bench.copy("employer", "laptop");
    bench.reopen("employer").payMany(ID, orders);
    int before = bench.gateway.transfers.size();
    Wallet laptop = bench.reopen("laptop");
    assertThat(laptop.manyStatus(ID, orders).lines(BulkLine.State.OPEN)).hasSize(9);
    assertThat(states(laptop.payMany(ID, orders))).containsOnly(BulkLine.State.PAID);
    assertThat(
            bench.gateway.transfers.subList(0, before).stream()
                .map(TransferRequest::statement)
                .toList())
        .as("only sent again")
        .containsAll(
            bench.gateway.transfers.subList(before, bench.gateway.transfers.size()).stream()
                .map(TransferRequest::statement)
                .toList());
    everybodyGot(orders);
  }

  /** A recover burns a transfer to eight payees; nobody pays them again under this name. */
  @Test
  @Spec("W-10")
  void whatARecoverBurntIsNotPaidAgain() {
    Wallet other = bench.registered("other");
    Wallet made = employer(5_000);
    made.claim();
    List<PaymentOrder> orders = payroll(8);
    bench.closeWallet(made);
    bench.copy("employer", "laptop");
    Wallet phone = bench.device("employer", other);
    Wallet laptop = bench.device("laptop", other);
    bench.gateway.faults.onTransfer = request -> bench.only(1, 2);
    refused(RejectionCode.NO_QUORUM, () -> phone.payMany(ID, orders));
    bench.gateway.faults.onTransfer = null;
    bench.only(1, 2, 3, 4);
    bench.payAt(laptop, other, 40, 3, 4);
    phone.recover();
    BulkStatus status = phone.payMany(ID, orders);
    assertThat(states(status)).containsOnly(BulkLine.State.BURNT);
    assertThat(phone.balance().total()).isLessThan(amount(5_000));
    phone.pay(other.address(), amount(20), "after");
    assertThat(other.receive()).hasSize(1);
  }

  @Test
  void anUnregulatedNetworkPaysOneByOne() {
    bench.close();
    bench = new WalletBench(folder, TestNetwork.unregulated());
    Wallet employer = bench.create("payer");
    bench.fund(employer, 300, 300, 300);
    staff.clear();
    List<PaymentOrder> orders = payroll(5);
    int before = bench.gateway.transfers.size();
    assertThat(employer.planMany(ID, orders).payeesPerProof()).isEqualTo(1);
    assertThat(states(employer.payMany(ID, orders))).containsOnly(BulkLine.State.PAID);
    assertThat(families(before)).containsOnly(Family.TRANSFER_UNREGULATED);
    everybodyGot(orders);
    assertThat(employer.balance().total()).isEqualTo(amount(900).minus(sum(orders)));
  }
}
