package io.solidus.dev.sandbox.demo;

import static io.solidus.dev.sandbox.demo.RegistrationChapter.refusal;
import static io.solidus.dev.sandbox.demo.Stage.money;
import static io.solidus.dev.sandbox.demo.StoryFailure.unless;

import io.solidus.dev.dishonestwallet.DishonestWallet;
import io.solidus.protocol.Amount;
import io.solidus.protocol.MintId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wallet.Payment;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.PayoutInstruction;
import io.solidus.wallet.model.ReceivedCoin;
import io.solidus.wire.json.Base64Url;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Steps in which money is minted, paid and claimed, and in which rules refuse payments. */
final class PaymentChapter {
  static final long MINTED_ALICE = 250_000;
  static final long MINTED_CAROL = 290_000;
  private static final long ALICE_TO_BOB = 75_017;
  private static final long BOB_TO_CAROL = 20_023;
  private static final Duration LIMIT = Duration.ofSeconds(40);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Stage stage;

  PaymentChapter(Stage stage) {
    this.stage = stage;
  }

  /**
   * Mints a coin: funding, request with proof, two approvals, a quorum of signatures, verification.
   */
  String mint(Actor actor, long amountMinor) throws Exception {
    JsonNode funding =
        stage.operators.recordFunding("funding-" + actor.name() + "-" + stage.run, amountMinor);
    MintId mint =
        actor
            .wallet()
            .requestMint(
                funding.path("fundingId").asString(),
                funding.path("accessToken").asString(),
                new Amount(amountMinor));
    stage.operators.approveMint(mint);
    ReceivedCoin received =
        actor
            .wallet()
            .awaitMint(mint, LIMIT)
            .orElseThrow(() -> new StoryFailure("the mint was not signed in time"));
    unless(received.value().minor() == amountMinor, "a coin of another value came out");
    return money(amountMinor) + " approved by two persons, signed by a quorum";
  }

  String payAliceBob(Actor alice, Actor bob) {
    Payment payment = pay(alice, bob, ALICE_TO_BOB);
    unless(
        payment.claimed().minor() == MINTED_ALICE,
        "the minted coin was not claimed in the same proof");
    return money(ALICE_TO_BOB)
        + " paid, "
        + money(MINTED_ALICE)
        + " claimed in the same proof; authorities "
        + payment.authorities()
        + " signed";
  }

  String payBobCarol(Actor bob, Actor carol) {
    long received = bob.wallet().receive().stream().mapToLong(coin -> coin.value().minor()).sum();
    unless(received == ALICE_TO_BOB, "Bob's mailbox held " + money(received));
    Payment payment = pay(bob, carol, BOB_TO_CAROL);
    unless(
        payment.claimed().minor() == ALICE_TO_BOB,
        "what was received was not claimed in the same proof");
    return "received "
        + money(received)
        + ", claimed it and paid "
        + money(BOB_TO_CAROL)
        + " in one proof";
  }

  String refuseDoubleSpend(Actor bob, Actor alice, Actor carol) {
    long before = bob.total();
    bob.letGo();
    DishonestWallet.Outcome outcome;
    try (DishonestWallet cheat =
        DishonestWallet.open(
            bob.file(),
            Stage.PASSPHRASE.clone(),
            stage.wallets,
            stage.walletOptions(Duration.ofSeconds(5)))) {
      outcome = cheat.payTwice(alice.address(), carol.address(), new Amount(503));
    } finally {
      bob.reopen();
    }
    RejectionCode code = outcome.refusal().code();
    unless(code == RejectionCode.SERIAL_CONFLICT, "refused with " + code.code());
    unless(bob.total() == before - 503, "Bob's balance is not as after one payment");
    return "one payment went through; a valid second proof over the same compliance coin found no quorum: "
        + code.code();
  }

  /** Sends a stored request twice more; the answers have the same bytes. */
  String replaySameAnswer(Actor carol, Actor bob) throws Exception {
    Payment payment = pay(bob, carol, 307);
    JsonNode state =
        post(
            "/v1/coins/state",
            JSON.writeValueAsString(
                Map.of("serials", List.of(Base64Url.encode(payment.lead().bytes())))));
    JsonNode stored = state.path("states").path(0).path("requests").path(0).path("request");
    unless(stored.isObject(), "no validator gave the stored request back");
    JsonNode first = post("/v1/transfers", stored.toString());
    JsonNode second = post("/v1/transfers", stored.toString());
    unless(
        first.path("combined").size() == 2
            && first.path("combined").equals(second.path("combined")),
        "the combined signatures differ");
    int same = samePartials(first, second);
    unless(same >= 2, "no authority answered both times");
    return "the same request twice: identical signature, identical bytes from "
        + same
        + " authorities";
  }

