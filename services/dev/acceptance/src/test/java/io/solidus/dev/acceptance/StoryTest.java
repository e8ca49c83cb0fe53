package io.solidus.dev.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.solidus.dev.sandbox.demo.DemoReport;
import io.solidus.dev.sandbox.demo.StepResult;
import io.solidus.dev.sandbox.demo.Story;
import io.solidus.dev.sandbox.operators.Operators;
import io.solidus.dev.sandbox.operators.SanctionLists;
import io.solidus.dev.sandbox.services.Sandbox;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.RepositoryFiles;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.protocol.MailReplica;
import io.solidus.protocol.MintId;
import io.solidus.protocol.TransferRequest;
import io.solidus.wallet.HistoryItem;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.core.CoreCommand;
import io.solidus.wallet.core.CoreExchange;
import io.solidus.wallet.core.CoreResult;
import io.solidus.wallet.core.CoreView;
import io.solidus.wallet.core.HostClock;
import io.solidus.wallet.core.MortalPhone;
import io.solidus.wallet.core.MortalPhone.Moment;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.model.PayoutInstruction;
import io.solidus.wallet.model.ReceivedCoin;
import io.solidus.wallet.model.RegistrationStatus;
import io.solidus.wallet.request.PaymentRequest;
import io.solidus.wallet.request.RequestToken;
import io.solidus.wallet.session.RelayUse;
import io.solidus.wallet.session.WalletOptions;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Runs the demo on the whole platform, then searches databases and files for secrets, and lets the
 * second implementation of a wallet pay.
 */
@Tag("process")
class StoryTest {
  private static final int PORT_SHIFT = 4_000;

  /**
   * Amounts that only payer and payee may know: Alice to Bob, Bob to Carol, and Alice's payment
   * while two authorities were stopped.
   */
  private static final List<Long> PRIVATE_AMOUNTS = List.of(75_017L, 20_023L, 50_011L);

  private static final String IN_PRIVATE = "asked for in private";

  private static final String BY_A_CORE = "asked for by a core";

  /** Fewer than the queries of a day, which openings take. */
  private static final int OPENINGS = 12;

  private static final Duration BETWEEN_OPENINGS = Duration.ofSeconds(1);

  private static final Duration SUBMISSION = Duration.ofSeconds(30);

  private static final Map<String, String> DORA =
      Map.of(
          "givenName", "Dora",
          "familyName", "Implementation",
          "birthDate", "1987-06-05",
          "nationality", "SE",
          "documentNumber", "DORA0001");

  private static final Map<String, String> DORAS_ACCOUNT =
      Map.of("creditorName", "Dora", "iban", "DE02120300000000202051", "reference", "defunding");

  private static final String EMIL =
      """
      {"person": {"givenName": "Emil", "familyName": "Kernel", "birthDate": "1989-04-03",
       "nationality": "DK", "documentNumber": "EMIL0001"}}
      """;

  private static final String NO_SECOND_WALLET =
      "no Node.js, or no packages: ./solidus check typescript says what is missing";

  @TempDir private static Path folder;

  private static SandboxOptions options;
  private static Sandbox sandbox;
  private static DescribedApis apis;
  private static Story story;
  private static DemoReport report;
  private static LibraryWallets library;

  @BeforeAll
  static void tell() throws Exception {
    options =
        SandboxOptions.development(
            folder.resolve("data"), RepositoryFiles.kafkaLibrary(), PORT_SHIFT, 2);
    System.setProperty("solidus.sandbox.logs", options.data().resolve("logs").toString());
    sandbox = Sandbox.start(options, line -> {});
    apis = new DescribedApis(options);
    story =
        new Story(apis.tapped(), SanctionLists.of(folder.resolve("lists"), null, null), System.out);
    report = story.tell(false);
    library = new LibraryWallets(options, sandbox.installation(), folder);
  }

  @AfterAll
  static void stop() throws Exception {
    if (library != null) {
      library.close();
    }
    if (apis != null) {
      apis.close();
    }
    if (sandbox != null) {
      sandbox.close();
    }
  }

  @Test
  void demoPassesAndLeavesNoIdentityAmountOrSecret() throws Exception {
    assertThat(report.steps().stream().filter(step -> !step.ok()).map(StepResult::toString))
        .isEmpty();
    assertThat(report.steps().stream().map(StepResult::name))
        .containsExactly(
            "up",
            "import-sanctions",
            "register-alice",
            "register-bob",
            "register-merchant",
            "refuse-second-registration",
            "refuse-listed-person",
            "mint-alice",
            "pay-alice-bob",
            "pay-bob-carol",
            "refuse-double-spend",
            "replay-same-answer",
            "refuse-over-limit",
            "waterfall-carol",
            "policy-change-in-flight",
            "refuse-sanctioned-payee",
            "delegated-proof",
            "survive-one-validator-down",
            "redeem-bob",
            "restore-alice",
            "reconcile",
            "recover-from-two-devices");
    assertThat(report.supply()).isNotNull();
    assertThat(report.supply().balances()).isTrue();
    assertThat(report.ok()).isTrue();
    searchForCanaries(options, story.canaries());
    apis.answeredAsDescribed();
  }

