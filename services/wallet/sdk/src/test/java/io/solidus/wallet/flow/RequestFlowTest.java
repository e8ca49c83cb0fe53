package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.amount;
import static io.solidus.wallet.flow.WalletBench.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.Amount;
import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.Period;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.wallet.HistoryItem;
import io.solidus.wallet.Limits;
import io.solidus.wallet.Payment;
import io.solidus.wallet.ReadRequest;
import io.solidus.wallet.TappedWallet;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.Contact;
import io.solidus.wallet.model.ReceivedCoin;
import io.solidus.wallet.request.PaymentRequest;
import io.solidus.wallet.request.RequestToken;
import io.solidus.wallet.session.Progress;
import io.solidus.wallet.store.TappedStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests, contacts, limits, and payments that are made once. */
@Tag("process")
class RequestFlowTest {
  private static final CurrencyCode EUR = new CurrencyCode("EUR");

  @TempDir private Path folder;
  private WalletBench bench;
  private final String words = WalletBench.newPhrase();

  @BeforeEach
  void open() {
    bench = new WalletBench(folder);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static PaymentRequest request(Wallet payee, long minor, String label) {
    return new PaymentRequest(
        payee.address(),
        new PaymentRequest.Price(amount(minor), EUR),
        null,
        payee.newRequestToken(),
        null,
        label,
        null);
  }

  private static PaymentRequest until(PaymentRequest request, Instant expiresAt) {
    return new PaymentRequest(
        request.payee(), request.price(), expiresAt, request.id(), null, request.label(), null);
  }

  private static RequestToken id(PaymentRequest request) {
    return Objects.requireNonNull(request.id());
  }

  /** The answer is lost, the wallet is closed, the file is lost, the time is over: one payment. */
  @Test
  @Spec("F-39")
  void aRequestIsPaidOnce() {
    bench.closeWallet(bench.funded("alice", words, 1_000));
    Wallet bob = bench.create("bob");
    PaymentRequest request = request(bob, 100, "two books");
    Wallet alice = bench.reopen("alice", WalletBench.OPTIONS.withPatience(Duration.ofMillis(50)));
    bench.gateway.faults.lostReplies.set(Integer.MAX_VALUE);
    assertThatThrownBy(() -> alice.pay(request)).isInstanceOf(WalletException.class);
    bench.gateway.faults.lostReplies.set(0);
    Payment made = alice.pay(request);
    assertThat(alice.pay(request).core()).isEqualTo(made.core());
    bench.closeWallet(alice);
    assertThat(bench.reopen("alice").pay(request).core()).isEqualTo(made.core());

    Wallet again = bench.toRestore("alice-again", words);
    again.restore();
    assertThat(again.pay(request).core()).isEqualTo(made.core());
    assertThat(again.pay(until(request, Instant.EPOCH)).core()).isEqualTo(made.core());
    PaymentRequest dearer =
        new PaymentRequest(
            request.payee(),
            new PaymentRequest.Price(amount(101), EUR),
            null,
            request.id(),
            null,
            request.label(),
            null);
    refused(RejectionCode.IDEMPOTENCY_MISMATCH, () -> again.pay(dearer));
    refused(RejectionCode.IDEMPOTENCY_MISMATCH, () -> again.pay(request.withLabel("tea")));
    assertThat(again.balance().total()).isEqualTo(amount(900));

    bob.receive();
    assertThat(bob.paidFor(id(request)))
        .singleElement()
        .satisfies(coin -> {
          assertThat(coin.value()).isEqualTo(amount(100));
          assertThat(coin.reference()).isEqualTo(id(request) + " two books");
        });
    assertThat(bob.paidFor(bob.newRequestToken())).isEmpty();
  }

  /** Another payee who saw the request cannot use up its id. */
  @Test
  void anIdIsThePayees() {
    Wallet alice = bench.funded("alice", 1_000);
    Wallet bob = bench.create("bob");
    Wallet mallory = bench.create("mallory");
    PaymentRequest request = request(bob, 100, "");
    PaymentRequest copied =
        new PaymentRequest(mallory.address(), request.price(), null, request.id(), null, "", null);
    Payment first = alice.pay(copied);
    assertThat(alice.pay(request).core()).isNotEqualTo(first.core());
    assertThat(bob.receive()).hasSize(1);
    assertThat(mallory.receive()).hasSize(1);
  }

  /** An application's own name takes the place of the id, and a request without one pays often. */
  @Test
  void aNameOfItsOwnOrNoIdPaysAgain() {
    Wallet alice = bench.funded("alice", 1_000);
    Wallet bob = bench.create("bob");
    PaymentRequest request = request(bob, 100, "");
    Payment first = alice.pay(request);
    Payment named = alice.pay("second time", request);
    assertThat(named.core()).isNotEqualTo(first.core());
    assertThat(alice.pay("second time", request).core()).isEqualTo(named.core());
    PaymentRequest often =
        new PaymentRequest(bob.address(), request.price(), null, null, null, "donation", null);
    assertThat(alice.pay(often).core()).isNotEqualTo(alice.pay(often).core());
    assertThat(bob.receive().stream().map(ReceivedCoin::reference))
        .containsExactlyInAnyOrder(id(request).hex(), id(request).hex(), "donation", "donation");
  }

  /** Thrown in a write, in place of the end of the process. */
  private static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * The payer's process ends in each write of its file, with and without what was written, and the
   * next one pays the request again.
   */
  @Test
  void aRequestIsPaidOnceWhereverItsPayerIsKilled() throws IOException {
    Wallet bob = bench.create("bob");
    PaymentRequest request = request(bob, 100, "");
    bench.closeWallet(bob);
    bench.closeWallet(bench.funded("alice", 600, 500));
    byte[] alices = Files.readAllBytes(bench.path("alice"));
    byte[] bobs = Files.readAllBytes(bench.path("bob"));
    FakeGateway.Stored services = bench.gateway.stored();
    int kills = 0;
    for (boolean killed = true; killed; kills++) {
      for (boolean written : new boolean[] {true, false}) {
        bench.gateway.restore(services);
        Files.write(bench.path("alice"), alices);
        Files.write(bench.path("bob"), bobs);
        killed = payUntilKilled(request, kills + 1, written);
        Wallet again = bench.reopen("alice");
        Payment made = again.pay(request);
        assertThat(again.pay(request).core()).isEqualTo(made.core());
        again.settle();
        assertThat(again.balance().total()).isEqualTo(amount(1_000));
        assertThat(again.history().stream().map(HistoryItem::kind))
            .containsOnlyOnce(HistoryItem.Kind.PAID);
        bench.closeWallet(again);
        Wallet payee = bench.reopen("bob");
        payee.receive();
        assertThat(payee.paidFor(id(request))).as("kill %s", kills).hasSize(1);
        bench.closeWallet(payee);
      }
    }
    assertThat(kills).isGreaterThan(3);
  }

  private boolean payUntilKilled(PaymentRequest request, int write, boolean written)
      throws IOException {
    AtomicInteger writes = new AtomicInteger();
    AtomicInteger entry = new AtomicInteger();
    Path path = bench.path("alice");
    boolean killed = false;
    try (Wallet alice =
        TappedWallet.over(
            TappedStore.open(
                path,
                WalletBench.PASSPHRASE,
                entryBytes -> {
                  if (writes.incrementAndGet() == write) {
                    entry.set(entryBytes);
                    throw new Killed();
                  }
                }),
            bench.platform,
            WalletBench.OPTIONS,
            path)) {
      alice.pay(request);
    } catch (Killed e) {
      killed = true;
    }
    if (killed && !written && entry.get() > 0) {
      byte[] file = Files.readAllBytes(path);
      Files.write(path, Arrays.copyOf(file, file.length - entry.get()));
    }
    return killed;
  }

  @Test
  void refusesWhatCannotBePaid() {
    bench.closeWallet(bench.funded("alice", 1_000));
    Wallet bob = bench.create("bob");
    Instant now = Instant.parse("2026-11-26T12:00:00Z");
    Wallet alice =
        bench.reopen("alice", WalletBench.OPTIONS.withClock(Clock.fixed(now, ZoneOffset.UTC)));
    PaymentRequest request = request(bob, 100, "");
    refused(WalletError.REQUEST_EXPIRED, () -> alice.pay(until(request, now)));
    PaymentRequest dollars =
        new PaymentRequest(
            bob.address(),
            new PaymentRequest.Price(amount(100), new CurrencyCode("USD")),
            null,
            null,
            null,
            "",
            null);
    refused(WalletError.NETWORK_MISMATCH, () -> alice.pay(dollars));
    refused(RejectionCode.MALFORMED_REQUEST, () -> alice.pay(PaymentRequest.of(bob.address())));
    refused(
        RejectionCode.MALFORMED_REQUEST,
        () -> request.withPrice(new PaymentRequest.Price(amount(1), EUR)));
    assertThat(bench.gateway.transfers).isEmpty();
    assertThat(alice.pay(until(request, now.plusMillis(1))).paid()).isEqualTo(amount(100));
  }

  /** A name is shown for the contact's own key only, also when an address is somebody's. */
  @Test
  @Spec({"F-36", "F-38"})
  void showsWhoSigned() {
    Wallet alice = bench.create("alice");
    Wallet shop = bench.create("shop");
    Wallet mallory = bench.create("mallory");
    PaymentRequest request = request(shop, 1_250, "two books");
    String signed = shop.writeRequest(request, true);
    ReadRequest unknown = alice.readRequest(signed);
    assertThat(unknown.request()).isEqualTo(request);
    assertThat(unknown.signer()).isEqualTo(shop.requestKey());
    assertThat(unknown.verifiedAs()).isNull();

    alice.addContact(new Contact(" Bücher-Laden ", shop.address(), shop.requestKey()));
    assertThat(alice.readRequest(signed).verifiedAs()).isEqualTo("Bücher-Laden");
    ReadRequest unsigned = alice.readRequest(shop.writeRequest(request, false));
    assertThat(unsigned.contact()).isEqualTo("Bücher-Laden");
    assertThat(unsigned.verifiedAs()).isNull();
    ReadRequest forged = alice.readRequest(mallory.writeRequest(request, true));
    assertThat(forged.contact()).isEqualTo("Bücher-Laden");
    assertThat(forged.verifiedAs()).isNull();
    assertThat(alice.readRequest(" SLD:" + shop.addressText() + "\n").contact())
        .isEqualTo("Bücher-Laden");

    PaymentRequest withRefund =
        new PaymentRequest(shop.address(), null, null, null, null, "", alice.address());
    assertThat(alice.readRequest(shop.writeRequest(withRefund, true)).refundsToSelf()).isTrue();
    assertThat(mallory.readRequest(shop.writeRequest(withRefund, true)).refundsToSelf()).isFalse();

    refused(
        WalletError.REQUEST_INVALID,
        () -> alice.readRequest(signed.substring(0, signed.length() - 1)));
    refused(WalletError.ADDRESS_INVALID, () -> alice.readRequest("somewhere"));
  }

  @Test
  void contactsAreKeptInTheFile() {
    Wallet alice = bench.create("alice");
    Contact bob = new Contact("Bob", bench.create("bob").address(), null);
    Contact anna = new Contact("Anna", bob.address(), alice.requestKey());
    alice.addContact(bob);
    alice.addContact(anna);
    refused(
        WalletError.CONTACT_EXISTS,
        () -> alice.addContact(new Contact("Bob ", bob.address(), null)));
    bench.closeWallet(alice);
    Wallet again = bench.reopen("alice");
    assertThat(again.contacts()).containsExactly(anna, bob);
    again.removeContact("Bob");
    assertThat(again.contacts()).containsExactly(anna);
    refused(WalletError.CONTACT_MISSING, () -> again.removeContact("Bob"));
    refused(RejectionCode.MALFORMED_REQUEST, () -> new Contact("Bob\u202e", bob.address(), null));
    refused(RejectionCode.MALFORMED_REQUEST, () -> new Contact(" ", bob.address(), null));
  }

  /** The limits are told before a proof, and a payment above one is refused before a proof. */
  @Test
  void tellsTheLimitsAndRefusesBeforeItProves() {
    bench.closeWallet(bench.funded("alice", 900_000));
    Wallet bob = bench.create("bob");
    List<Progress.Step> steps = new ArrayList<>();
    Wallet alice = bench.reopen("alice", WalletBench.OPTIONS.withProgress(steps::add));
    bench.gateway.rules.policy(400, 1_000, 950_000, 3);
    assertThat(alice.limits())
        .isEqualTo(limits(0, 0, 0))
        .satisfies(limits -> assertThat(limits.largestPayment()).isEqualTo(amount(400)));
    refusedUnproved(RejectionCode.OVER_LIMIT_TRANSFER, alice, bob, 401, steps);
    alice.pay(bob.address(), amount(400));
    alice.pay(bob.address(), amount(350));
    assertThat(alice.limits()).isEqualTo(limits(750, 2, 899_250));
    assertThat(alice.limits().left()).isEqualTo(amount(250));
    assertThat(alice.limits().largestPayment()).isEqualTo(amount(250));
    assertThat(alice.limits().transfersLeft()).isEqualTo(1);
    assertThat(alice.limits().roomToHold()).isEqualTo(amount(50_750));
    refusedUnproved(RejectionCode.OVER_LIMIT_PERIOD, alice, bob, 251, steps);
    alice.pay(bob.address(), amount(100));
    assertThat(alice.limits().largestPayment()).isEqualTo(Amount.ZERO);
    refusedUnproved(RejectionCode.OVER_LIMIT_COUNT, alice, bob, 1, steps);
    bench.gateway.rules.policy(400, 1_000, 500, 9);
    assertThat(alice.limits().roomToHold()).isEqualTo(Amount.ZERO);
    bench.fund(alice, 700);
    steps.clear();
    refused(RejectionCode.OVER_LIMIT_HELD, alice::claim);
    assertThat(steps).doesNotContain(Progress.Step.PROVING);
  }

  private static Limits limits(long sent, int transfers, long held) {
    return new Limits(
        new Period(202611),
        amount(400),
        amount(1_000),
        amount(sent),
        3,
        transfers,
        amount(950_000),
        amount(held));
  }

  private static void refusedUnproved(
      RejectionCode code, Wallet alice, Wallet bob, long minor, List<Progress.Step> steps) {
    steps.clear();
    refused(code, () -> alice.pay(bob.address(), amount(minor)));
    assertThat(steps).doesNotContain(Progress.Step.PROVING, Progress.Step.SENDING);
  }

  /** The mailbox lost a coin; the file has it still, or only the words are left. */
  @Test
  void resendsAPayeesCoin() {
    Wallet alice = bench.funded("alice", words, 1_000);
    Wallet bob = bench.create("bob");
    Payment paid = alice.pay(bob.address(), amount(100), "books");
    int posted = bench.gateway.mailbox().size();
    assertThat(alice.resend(paid.core())).isTrue();
    assertThat(bench.gateway.mailbox()).hasSize(posted + 1);
    alice.receive(); // sees the coin in the mailbox, so that the next memo does not name it
    alice.pay(bob.address(), amount(1));
    bench.closeWallet(alice);

    Wallet again = bench.toRestore("alice-again", words);
    again.restore();
    bench.gateway.mailbox().clear();
    assertThat(again.resend(paid.core())).isTrue();
    assertThat(bench.gateway.mailbox()).hasSize(1);
    assertThat(bob.receive())
        .singleElement()
        .satisfies(coin -> {
          assertThat(coin.reference()).isEqualTo("books");
          assertThat(coin.value()).isEqualTo(amount(100));
        });
    again.resend(paid.core());
    assertThat(bench.gateway.mailbox()).hasSize(2);
    assertThat(bob.receive()).isEmpty();
    refused(RejectionCode.NOT_FOUND, () -> bob.resend(paid.core()));
  }
}
