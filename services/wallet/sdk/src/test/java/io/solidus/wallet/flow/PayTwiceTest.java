package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.amount;
import static io.solidus.wallet.flow.WalletBench.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.model.BulkDoubts;
import io.solidus.wallet.model.BulkLine;
import io.solidus.wallet.model.BulkPlan;
import io.solidus.wallet.model.PaymentOrder;
import io.solidus.wallet.request.PaymentRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ways in which a list could be paid twice, or its messages could tell how many it pays. */
@Tag("process")
@Spec({"W-50", "W-53"})
class PayTwiceTest {
  private static final String ID = "payroll-2026-11";

  @TempDir private Path folder;
  private final String words = WalletBench.newPhrase();
  private final List<Wallet> staff = new ArrayList<>();
  private WalletBench bench;

  @BeforeEach
  void open() {
    bench = new WalletBench(folder, TestNetwork.withShapes());
    bench.options = WalletBench.IMPATIENT;
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private Wallet employer() {
    return bench.funded("employer", words, 5_000);
  }

  private List<PaymentOrder> payroll(int people) {
    while (staff.size() < people) {
      staff.add(bench.create("staff" + staff.size()));
    }
    return IntStream.range(0, people)
        .mapToObj(i -> order(i, 101 + i, "salary " + (i + 1)))
        .toList();
  }

  private PaymentOrder order(int person, long minor, String text) {
    return new PaymentOrder(staff.get(person).address(), amount(minor), text);
  }

  private static List<BulkLine.State> states(List<BulkLine> lines) {
    return lines.stream().map(BulkLine::state).toList();
  }

  /** The attack: cut off after eight of nine, a line changed, and another name taken for it. */
  @Test
  void whoWasPaidByAListThatWasCutOffIsNotPaidByAChangedOne() {
    Wallet employer = employer();
    List<PaymentOrder> orders = payroll(9);
    assertThatThrownBy(() ->
            employer.payMany(
                ID,
                orders,
                now -> {
                  throw new IllegalStateException("cut off");
                }))
        .hasMessage("cut off");
    List<PaymentOrder> changed = new ArrayList<>(orders);
    changed.set(0, order(0, 101, "wages 1"));
    changed.set(8, order(8, 500, "raised"));
    assertThat(catchThrowableOfType(ProtocolException.class, () -> employer.payMany(ID, changed)))
        .hasMessageContaining("payments 1, 2, 3, 4, 5, 6, 7, 8 of the list are paid there")
        .extracting(ProtocolException::code)
        .isEqualTo(RejectionCode.IDEMPOTENCY_MISMATCH);
    int before = bench.gateway.transfers.size();
    BulkPlan plan = employer.planMany("another", changed);
    assertThat(plan.doubts().paid())
        .extracting(BulkLine::number)
        .containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
    refused(WalletError.PAYMENTS_REPEATED, () -> employer.payMany("another", changed));
    assertThat(bench.gateway.transfers).hasSize(before);
    employer.payMany("rest", changed.subList(8, 9));
    for (Wallet person : staff) {
      assertThat(person.receive()).hasSize(1);
    }
    List<PaymentOrder> meant = changed.subList(0, 1);
    employer.payManyAgain("another", meant, employer.planMany("another", meant).doubts(), n -> {});
    assertThat(staff.getFirst().receive()).as("who means it").hasSize(1);
  }

  /** The owner confirms one line, and meanwhile another device pays the others. */
  @Test
  void whatAnotherDevicePaidAfterTheOwnerConfirmedIsNotPaidAgain() {
    Wallet employer = employer();
    List<PaymentOrder> orders = payroll(3);
    employer.payMany("last week", orders.subList(0, 1));
    bench.closeWallet(employer);
    bench.copy("employer", "laptop");
    Wallet planning = bench.reopen("laptop");
    BulkDoubts confirmed = planning.planMany(ID, orders).doubts();
    assertThat(confirmed.paid()).extracting(BulkLine::number).containsExactly(1);
    bench.closeWallet(planning);
    bench.reopen("employer").payMany("by the phone", orders.subList(1, 3));
    Wallet laptop = bench.reopen("laptop");
    assertThatThrownBy(() -> laptop.payManyAgain(ID, orders, confirmed, now -> {}))
        .hasMessageContaining("payments 2, 3 of the list");
    assertThat(laptop.manyStatus(ID, orders).lines(BulkLine.State.OPEN)).hasSize(3);
    for (Wallet person : staff) {
      assertThat(person.receive()).hasSize(1);
    }
    BulkDoubts all = laptop.planMany(ID, orders).doubts();
    assertThat(states(laptop.payManyAgain(ID, orders, all, now -> {}).lines()))
        .containsOnly(BulkLine.State.PAID);
  }

  /** The same between two proofs of one call. */
  @Test
  void aDoubtThatTurnsUpBetweenTwoProofsStopsTheList() {
    Wallet employer = employer();
    List<PaymentOrder> orders = payroll(2);
    employer.payMany("last week", orders.subList(0, 1));
    BulkDoubts confirmed = employer.planMany(ID, orders).doubts();
    bench.closeWallet(employer);
    bench.copy("employer", "laptop");
    Wallet phone = bench.reopen("employer");
    Wallet laptop = bench.reopen("laptop");
    assertThatThrownBy(() ->
            laptop.payManyAgain(
                ID, orders, confirmed, now -> phone.payMany("by the phone", orders.subList(1, 2))))
        .isInstanceOf(ProtocolException.class);
    assertThatThrownBy(() -> laptop.payManyAgain(ID, orders, confirmed, now -> {}))
        .hasMessageContaining("payments 2 of the list");
    assertThat(staff.getFirst().receive()).hasSize(2);
    assertThat(staff.get(1).receive()).hasSize(1);
  }

  /** Nothing was paid under the name, so it is free for the list that was put right. */
  @Test
  void aListOfWhichEverythingWasGivenUpMayBePutRight() {
    Wallet employer = employer();
    List<PaymentOrder> orders = payroll(2);
    bench.gateway.faults.lostRequests.set(Integer.MAX_VALUE);
    List<PaymentOrder> wrong = orders.subList(0, 1);
    refused(WalletError.TRANSFER_IN_FLIGHT, () -> employer.payMany(ID, wrong));
    List<PaymentOrder> right = orders.subList(1, 2);
    refused(RejectionCode.IDEMPOTENCY_MISMATCH, () -> employer.manyStatus(ID, right));
    bench.gateway.faults.lostRequests.set(0);
    bench.gateway.rules.sanction(staff.getFirst().address().apk());
    assertThat(states(employer.payMany(ID, wrong).lines())).containsOnly(BulkLine.State.LISTED);
    assertThat(states(employer.payMany(ID, right).lines())).containsOnly(BulkLine.State.PAID);
    assertThat(staff.get(1).receive()).hasSize(1);
    refused(RejectionCode.IDEMPOTENCY_MISMATCH, () -> employer.payMany(ID, wrong));
  }

  @Test
  void aPaymentOfItsOwnIsNotMadeAgainByAList() {
    Wallet employer = employer();
    List<PaymentOrder> orders = payroll(2);
    PaymentOrder first = orders.getFirst();
    employer.pay(first.to(), first.amount(), first.reference());
    employer.pay(orders.get(1).to(), orders.get(1).amount(), "a loan");
    refused(WalletError.PAYMENTS_REPEATED, () -> employer.payMany(ID, orders));
    assertThat(employer.planMany(ID, orders).doubts().paid())
        .extracting(BulkLine::number)
        .containsExactly(1);
  }

  /** All of a list is burnt; its file keeps the names, and a restored wallet finds them. */
  @Test
  @Spec({"W-10", "F-39"})
  void whatARecoverBurntIsNotPaidByAChangedListOrByARestoredWallet() {
    Wallet other = bench.registered("other");
    Wallet made = employer();
    made.claim();
    List<PaymentOrder> orders = new ArrayList<>(payroll(8));
    PaymentRequest asked =
        new PaymentRequest(
            other.address(),
            new PaymentRequest.Price(amount(101), new CurrencyCode("EUR")),
            null,
            other.newRequestToken(),
            null,
            "",
            null);
    orders.set(3, new PaymentOrder(other.address(), amount(101), asked.paymentText()));
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
    assertThat(states(phone.manyStatus(ID, orders).lines())).containsOnly(BulkLine.State.BURNT);
    int before = bench.gateway.transfers.size();
    refused(RejectionCode.IDEMPOTENCY_MISMATCH, () -> phone.payMany(ID, orders.subList(0, 7)));
    refused(WalletError.PAYMENT_BURNT, () -> phone.pay(asked));
    refused(WalletError.PAYMENTS_REPEATED, () -> phone.payMany("another", orders.subList(0, 3)));
    assertThat(bench.gateway.transfers).hasSize(before);
    bench.closeWallet(phone);
    bench.closeWallet(laptop);
    Wallet restored = bench.toRestore("restored", words);
    restored.restore();
    int restoredAt = bench.gateway.transfers.size();
    refused(WalletError.PAYMENT_BURNT, () -> restored.pay(asked));
    assertThat(states(restored.payMany(ID, orders).lines())).containsOnly(BulkLine.State.BURNT);
    refused(RejectionCode.IDEMPOTENCY_MISMATCH, () -> restored.payMany(ID, orders.subList(0, 7)));
    assertThat(bench.gateway.transfers).hasSize(restoredAt);
    // the names do not say whom the list paid
    List<PaymentOrder> some = orders.subList(0, 3);
    BulkPlan plan = restored.planMany("another", some);
    assertThat(plan.status().lines(BulkLine.State.OPEN)).hasSize(3);
    assertThat(plan.doubts().burnt()).isTrue();
    refused(WalletError.PAYMENTS_REPEATED, () -> restored.payMany("another", some));
    BulkDoubts others = new BulkDoubts(plan.status().lines(), false);
    refused(
        WalletError.PAYMENTS_REPEATED,
        () -> restored.payManyAgain("another", some, others, now -> {}));
    assertThat(states(restored.payManyAgain("another", some, plan.doubts(), now -> {}).lines()))
        .containsOnly(BulkLine.State.PAID);
  }

  /** The list was paid with coins that the older file never saw. */
  @Test
  @Spec("W-14")
  void anOlderCopyInAnUnregulatedNetworkSeesWhatWasPaid() {
    bench.close();
    bench = new WalletBench(folder, TestNetwork.unregulated());
    Wallet made = bench.create("employer");
    bench.fund(made, 300);
    bench.closeWallet(made);
    bench.copy("employer", "laptop");
    Wallet employer = bench.reopen("employer");
    bench.fund(employer, 60, 60);
    employer.receive();
    List<PaymentOrder> orders = payroll(1);
    assertThat(states(employer.payMany(ID, orders).lines())).containsOnly(BulkLine.State.PAID);
    bench.closeWallet(employer);
    Wallet laptop = bench.reopen("laptop");
    assertThat(states(laptop.payMany(ID, orders).lines())).containsOnly(BulkLine.State.PAID);
    assertThat(staff.getFirst().receive()).hasSize(1);
    assertThat(laptop.balance().total()).isEqualTo(amount(420 - 101));
  }

  /**
   * Messages for payees stay in their buckets after a restore and in the next month; if those for
   * nobody moved, they would show.
   */
  @Test
  void messagesForNobodyStayInTheirBuckets() {
    bench.options = WalletBench.IMPATIENT.withMailboxBits(MailboxBucket.MAX_BITS);
    Wallet employer = employer();
    List<PaymentOrder> orders = payroll(4);
    int before = bench.gateway.mailbox().size();
    employer.payMany(ID, orders);
    List<MailboxBucket> first = buckets(before);
    assertThat(first).hasSize(8);
    bench.closeWallet(employer);
    before = bench.gateway.mailbox().size();
    Wallet restored = bench.toRestore("restored", words);
    restored.restore();
    restored.settle();
    assertThat(buckets(before)).containsExactlyInAnyOrderElementsOf(first);
    before = bench.gateway.mailbox().size();
    List<PaymentOrder> next =
        IntStream.range(0, 4).mapToObj(i -> order(3 - i, 201 + i, "december")).toList();
    restored.payMany("payroll-2026-12", next);
    assertThat(buckets(before)).containsExactlyInAnyOrderElementsOf(first);
  }

  private List<MailboxBucket> buckets(int from) {
    List<String> all = bench.gateway.mailbox();
    return all.subList(from, all.size()).stream().map(bench.gateway::bucketOf).toList();
  }

  /**
   * As many messages as payees would tell their number, and a receipt of "the" payee is a guess.
   */
  @Test
  @Spec("F-23")
  void whatIsForOneOfSeveralPayeesNamesHim() {
    Wallet employer = employer();
    BulkLine line = employer.payMany(ID, payroll(4)).lines().getFirst();
    int posts = bench.gateway.mailbox().size();
    refused(RejectionCode.MALFORMED_REQUEST, () -> employer.resend(line.core()));
    refused(RejectionCode.MALFORMED_REQUEST, () -> employer.receipt(line.core()));
    refused(RejectionCode.MALFORMED_REQUEST, () -> employer.parcel(line.core()));
    assertThat(bench.gateway.mailbox()).hasSize(posts);
    assertThat(employer.planMany("none", payroll(4).subList(0, 1)).isDenied()).isFalse();
  }

  @Test
  @Spec("W-51")
  void aGatewayThatDeniesTheShapeIsNamed() {
    bench.gateway.faults.withoutShapes = true;
    BulkPlan plan = employer().planMany(ID, payroll(5));
    assertThat(plan.payeesPerProof()).isEqualTo(1);
    assertThat(plan.isDenied()).isTrue();
  }
}