  private static int samePartials(JsonNode first, JsonNode second) {
    int same = 0;
    for (JsonNode one : first.path("partials")) {
      for (JsonNode other : second.path("partials")) {
        if (one.path("authority").asInt() == other.path("authority").asInt()) {
          unless(
              one.equals(other),
              "authority " + one.path("authority").asInt() + " answered differently");
          same++;
        }
      }
    }
    return same;
  }

  String refuseOverLimit(Actor alice, Actor bob) {
    String perTransfer =
        refusal(
            () -> alice.wallet().pay(bob.address(), new Amount(100_001)),
            RejectionCode.OVER_LIMIT_TRANSFER);
    String perPeriod =
        refusal(
            () -> alice.wallet().pay(bob.address(), new Amount(95_000)),
            RejectionCode.OVER_LIMIT_PERIOD);
    return money(100_001)
        + " "
        + perTransfer
        + "; "
        + money(95_000)
        + " on top of what was paid "
        + perPeriod;
  }

  String waterfallCarol(Actor carol) throws Exception {
    carol.wallet().receive();
    mint(carol, MINTED_CAROL);
    long total = carol.total();
    long surplus = total - 300_000;
    unless(surplus > 0, "Carol does not own more than the holding limit");
    String refused = refusal(() -> claimAll(carol), RejectionCode.OVER_LIMIT_HELD);
    claimWithSurplus(carol);
    unless(carol.wallet().balance().held().minor() <= 300_000, "the holding limit is exceeded");
    unless(carol.total() == total - surplus, "not exactly the surplus has left");
    return "a claim to "
        + money(total)
        + " "
        + refused
        + "; with "
        + money(surplus)
        + " to her account in the same proof it went through";
  }

  private static void claimAll(Actor carol) {
    boolean more = true;
    while (more) {
      more = carol.wallet().claim().isPresent();
    }
  }

  private static void claimWithSurplus(Actor carol) {
    PayoutInstruction account = new PayoutInstruction("Carol", "DE02120300000000202051", "surplus");
    boolean more = true;
    while (more) {
      more = carol.wallet().claimWithSurplus(account).isPresent();
    }
  }

  /** Sends a payment that only a minority of authorities can sign, so that it stays in flight. */
  static void staysInFlight(Actor payer, Runnable send) {
    try {
      send.run();
    } catch (WalletException e) {
      unless(e.error() == WalletError.TRANSFER_IN_FLIGHT, "the wallet says " + e.error().code());
      requireInFlight(payer);
      return;
    } catch (ProtocolException e) {
      // unavailable: the gateway gave up calls to authorities that were killed just now
      unless(
          e.code() == RejectionCode.NO_QUORUM || e.code() == RejectionCode.UNAVAILABLE,
          "the wallet says " + e.code().code());
      requireInFlight(payer);
      return;
    }
    throw new StoryFailure("a payment went through with two of four authorities away");
  }

  private static void requireInFlight(Actor payer) {
    unless(payer.wallet().status().transferInFlight(), "no transfer is in flight");
  }

  /** Pays, and checks that the payer's total decreased by the amount. */
  static Payment pay(Actor from, Actor to, long amountMinor) {
    long before = from.total();
    Payment payment = from.wallet().pay(to.address(), new Amount(amountMinor));
    unless(
        from.total() == before - amountMinor,
        from.name() + "'s balance did not fall by the amount paid");
    unless(payment.delivered(), "the coin was not delivered");
    return payment;
  }

  private JsonNode post(String path, String body) throws Exception {
    URI uri = stage.gateway.resolve(path);
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .timeout(Duration.ofSeconds(30))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> response = stage.http.send(request, HttpResponse.BodyHandlers.ofString());
    unless(response.statusCode() == 200, path + " answered " + response.statusCode());
    return JSON.readTree(response.body());
  }
}
