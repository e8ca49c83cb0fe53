package io.solidus.wallet.example;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.MintId;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.prover.KeyClass;
import io.solidus.wallet.HistoryItem;
import io.solidus.wallet.Payment;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.GatewayClient;
import io.solidus.wallet.gateway.GatewayInfo;
import io.solidus.wallet.gateway.Person;
import io.solidus.wallet.gateway.RestClient;
import io.solidus.wallet.gateway.ServiceDirectory;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.model.Money;
import io.solidus.wallet.model.PayoutInstruction;
import io.solidus.wallet.model.ReceivedCoin;
import io.solidus.wallet.model.RegistrationStatus;
import io.solidus.wallet.model.ServicePins;
import io.solidus.wallet.model.WalletProfile;
import io.solidus.wallet.receipt.PaymentReceipt;
import io.solidus.wallet.request.PaymentRequest;
import io.solidus.wallet.request.RequestToken;
import io.solidus.wallet.session.Restorer;
import io.solidus.wallet.session.WalletOptions;
import io.solidus.wallet.session.WalletPlatform;
import io.solidus.wallet.transfer.FinishedTransfer;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.json.JsonMapper;

/**
 * The program of docs/how-to/write-a-wallet.md, which uses only the wallet SDK. {@code ./solidus
 * example} runs it against a running sandbox. {@code WalletExampleTest} runs it on a network in
 * memory. The page shows the blocks between {@code // doc:} and {@code // end};
 * scripts/check-docs.py checks that they are equal.
 */
public final class WalletExample {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** The bank's officers. The program triggers their decisions. */
  public interface Bank {
    void decideRegistrations() throws IOException;

    Funding fund(Amount amount) throws IOException;

    void approveMints() throws IOException;
  }

  /** Money received at the bank, and the token that lets one wallet mint against it. */
  public record Funding(String id, String accessToken) {
    @Override
    public String toString() {
      return "Funding[redacted]";
    }
  }

  private final Path folder;
  private final WalletProfile profile;
  private final WalletPlatform platform;
  private final WalletOptions options;
  private final byte[] proverKey;
  private final Bank bank;
  private final PrintStream out;

  /**
   * A run of the program.
   *
   * @param folder for wallet files
   * @param platform of the profile's network
   * @param proverKey X25519 key of a prover that may see the payments of the restored wallet
   */
  public WalletExample(
      Path folder,
      WalletProfile profile,
      WalletPlatform platform,
      WalletOptions options,
      byte[] proverKey,
      Bank bank,
      PrintStream out) {
    this.folder = folder;
    this.profile = profile;
    this.platform = platform;
    this.options = options;
    this.proverKey = proverKey.clone();
    this.bank = bank;
    this.out = out;
  }

  // doc: pin
  /**
   * Pins the network and its services as the gateway describes them, once. The manifest key is the
   * root of all trust and must not come from the gateway.
   */
  public static WalletProfile pin(
      URI gateway, Path keys, byte[] manifestKey, Set<KeyClass> accepted) {
    Duration timeout = Duration.ofSeconds(20);
    try (HttpClient http = HttpClient.newHttpClient()) {
      GatewayInfo info =
          new GatewayClient(new RestClient(http, gateway, "the gateway", timeout)).info();
      ServicePins services =
          new ServiceDirectory(null, null, null, null).complete(http, info.services(), timeout);
      return new WalletProfile(
          info.network(),
          info.kind(),
          new CurrencyCode(info.currency()),
          manifestKey,
          accepted,
          gateway,
          services,
          keys.toAbsolutePath().toString(),
          null);
    }
  }

  // end

  // doc: create
  /**
   * Makes a wallet. Its words are for its owner only; this program keeps them because it deletes
   * the file later.
   */
  private String create(String name) {
    char[] passphrase = askPassphrase();
    try (SeedPhrase phrase = SeedPhrase.generate(new SecureRandom());
        Wallet wallet = Wallet.create(file(name), passphrase, phrase, profile, platform, options)) {
      say("%s: %s".formatted(name, wallet.addressText()));
      return phrase.words();
    } finally {
      Arrays.fill(passphrase, '\0');
    }
  }