  /** From the registration service, with the signatures of the authorities, to the gateway. */
  @Test
  void aRegisteredWalletSpendsBlindTokens() throws Exception {
    try (Wallet bob = library.restore("tokens", story.words("Bob"))) {
      bob.receive();
      assertThat(bob.status().tokens()).isEqualTo(64);
    }
    int spent = spentTokens();
    Clock later = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(61));
    try (Wallet bob = library.open("tokens", later)) {
      bob.pay(bob.address(), new Amount(1), "to myself");
      assertThat(bob.status().tokens()).isLessThan(64);
      assertThat(spentTokens() - spent).isEqualTo(64 - bob.status().tokens());
    }
  }

  private static int spentTokens() throws SQLException {
    String gateway = "jdbc:postgresql://127.0.0.1:" + options.ports().postgres() + "/gateway";
    try (Connection database = DriverManager.getConnection(gateway, "postgres", "postgres");
        Statement statement = database.createStatement();
        ResultSet count = statement.executeQuery("SELECT count(*) FROM spent_token")) {
      count.next();
      return count.getInt(1);
    }
  }

  /**
   * Carol's words are in the wallet of the second implementation, Bob's in one of the library: they
   * pay each other. Then Carol's words are in the library again.
   */
  @Test
  void anotherImplementationRestoresReceivesAndPays() throws Exception {
    assumeTrue(SecondWallet.isAvailable(), NO_SECOND_WALLET);
    long carolBefore;
    String address;
    try (Wallet carol = library.restore("carol", story.words("Carol"))) {
      carolBefore = total(carol);
      address = carol.addressText();
    }
    try (Wallet bob = library.restore("bob", story.words("Bob"))) {
      long bobBefore = total(bob);
      Map<String, String> start = library.secondWallet("second.wallet");
      try (SecondWallet carol = SecondWallet.open(with(start, "words", story.words("Carol")))) {
        assertThat(carol.call("restore").path("registered").asBoolean()).isTrue();
        assertThat(carol.call("balance").path("address").asString()).isEqualTo(address);
        assertThat(carol.total()).isEqualTo(carolBefore);

        JsonNode paid = carol.pay(bob.addressText(), 2_707, "Miete März");
        assertThat(paid.path("delivered").asBoolean()).isTrue();
        assertThat(bob.receive())
            .singleElement()
            .satisfies(coin -> {
              assertThat(coin.value()).isEqualTo(new Amount(2_707));
              assertThat(coin.reference()).isEqualTo("Miete März");
            });
        bob.pay(bob.parseAddress(address), new Amount(1_111), "one");
        JsonNode received = carol.call("receive");
        assertThat(received.size()).isEqualTo(1);
        assertThat(received.path(0).path("value").asString()).isEqualTo("1111");
        assertThat(received.path(0).path("text").asString()).isEqualTo("one");
        assertThat(carol.total()).isEqualTo(carolBefore - 2_707 + 1_111);
      }
      try (Wallet carol = library.restore("carol-again", story.words("Carol"))) {
        assertThat(total(carol)).isEqualTo(carolBefore - 2_707 + 1_111);
        carol.pay(bob.address(), new Amount(55), "two");
      }
      // its file does not know of that payment
      try (SecondWallet carol = SecondWallet.open(start)) {
        carol.pay(bob.addressText(), 5, "three");
        assertThat(bob.receive()).extracting(ReceivedCoin::reference).contains("two", "three");
        assertThat(carol.total()).isEqualTo(carolBefore - 2_707 + 1_111 - 55 - 5);
        assertThat(carol.total() + total(bob)).isEqualTo(carolBefore + bobBefore);
      }
    }
  }

  /** Where the process of the phone dies in one payment, in this order. */
  private static final List<Map.Entry<String, Moment>> DEATHS =
      List.of(
          Map.entry("POST /v1/coins/state", Moment.KEPT),
          Map.entry("proof", Moment.PERFORMED),
          Map.entry("POST /v1/transfers", Moment.KEPT),
          Map.entry("POST /v1/transfers", Moment.PERFORMED),
          Map.entry("POST /v1/transfers", Moment.ANSWERED),
          Map.entry("POST /v1/mailbox", Moment.PERFORMED),
          Map.entry("POST /v1/mailbox", Moment.ANSWERED));

  /**
   * Carol's words are in the core of a phone, which an operating system kills; Alice pays it and
   * Bob is paid with the library, which has Carol's words before and after.
   */
  @Test
  void aCoreReceivesAndPaysWhileItsProcessIsKilled() throws Exception {
    Operators operators = new Operators(options.ports(), sandbox.installation());
    JsonNode supply = operators.supply();
    long carolBefore;
    try (Wallet carol = library.restore("carol-before-core", story.words("Carol"))) {
      carolBefore = total(carol);
    }
    try (Wallet alice = library.restore("payer-of-core", story.words("Alice"));
        Wallet bob = library.restore("payee-of-core", story.words("Bob"));
        MortalPhone phone = library.phone("carols-phone", story.words("Carol"))) {
      long othersBefore = total(alice) + total(bob);
      assertThat(phone.run(CoreCommand.restore("restore"))).isEqualTo(new CoreResult(""));
      assertThat(phone.view().total().minor()).isEqualTo(carolBefore);

      alice.pay(alice.parseAddress(phone.view().address()), new Amount(1_313), "to the phone");
      assertThat(phone.run(CoreCommand.receive("read"))).isEqualTo(new CoreResult(""));
      assertThat(phone.view().coins()).extracting(CoreView.Coin::text).contains("to the phone");

      CoreCommand payment =
          CoreCommand.pay("invoice 23", bob.addressText(), new Amount(2_929), "invoice 23");
      CoreResult paid =
          phone.run(
              payment,
              (effect, number) ->
                  phone.deaths() < DEATHS.size()
                          && DEATHS.get(phone.deaths()).getKey().equals(effect)
                      ? DEATHS.get(phone.deaths()).getValue()
                      : null);
      assertThat(paid).isEqualTo(new CoreResult(""));
      assertThat(phone.deaths()).isEqualTo(DEATHS.size());
      assertThat(bob.receive())
          .singleElement()
          .satisfies(coin -> {
            assertThat(coin.value()).isEqualTo(new Amount(2_929));
            assertThat(coin.reference()).isEqualTo("invoice 23");
          });
      CoreView view = phone.view();
      assertThat(view.total().minor()).isEqualTo(carolBefore + 1_313 - 2_929);
      assertThat(view.inFlight()).isFalse();
      assertThat(view.history())
          .extracting(CoreView.Transfer::payment)
          .filteredOn("invoice 23"::equals)
          .hasSize(1);
      try (Wallet carol = library.restore("carol-after-core", story.words("Carol"))) {
        assertThat(total(carol)).isEqualTo(carolBefore + 1_313 - 2_929);
        assertThat(total(carol) + total(alice) + total(bob)).isEqualTo(carolBefore + othersBefore);
      }
      JsonNode now = operators.supply();
      assertThat(difference(now, supply, "outstandingMinor")).isZero();
    }
  }

  /** What the processes of Node.js do not outlive in one payment, in this order. */
  private static final List<Map.Entry<String, String>> KILLS =
      List.of(
          Map.entry("proof", "performed"),
          Map.entry("POST /v1/transfers", "kept"),
          Map.entry("POST /v1/transfers", "performed"),
          Map.entry("POST /v1/transfers", "answered"),
          Map.entry("POST /v1/mailbox", "performed"));

  /**
   * Carol's words are in the core by the host for Node and browsers. It is restored, Alice pays it,
   * and it pays Bob with a proof that WebAssembly makes, in six processes, five of which are
   * killed. Those behind the first one spend the blind tokens that it fetched.
   */
  @Test
  void aCoreInNodeReceivesAndPaysWhileItIsKilled() throws Exception {
    assumeTrue(
        NodeCore.isAvailable(), "no Node.js, or no module: ./solidus targets wasm builds it");
    long before;
    try (Wallet carol = library.restore("carol-before-node", story.words("Carol"))) {
      before = total(carol);
    }
    Map<String, String> start = library.nodeCore("node.core");
    try (Wallet alice = library.restore("alice-and-node", story.words("Alice"));
        Wallet bob = library.restore("bob-and-node", story.words("Bob"))) {
      Map<String, String> payment =
          Map.of(
              "call", "pay",
              "id", "invoice 29",
              "payee", bob.addressText(),
              "amount", "1717",
              "text", "from Node");
      Map<String, String> goOn = Map.of("call", "open");
      try (NodeCore carol = NodeCore.open(with(start, "words", story.words("Carol")))) {
        carol.ends(Map.of("call", "restore", "id", "restore"));
        JsonNode view = carol.view();
        assertThat(NodeCore.total(view)).isEqualTo(before);
        alice.pay(
            alice.parseAddress(view.path("address").asString()), new Amount(1_212), "to Node");
        carol.ends(Map.of("call", "receive", "id", "read"));
        assertThat(
                carol.view().path("coins").valueStream().map(coin -> coin.path("text").asString()))
            .contains("to Node");
        carol.isKilled(payment, KILLS.getFirst().getKey(), KILLS.getFirst().getValue());
      }
      int spent = spentTokens();
      Map<String, String> later =
          with(start, "ahead", Long.toString(Duration.ofMinutes(61).toMillis()));
      for (Map.Entry<String, String> kill : KILLS.subList(1, KILLS.size())) {
        try (NodeCore carol = NodeCore.open(later)) {
          carol.isKilled(goOn, kill.getKey(), kill.getValue());
        }
      }
      // the message whose process died had a token, and has the same one again
      assertThat(spentTokens() - spent).isPositive();
      try (NodeCore carol = NodeCore.open(later)) {
        carol.ends(goOn);
        carol.ends(payment);
        JsonNode view = carol.view();
        assertThat(NodeCore.total(view)).isEqualTo(before + 1_212 - 1_717);
        assertThat(view.path("inFlight").asBoolean()).isFalse();
        assertThat(view.path("history").valueStream().map(one -> one.path("payment").asString()))
            .filteredOn("invoice 29"::equals)
            .hasSize(1);
      }
      assertThat(bob.receive())
          .singleElement()
          .satisfies(coin -> {
            assertThat(coin.value()).isEqualTo(new Amount(1_717));
            assertThat(coin.reference()).isEqualTo("from Node");
          });
    }
    try (Wallet carol = library.restore("carol-after-node", story.words("Carol"))) {
      assertThat(total(carol)).isEqualTo(before + 1_212 - 1_717);
    }
  }

  /**
   * From new words to money in a bank account, in the core, with the proofs of the prover. The core
   * fetches the day's blind tokens from the registration service, and after an hour it shows one
   * with each request of a withdrawal that takes one. The gateway counts each of them.
   */
  @Test
  void aCoreRegistersMintsAndWithdrawsWithBlindTokens() throws Exception {
    Operators operators = new Operators(options.ports(), sandbox.installation());
    JsonNode before = operators.supply();
    String words;
    try (SeedPhrase phrase = SeedPhrase.generate(new SecureRandom())) {
      words = phrase.words();
    }
    PhoneClock clock = new PhoneClock();
    ShownTokens shown = new ShownTokens();
    try (MortalPhone emil = library.delegatingPhone("emils-phone", words, clock, shown::add)) {
      assertEnds(emil, CoreCommand.register("register", EMIL));
      assertThat(emil.view().registering()).isTrue();
      operators.approveCase(operators.findCase("pending", "Kernel").orElseThrow());
      assertEnds(emil, CoreCommand.collect("registration"));
      assertThat(emil.view().registered()).isTrue();
      assertThat(emil.performed()).noneMatch(StoryTest::isForTokens);
      assertEnds(emil, CoreCommand.receive("tokens"));
      assertThat(emil.performed()).filteredOn(StoryTest::isForTokens).hasSize(1);

      JsonNode funding = operators.recordFunding("funding-emil", 8_000);
      assertEnds(
          emil,
          CoreCommand.mint(
              "mint",
              funding.path("fundingId").asString(),
              funding.path("accessToken").asString(),
              0,
              new Amount(8_000)));
      operators.approveMint(emil.view().mints().getFirst().id());
      assertEnds(emil, CoreCommand.collect("mint collected"));
      assertThat(emil.view().total()).isEqualTo(new Amount(8_000));

      PayoutInstruction account =
          new PayoutInstruction("Emil Kernel", "DE02120300000000202051", "defunding");
      assertThat(shown.paths()).isEmpty(); // the tokens are not an hour old
      clock.goOn(Duration.ofMinutes(61));
      int spent = spentTokens();
      assertEnds(
          emil,
          CoreCommand.withdraw("withdraw", new Amount(1_500), library.redemptionKey(), account));
      assertThat(shown.paths()).contains("/v1/coins/state", "/v1/proofs");
      assertThat(spentTokens() - spent).isEqualTo(shown.tokens().size());
      assertThat(emil.view().unredeemed()).isZero();
      assertThat(operators.payOut()).isEqualTo(1_500);
      assertThat(emil.view().total().minor())
          .isEqualTo(6_500)
          .isEqualTo(difference(operators.supply(), before, "outstandingMinor"));
    }
    try (Wallet same = library.restore("emil", words)) {
      assertThat(total(same)).isEqualTo(6_500);
    }
  }

  private static boolean isForTokens(String effect) {
    return effect.startsWith("POST /v1/registrations/") && effect.endsWith("/tokens");
  }

  /** The clock of a phone, which a test puts forward. */
  private static final class PhoneClock implements HostClock {
    private final HostClock machine = HostClock.system();
    private long ahead;

    void goOn(Duration time) {
      ahead += time.toMillis();
    }

    @Override
    public long now() {
      return machine.now() + ahead;
    }

    @Override
    public void sleepUntil(long millis) throws InterruptedException {
      machine.sleepUntil(millis - ahead);
    }
  }

  /** The blind tokens that a phone showed, and with what. */
  private record ShownTokens(Set<String> tokens, Set<String> paths) {
    ShownTokens() {
      this(new HashSet<>(), new HashSet<>());
    }

    void add(CoreExchange exchange) {
      String header = exchange.headers().get("Authorization");
      if (header != null) {
        assertThat(exchange.role()).isEqualTo(CoreExchange.Role.GATEWAY);
        tokens.add(header);
        paths.add(exchange.path());
      }
    }
  }

  private static void assertEnds(MortalPhone phone, CoreCommand command) throws Exception {
    assertThat(phone.run(command)).isEqualTo(new CoreResult(""));
  }

  /** From new words to money in a bank account; the library takes the words in between. */
  @Test
  void anotherImplementationRegistersMintsAndWithdraws() throws Exception {
    assumeTrue(SecondWallet.isAvailable(), NO_SECOND_WALLET);
    Operators operators = new Operators(options.ports(), sandbox.installation());
    JsonNode before = operators.supply();
    Map<String, String> start = library.secondWallet("second-dora.wallet");
    try (SecondWallet dora = SecondWallet.open(with(start, "create", "new words"))) {
      assertThat(dora.call("register", Map.of("person", DORA)).path("stage").asString())
          .isEqualTo("pending");
      operators.approveCase(operators.findCase("pending", DORA.get("familyName")).orElseThrow());
      assertThat(dora.call("collectRegistration").path("stage").asString()).isEqualTo("registered");

      JsonNode funding = operators.recordFunding("funding-dora", 9_000);
      Map<String, String> mint =
          Map.of(
              "funding", funding.path("fundingId").asString(),
              "token", funding.path("accessToken").asString(),
              "amount", "9000");
      String id = dora.call("requestMint", mint).path("id").asString();
      operators.approveMint(MintId.of(HexFormat.of().parseHex(id)));
      assertThat(dora.call("collectMint", Map.of("id", id)).path("minted").asBoolean()).isTrue();

      try (Wallet same = library.restore("dora", dora.call("words").path("words").asString())) {
        assertThat(same.status().registration()).isEqualTo(RegistrationStatus.Stage.REGISTERED);
        assertThat(total(same)).isEqualTo(9_000);
      }
      JsonNode withdrawn = dora.call("withdraw", Map.of("amount", "2500", "payout", DORAS_ACCOUNT));
      assertThat(withdrawn.path("withdrawn").asString()).isEqualTo("2500");
      assertThat(withdrawn.path("redeemed").asBoolean()).isTrue();
      assertThat(operators.payOut()).isEqualTo(2_500);
      JsonNode after = operators.supply();
      assertThat(dora.total())
          .isEqualTo(6_500)
          .isEqualTo(
              difference(after, before, "issuedMinor")
                  - difference(after, before, "redeemedMinor"));
    }
  }

  /** A recover of the library's burnt one of Alice's payments. */
  @Test
  void anotherImplementationFollowsARecover() throws Exception {
    assumeTrue(SecondWallet.isAvailable(), NO_SECOND_WALLET);
    long before;
    try (Wallet alice = library.restore("alice", story.words("Alice"))) {
      before = total(alice);
    }
    Map<String, String> start = library.secondWallet("recovered.wallet");
    try (Wallet bob = library.restore("payee-of-alice", story.words("Bob"));
        SecondWallet alice = SecondWallet.open(with(start, "words", story.words("Alice")))) {
      assertThat(alice.call("restore").path("registered").asBoolean()).isTrue();
      assertThat(alice.total()).isEqualTo(before);
      alice.pay(bob.addressText(), 3, "behind a recover");
      assertThat(bob.receive()).extracting(ReceivedCoin::reference).contains("behind a recover");
      assertThat(alice.total()).isEqualTo(before - 3);
    }
  }

  /** Bob's request is made by the library, and paid by the second implementation. */
  @Test
  void bothImplementationsPayARequestOnce() throws Exception {
    assumeTrue(SecondWallet.isAvailable(), NO_SECOND_WALLET);
    Map<String, String> start = library.secondWallet("request.wallet");
    try (Wallet bob = library.restore("payee-of-request", story.words("Bob"))) {
      RequestToken id = bob.newRequestToken();
      PaymentRequest request =
          new PaymentRequest(
              bob.address(),
              new PaymentRequest.Price(new Amount(31), LibraryWallets.CURRENCY),
              null,
              id,
              null,
              "Miete März",
              null);
      Map<String, String> call = Map.of("request", bob.writeRequest(request, true));
      String core;
      try (SecondWallet carol = SecondWallet.open(with(start, "words", story.words("Carol")))) {
        core = carol.call("payRequest", call).path("core").asString();
        assertThat(carol.call("payRequest", call).path("core").asString()).isEqualTo(core);
      }
      try (Wallet carol = library.restore("payer-of-request", story.words("Carol"))) {
        assertThat(carol.pay(request).core().hex()).isEqualTo(core);
      }
      bob.receive();
      assertThat(bob.paidFor(id))
          .singleElement()
          .extracting(ReceivedCoin::value)
          .isEqualTo(new Amount(31));
    }
  }

  /**
   * What the gateway's connections bring are sealed requests and a sanction list; what the relay
   * counts and logs names no call.
   */
  @Test
  void aWalletPaysThroughTheRelay() throws Exception {
    RestProbe gateway = new RestProbe(options.ports().gateway());
    RestProbe relay = new RestProbe(options.ports().relay());
    RelayUse through =
        RelayUse.unsigned(
            sandbox
                .installation()
                .relay(URI.create("http://127.0.0.1:" + options.ports().relay() + "/v1/ohttp")));
    Map<String, Double> before = requests(gateway);
    try (Wallet carol = library.restore("payer-through-relay", story.words("Carol"), through);
        Wallet bob = library.restore("payee-through-relay", story.words("Bob"), through)) {
      assertThat(carol.pay(bob.address(), new Amount(13), "through the relay").delivered())
          .isTrue();
      assertThat(bob.receive()).extracting(ReceivedCoin::reference).contains("through the relay");
    }
    Map<String, Double> more = requests(gateway);
    more.replaceAll((route, count) -> count - before.getOrDefault(route, 0.0));
    more.values().removeIf(count -> count == 0);
    more.keySet().removeIf(route -> route.startsWith("/actuator"));
    more.keySet().removeIf(route -> route.startsWith("/v1/mailbox/tables")); // of the replicas
    assertThat(more.keySet())
        .contains("/v1/ohttp")
        .isSubsetOf("/v1/ohttp", "/v1/sanctions/checkpoints/{version}/list");
    assertThat(relay.get("/actuator/prometheus").body())
        .contains("solidus_relay_requests_total{outcome=\"passed\"}")
        .doesNotContain("transfers")
        .doesNotContain("mailbox")
        .doesNotContain("127.0.0.1");
  }

  /**
   * The four replicas have countersigned the lists, and two of them answer the query of a wallet
   * that is opened. The gateway sees headers and a query, and no reading of messages.
   */
  @Test
  void aWalletReadsItsMailWithPrivateQueries() throws Exception {
    List<MailReplica> replicas = sandbox.installation().replicas(options.authorities());
    UnaryOperator<WalletOptions> inPrivate = some -> some.withReplicas(replicas);
    List<ReceivedCoin> received = new ArrayList<>();
    try (Wallet bob = library.restore("in-private", story.words("Bob"), inPrivate);
        Wallet carol = library.restore("payer-in-private", story.words("Carol"))) {
      bob.receive();
      carol.pay(bob.address(), new Amount(17), IN_PRIVATE);
      Eventually.holds(() -> {
        received.addAll(bob.receive()); // it may be that a query was due
        assertThat(bob.mail().waiting() + received.size()).isPositive();
      });
    }
    RestProbe gateway = new RestProbe(options.ports().gateway());
    Map<String, Double> before = requests(gateway);
    // each opening has one query, and payments of other tests may wait before this one
    for (int opening = 0; opening < OPENINGS && !isThere(received); opening++) {
      Thread.sleep(BETWEEN_OPENINGS);
      try (Wallet bob = library.open("in-private", inPrivate)) {
        received.addAll(bob.receive());
        assertThat(bob.mail().nextQuery()).isAfter(Instant.now());
      }
    }
    assertThat(isThere(received)).isTrue();
    Map<String, Double> more = requests(gateway);
    more.replaceAll((route, count) -> count - before.getOrDefault(route, 0.0));
    more.values().removeIf(count -> count == 0);
    assertThat(more.keySet())
        .contains("/v1/mailbox/tables/note", "/v1/mailbox/queries")
        .doesNotContain("/v1/mailbox", "/v1/mailbox/buckets/{bucket}");
  }

  /** Each process of a phone is an opening, and has one query; none of them reads messages. */
  @Test
  void aCoreReadsItsMailWithPrivateQueries() throws Exception {
    List<MailReplica> replicas = sandbox.installation().replicas(options.authorities());
    List<String> asked = new ArrayList<>();
    try (Wallet carol = library.restore("payer-of-private-core", story.words("Carol"));
        MortalPhone bob = library.phone("private-core", story.words("Bob"))) {
      assertEnds(bob, CoreCommand.restore("restore"));
      assertThat(bob.useServices(0, replicas)).isTrue();
      assertEnds(bob, CoreCommand.receive("begins"));
      assertThat(bob.view().mail().waiting()).isZero(); // of all that came in the story
      carol.pay(carol.parseAddress(bob.view().address()), new Amount(19), BY_A_CORE);
      AtomicInteger readings = new AtomicInteger();
      Eventually.holds(() -> {
        run(bob, CoreCommand.receive("told " + readings.incrementAndGet()));
        assertThat(bob.view().mail().waiting() > 0 || has(bob.view())).isTrue();
      });
      for (int opening = 0; opening < 2 * OPENINGS && !has(bob.view()); opening++) {
        Thread.sleep(BETWEEN_OPENINGS);
        bob.reopen();
        assertEnds(bob, CoreCommand.receive("opening " + opening));
        asked.addAll(bob.performed());
      }
      assertThat(has(bob.view())).isTrue();
      assertThat(bob.view().mail().nextQueryMillis()).isGreaterThan(System.currentTimeMillis());
      assertThat(asked)
          .contains("GET /v1/mailbox/tables/note", "POST /v1/mailbox/queries")
          .doesNotContain("GET /v1/mailbox", "GET /v1/mailbox/tables/1/records");
    }
  }

  private static boolean has(CoreView view) {
    return view.coins().stream().anyMatch(coin -> BY_A_CORE.equals(coin.text()));
  }

  private static void run(MortalPhone phone, CoreCommand command) {
    try {
      assertEnds(phone, command);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isThere(List<ReceivedCoin> received) {
    return received.stream().anyMatch(coin -> IN_PRIVATE.equals(coin.reference()));
  }

  /** The requests of each route that connections brought. */
  private static Map<String, Double> requests(RestProbe service) {
    Map<String, Double> counts = new HashMap<>();
    Pattern line =
        Pattern.compile("http_server_requests_seconds_count\\{.*uri=\"([^\"]+)\".*} (.+)");
    service
        .get("/actuator/prometheus")
        .body()
        .lines()
        .map(line::matcher)
        .filter(Matcher::matches)
        .forEach(
            match -> counts.merge(match.group(1), Double.valueOf(match.group(2)), Double::sum));
    return counts;
  }

  /** A wallet of the library pays; the second implementation asks two replicas for the message. */
  @Test
  void anotherImplementationReadsItsMailWithPrivateQueries() throws Exception {
    assumeTrue(SecondWallet.isAvailable(), NO_SECOND_WALLET);
    String asked = "asked for by another";
    String replicas =
        sandbox.installation().replicas(options.authorities()).stream()
            .map(one -> HexFormat.of().formatHex(one.bytes()))
            .collect(Collectors.joining(","));
    Map<String, String> start =
        with(library.secondWallet("second-in-private.wallet"), "replicas", replicas);
    StringBuilder received = new StringBuilder();
    try (SecondWallet bob = SecondWallet.open(with(start, "words", story.words("Bob")));
        Wallet carol = library.restore("payer-of-another", story.words("Carol"))) {
      bob.call("receive");
      assertThat(bob.call("mail").path("privately").asBoolean()).isTrue();
      String address = bob.call("balance").path("address").asString();
      carol.pay(Address.decode(options.network(), address), new Amount(19), asked);
      Instant end = Instant.now().plus(Duration.ofMinutes(1));
      while (bob.call("mail").path("waiting").asInt() == 0 && received.indexOf(asked) < 0) {
        assertThat(Instant.now()).isBefore(end);
        Thread.sleep(200);
        received.append(bob.call("receive")); // it may be that a query was due
      }
    }
    RestProbe gateway = new RestProbe(options.ports().gateway());
    Map<String, Double> before = requests(gateway);
    // each opening has one query, and payments of other tests may wait before this one
    for (int opening = 0; opening < 12 && received.indexOf(asked) < 0; opening++) {
      try (SecondWallet bob = SecondWallet.open(start)) {
        received.append(bob.call("receive"));
        assertThat(bob.call("mail").path("nextQuery").asLong())
            .isGreaterThan(Instant.now().toEpochMilli());
      }
    }
    assertThat(received).contains(asked);
    Map<String, Double> more = requests(gateway);
    more.replaceAll((route, count) -> count - before.getOrDefault(route, 0.0));
    more.values().removeIf(count -> count == 0);
    assertThat(more.keySet()).doesNotContain("/v1/mailbox", "/v1/mailbox/buckets/{bucket}");
  }

  /** The proof is made by one thread in WebAssembly. */
  @Test
  void anotherImplementationMakesItsOwnProof() throws Exception {
    assumeTrue(SecondWallet.isAvailable(), NO_SECOND_WALLET);
    assumeTrue(SecondWallet.hasLibrary(), "no module: ./solidus targets wasm builds it");
    Map<String, String> start =
        SecondWallet.withOwnProofs(library.secondWallet("own-proofs.wallet"));
    try (Wallet bob = library.restore("payee", story.words("Bob"));
        SecondWallet carol = SecondWallet.open(with(start, "words", story.words("Carol")))) {
      assertThat(carol.pay(bob.addressText(), 11, "own").path("delivered").asBoolean()).isTrue();
      assertThat(bob.receive()).extracting(ReceivedCoin::reference).contains("own");
    }
  }

  /**
   * Two devices with Carol's words pay at once, each at half of the authorities. The one with its
   * own prover frees the account; the other one cannot, and follows.
   */
  @Test
  void anotherImplementationFreesAnAccountThatTwoDevicesLocked() throws Exception {
    assumeTrue(SecondWallet.isAvailable(), NO_SECOND_WALLET);
    assumeTrue(SecondWallet.hasLibrary(), "no module: ./solidus targets wasm builds it");
    try (Wallet bob = library.restore("payee-of-two", story.words("Bob"));
        SecondWallet phone =
            SecondWallet.open(SecondWallet.withOwnProofs(impatient("locked-phone.wallet")));
        SecondWallet laptop = SecondWallet.open(impatient("locked-laptop.wallet"))) {
      String to = bob.addressText();
      phone.call("restore");
      laptop.call("restore");
      long before = phone.total();
      submitTo(phone.heldPayment(to, 23), 1, 2);
      submitTo(laptop.heldPayment(to, 41), 3, 4);

      assertThat(phone.refusedPayment(to, 1)).isEqualTo("serial-conflict");
      assertThat(phone.call("balance").path("locked").asBoolean()).isTrue();
      assertThat(laptop.refused("recover")).isEqualTo("own-prover-needed");
      assertThat(phone.call("recover").path("burnt").asString()).isEqualTo("41");
      assertThat(phone.total()).isEqualTo(before - 41);
      phone.pay(to, 5, "freed");
      assertThat(bob.receive()).extracting(ReceivedCoin::reference).contains("freed");
      assertThat(laptop.refused("settle")).isEqualTo("payment-burnt");
      assertThat(laptop.total()).isEqualTo(before - 41 - 5);
    }
    try (Wallet carol = library.restore("carol-after", story.words("Carol"))) {
      assertThat(carol.history())
          .extracting(HistoryItem::kind)
          .contains(HistoryItem.Kind.RECOVERED);
    }
  }

  /** A new file for Carol's words, of a wallet that does not wait long for an answer. */
  private static Map<String, String> impatient(String file) {
    Map<String, String> start = with(library.secondWallet(file), "words", story.words("Carol"));
    return with(start, "patience", "1000");
  }

  /** Hands a transfer to authorities past the gateway, to the shard that has its lead. */
  private static void submitTo(TransferRequest request, int... authorities) {
    for (int authority : authorities) {
      assertThat(
              IntStream.range(0, options.shards())
                  .filter(shard -> isSigned(request, options.ports().shard(authority, shard))))
          .as("authority " + authority)
          .hasSize(1);
    }
  }

  private static boolean isSigned(TransferRequest request, int port) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    try {
      return ValidatorServiceGrpc.newBlockingStub(channel)
          .withDeadlineAfter(SUBMISSION.toSeconds(), TimeUnit.SECONDS)
          .submitTransfer(Codecs.toWire(request))
          .hasSigned();
    } finally {
      channel.shutdownNow();
    }
  }

  private static long total(Wallet wallet) {
    return wallet.balance().total().minor();
  }

  private static long difference(JsonNode now, JsonNode before, String field) {
    return now.path(field).asLong() - before.path(field).asLong();
  }

  private static Map<String, String> with(Map<String, String> map, String name, String value) {
    Map<String, String> more = new HashMap<>(map);
    more.put(name, value);
    return more;
  }

  private static void searchForCanaries(SandboxOptions options, List<String> canaries)
      throws Exception {
    assertThat(canaries).hasSize(9);
    for (int authority = 1; authority <= options.authorities(); authority++) {
      String url =
          "jdbc:postgresql://127.0.0.1:" + options.ports().postgres() + "/authority_" + authority;
      assertThat(CanarySearch.inDatabase(url, canaries, PRIVATE_AMOUNTS))
          .as("authority " + authority)
          .isEmpty();
      // the search finds present values, for example the network's id in a policy
      assertThat(CanarySearch.inDatabase(url, List.of(SandboxOptions.NETWORK), List.of()))
          .isNotEmpty();
    }
    assertThat(CanarySearch.inFiles(options.data().resolve("logs"), canaries)).isEmpty();
    assertThat(CanarySearch.inFiles(options.data().resolve("logs"), List.of("sanctions")))
        .isNotEmpty();
    assertThat(CanarySearch.inFiles(options.data().resolve("kafka"), canaries)).isEmpty();
    assertThat(CanarySearch.inFiles(options.data().resolve("sign-logs"), canaries)).isEmpty();
  }
}