  private Wallet open(String name, WalletOptions options) {
    char[] passphrase = askPassphrase();
    try {
      return Wallet.open(file(name), passphrase, platform, options);
    } finally {
      Arrays.fill(passphrase, '\0');
    }
  }

  // end

  private Wallet open(String name) {
    return open(name, options);
  }

  private Path file(String name) {
    return folder.resolve(name + ".wallet");
  }

  /** A real wallet asks its owner; the caller clears the passphrase. */
  private static char[] askPassphrase() {
    return "correct horse battery staple".toCharArray();
  }

  // doc: register
  private void register(String name, Person person) throws IOException {
    try (Wallet wallet = open(name)) {
      RegistrationStatus status = wallet.register(person);
      say("%s: registration %s".formatted(name, status.stage()));
      bank.decideRegistrations();
      status = wallet.awaitRegistration(LIMIT);
      say("%s: registration %s".formatted(name, status.stage()));
    }
  }

  // end

  // doc: mint
  private void mint(Wallet wallet, Amount value) throws IOException {
    Funding funding = bank.fund(value);
    MintId id = wallet.requestMint(funding.id(), funding.accessToken(), value);
    say("alice: mint asked for, approved: %s".formatted(wallet.collectMint(id).isPresent()));
    bank.approveMints();
    ReceivedCoin received = wallet.awaitMint(id, LIMIT).orElseThrow();
    say("alice: minted %s, %s".formatted(text(received.value()), balance(wallet)));
  }

  // end

  // doc: pay
  private void pay(Wallet wallet, String address, Amount amount, String reference) {
    Address payee = wallet.parseAddress(address);
    Payment payment = wallet.pay(payee, amount, reference);
    say(
        "alice: paid %s, claimed %s, delivered: %s, %s"
            .formatted(
                text(payment.paid()),
                text(payment.claimed()),
                payment.delivered(),
                balance(wallet)));
  }

  // end

  // doc: receive
  private void receive() {
    try (Wallet bob = open("bob")) {
      for (ReceivedCoin received : bob.receive()) {
        say("bob: received %s (%s)".formatted(text(received.value()), received.reference()));
      }
      say("bob: %s".formatted(balance(bob)));
    }
  }

  // end

  // doc: ask
  /** A shop asks for an amount. Each wallet pays it once, within a quarter of an hour. */
  private static String ask(Wallet shop, RequestToken id, Amount amount, String label) {
    PaymentRequest request =
        PaymentRequest.of(shop.address())
            .withPrice(new PaymentRequest.Price(amount, shop.profile().currency()))
            .withExpiry(Instant.now().plus(Duration.ofMinutes(15)))
            .withId(id)
            .withLabel(label);
    return shop.writeRequest(request, false);
  }

  /** The payer chose the text of the payment, so the shop compares the amount. */
  private static boolean isPaid(Wallet shop, RequestToken id, Amount amount) {
    shop.receive();
    return shop.paidFor(id).stream().anyMatch(coin -> coin.value().compareTo(amount) >= 0);
  }

  // end

  // doc: answer
  /** A customer reads the link, sees what the limits leave, and pays. The same link pays once. */
  private Payment answer(Wallet customer, String link) {
    PaymentRequest asked = customer.readRequest(link).request();
    PaymentRequest.Price price =
        Objects.requireNonNull(asked.price(), "the payer chooses the amount");
    say(
        "alice: asked for %s (%s), may pay %s at most"
            .formatted(
                Money.format(price.amount(), price.currency()),
                asked.label(),
                text(customer.limits().largestPayment())));
    Payment payment = customer.pay(asked);
    Payment again = customer.pay(asked);
    say(
        "alice: paid %s, again the same payment: %s, %s"
            .formatted(
                text(payment.paid()), again.core().equals(payment.core()), balance(customer)));
    return payment;
  }

  // end

  // doc: receipt
  /** The payer writes a receipt. Whoever has the network's keys verifies it, without a wallet. */
  private void receipt(Wallet payer, Payment payment, Address shop) {
    String written = payer.receipt(payment.core()).toJson();

    PaymentReceipt receipt = PaymentReceipt.parse(written);
    receipt.verify(Path.of(profile.keysDir()), profile.manifestKey(), Set.of(KeyClass.DEVELOPMENT));
    say("receipt: %s, to bob: %s".formatted(text(receipt.paid()), receipt.isTo(shop)));
  }

  // end

  private void shop() {
    try (Wallet bob = open("bob");
        Wallet alice = open("alice")) {
      RequestToken id = bob.newRequestToken();
      Amount price = Money.parse("9.90", profile.currency());
      String link = ask(bob, id, price, "a book");
      say("bob: asks for %s, paid: %s".formatted(text(price), isPaid(bob, id, price)));
      Payment payment = answer(alice, link);
      say("bob: paid: %s".formatted(isPaid(bob, id, price)));
      receipt(alice, payment, bob.address());
    }
  }

  // doc: failures
  /**
   * A failure as a wallet handles it.
   *
   * @param code stable code of the protocol or of the SDK
   * @param tryAgain whether the same operation may succeed later
   */
  private record Failure(String code, boolean tryAgain) {
    static Failure of(RuntimeException failure) {
      return switch (failure) {
        case ProtocolException refusal ->
            new Failure(refusal.code().code(), refusal.code().retryable());
        case WalletException failed ->
            new Failure(failed.error().code(), mayWorkLater(failed.error()));
        default -> throw failure; // a mistake of the program, not of the operation
      };
    }

    private static boolean mayWorkLater(WalletError error) {
      return switch (error) {
        case GATEWAY_UNREACHABLE,
            TRANSFER_IN_FLIGHT,
            STORE_LOCKED,
            NOT_REGISTERED,
            REGISTRATION_PENDING,
            MINT_PENDING ->
            true;
        default -> false;
      };
    }
  }

  private void refused(String what, Wallet wallet, Runnable attempt) {
    try {
      attempt.run();
      throw new IllegalStateException(what + " went through");
    } catch (ProtocolException | WalletException e) {
      Failure failure = Failure.of(e);
      say(
          "%s: %s, try again: %s, in flight: %s, %s"
              .formatted(
                  what,
                  failure.code(),
                  failure.tryAgain(),
                  wallet.status().transferInFlight(),
                  balance(wallet)));
    }
  }

  // end

  // doc: refusals
  private void whatIsRefused(Wallet alice, String bob) {
    String typo = bob.substring(0, 20) + (bob.charAt(20) == 'q' ? 'p' : 'q') + bob.substring(21);
    refused("an address with one letter wrong", alice, () -> alice.parseAddress(typo));
    Address payee = alice.parseAddress(bob);
    refused(
        "an address of another network",
        alice,
        () -> alice.parseAddress(payee.encode(new NetworkId("elsewhere"))));
    refused("more than she has", alice, () -> alice.pay(payee, Amount.of(40_000)));
    refused("more than a transfer may be", alice, () -> alice.pay(payee, Amount.of(100_001)));
  }

  // end

  // doc: away
  /**
   * No process listens at the address. The wallet fails before it has made a transfer, so the
   * payment can be made again.
   */
  private void gatewayAway(String bob) throws IOException {
    moveAlice(URI.create("http://127.0.0.1:" + unusedPort()));
    try (Wallet alice = open("alice")) {
      refused("gateway away", alice, () -> alice.pay(alice.parseAddress(bob), Amount.of(5_000)));
    }
    moveAlice(profile.gateway());
  }

  // end

  // doc: lost
  /**
   * The gateway accepts the transfer, its answer is lost, and the program ends. The next run calls
   * settle and does not pay again.
   */
  private void answerLost(String bob) throws IOException {
    try (AnswerDroppingProxy proxy = new AnswerDroppingProxy(profile.gateway())) {
      moveAlice(proxy.uri());
      try (Wallet alice = open("alice", options.withPatience(Duration.ofSeconds(2)))) {
        refused(
            "answer lost",
            alice,
            () -> alice.pay(alice.parseAddress(bob), Amount.of(5_000), "invoice 18"));
      }
    }
    moveAlice(profile.gateway());
    try (Wallet alice = open("alice")) {
      Optional<FinishedTransfer> settled = alice.settle();
      say(
          "alice: settled %s, %s"
              .formatted(
                  settled.map(transfer -> transfer.memo().reference()).orElse("nothing"),
                  balance(alice)));
      say(
          "alice: settled %s"
              .formatted(
                  alice.settle().map(transfer -> transfer.memo().reference()).orElse("nothing")));
    }
  }

  // end

  private void moveAlice(URI gateway) {
    try (Wallet alice = open("alice")) {
      alice.moveTo(profile.withGateway(gateway));
    }
  }

  // doc: restore
  /**
   * Only the words are left. The new wallet delegates its proofs to a prover, which sees payments
   * and cannot make any.
   */
  private void restore(String words, String bob) throws IOException {
    Files.delete(file("alice"));
    WalletProfile delegating = profile.withProverKey(new EncryptionKey(proverKey));
    char[] passphrase = askPassphrase();
    try (SeedPhrase phrase = SeedPhrase.parse(words);
        Wallet alice =
            Wallet.createToRestore(
                file("alice"), passphrase, phrase, delegating, platform, options)) {
      Restorer.Restored restored = alice.restore();
      say(
          "alice: restored %d transfers and %d coins, %s"
              .formatted(restored.transfers(), restored.coins(), balance(alice)));
      pay(alice, bob, Amount.of(2_950), "invoice 19");
    } finally {
      Arrays.fill(passphrase, '\0');
    }
  }

  // end

  // doc: withdraw
  private void withdraw() {
    try (Wallet bob = open("bob")) {
      Payment payment =
          bob.withdraw(
              Amount.of(10_000),
              new PayoutInstruction("Bob Example", "DE02120300000000202051", "rent"));
      say(
          "bob: withdrew %s, payout asked for: %s, %s"
              .formatted(text(payment.withdrawn()), payment.redeemed(), balance(bob)));
      for (HistoryItem item : bob.history()) {
        say("bob: %s %s %s".formatted(item.kind(), text(item.amount()), item.reference()));
      }
    }
  }

  // end

  /** Runs all steps; the persons must not be registered yet. */
  public void tell(Person alicePerson, Person bobPerson) throws IOException {
    say(
        "network %s: %d authorities, %d of them sign, amounts in %s"
            .formatted(
                profile.network(),
                platform.committee().n(),
                platform.committee().quorum(),
                profile.currency()));
    String words = create("alice");
    create("bob");
    register("alice", alicePerson);
    register("bob", bobPerson);
    String bob = bobsAddress();
    try (Wallet alice = open("alice")) {
      mint(alice, Amount.of(50_000));
      pay(alice, bob, Amount.of(12_050), "invoice 17");
      whatIsRefused(alice, bob);
    }
    receive();
    gatewayAway(bob);
    answerLost(bob);
    receive();
    restore(words, bob);
    receive();
    withdraw();
    shop();
  }

  private String bobsAddress() {
    try (Wallet bob = open("bob")) {
      return bob.addressText();
    }
  }

  private String balance(Wallet wallet) {
    return "held "
        + text(wallet.balance().held())
        + ", unclaimed "
        + text(wallet.balance().unclaimed());
  }

  /** An amount in a currency with two decimals. */
  private static String text(Amount amount) {
    return String.format(Locale.ROOT, "%d.%02d", amount.minor() / 100, amount.minor() % 100);
  }

  private void say(String line) {
    out.println(line.strip());
  }

  private static int unusedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** A proxy of the gateway that forwards all requests and drops the answers to transfers. */
  private static final class AnswerDroppingProxy implements AutoCloseable {
    private final HttpClient http =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final URI gateway;

    AnswerDroppingProxy(URI gateway) throws IOException {
      this.gateway = gateway;
      server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      server.createContext("/", this::pass);
      server.start();
    }

    URI uri() {
      return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private void pass(HttpExchange exchange) throws IOException {
      try (exchange) {
        HttpResponse<byte[]> answer = forward(exchange);
        if (!exchange.getRequestURI().getPath().equals("/v1/transfers")) {
          exchange.sendResponseHeaders(
              answer.statusCode(), answer.body().length == 0 ? -1 : answer.body().length);
          exchange.getResponseBody().write(answer.body());
        }
      }
    }

    private HttpResponse<byte[]> forward(HttpExchange exchange) throws IOException {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(gateway.resolve(exchange.getRequestURI().toString()))
              .timeout(LIMIT)
              .method(
                  exchange.getRequestMethod(),
                  HttpRequest.BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
      for (String name : List.of("Content-Type", "Idempotency-Key")) {
        Optional.ofNullable(exchange.getRequestHeaders().getFirst(name))
            .ifPresent(value -> request.header(name, value));
      }
      try {
        return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
    }

    @Override
    public void close() {
      server.stop(0);
      http.close();
    }
  }

  /** The bank's officers of a sandbox, by {@code ./solidus operator}. */
  private record Launcher(Path solidus) implements Bank {
    @Override
    public void decideRegistrations() throws IOException {
      long end = System.nanoTime() + LIMIT.toNanos();
      for (int approved = 0; approved == 0; ) {
        for (String line :
            operator("cases").lines().filter(case_ -> case_.contains("  pending  ")).toList()) {
          operator("approve-case", line.split(" ", 2)[0]);
          approved++;
        }
        if (approved == 0) {
          waitForCases(end);
        }
      }
    }

    private static void waitForCases(long end) throws IOException {
      try {
        if (System.nanoTime() > end) {
          throw new IOException("no case waits for a decision");
        }
        TimeUnit.SECONDS.sleep(1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
    }

    @Override
    public Funding fund(Amount amount) throws IOException {
      List<String> lines =
          operator("fund", "--amount-minor", Long.toString(amount.minor())).lines().toList();
      return new Funding(lines.get(0).split(" +", -1)[1], lines.get(1).split(" +", -1)[1]);
    }

    @Override
    public void approveMints() throws IOException {
      operator("approve-mints");
    }

    private String operator(String... action) throws IOException {
      ProcessBuilder builder = new ProcessBuilder(solidus.toString(), "operator");
      builder.command().addAll(List.of(action));
      Path output = Files.createTempFile("operator", ".out");
      Path errors = Files.createTempFile("operator", ".err");
      Process process =
          builder.redirectOutput(output.toFile()).redirectError(errors.toFile()).start();
      try {
        if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
          throw new IOException(
              "./solidus operator " + action[0] + " failed: " + Files.readString(errors));
        }
        return Files.readString(output);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      } finally {
        process.destroy();
        Files.delete(output);
        Files.delete(errors);
      }
    }
  }

  /**
   * Runs the program.
   *
   * @param args path of the launcher, folder of the sandbox's development keys, URL of the gateway
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path keys = Path.of(args[1]);
    URI gateway = URI.create(args[2]);
    byte[] manifestKey =
        HexFormat.of().parseHex(Files.readString(keys.resolve("manifest.pub")).strip());
    WalletProfile profile = pin(gateway, keys, manifestKey, Set.of(KeyClass.DEVELOPMENT));
    Path folder = Files.createTempDirectory("solidus-example");
    try (WalletPlatform platform = WalletPlatform.open(profile)) {
      WalletOptions options = WalletOptions.defaults();
      Bank bank = new Launcher(Path.of(args[0]));
      String run = HexFormat.of().toHexDigits(new SecureRandom().nextInt());
      new WalletExample(folder, profile, platform, options, proverKey(gateway), bank, System.out)
          .tell(person("Alice", run), person("Bob", run));
    }
    System.out.println("wallet files: " + folder);
  }

  private static Person person(String name, String run) {
    return new Person(
        name,
        "Example",
        LocalDate.of(1950, 1, 1).plusDays(Math.floorMod((name + run).hashCode(), 20_000)),
        "FR",
        name.toUpperCase(Locale.ROOT) + run);
  }

  /**
   * For a sandbox only: a wallet that takes this key from a gateway lets the gateway choose the
   * prover that reads its payments.
   */
  private static byte[] proverKey(URI gateway) throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(gateway.resolve("/v1/info")).timeout(LIMIT).build();
      String info = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
      return Base64.getUrlDecoder()
          .decode(JsonMapper.builder().build().readTree(info).path("proverKey").asString());
    }
  }
}
