package io.solidus.wallet.example;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.protocol.CurrencyCode;
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
import io.solidus.wallet.model.PayoutInstruction;
import io.solidus.wallet.model.Receipt;
import io.solidus.wallet.model.RegistrationStatus;
import io.solidus.wallet.model.ServicePins;
import io.solidus.wallet.model.WalletProfile;
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
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import tools.jackson.databind.json.JsonMapper;

/**
 * The program of docs/how-to/write-a-wallet.md, over the wallet's library alone. {@code ./solidus
 * example} runs it against a running sandbox; {@code WalletExampleTest} runs it with every test
 * run. The page shows what stands between {@code // doc:} and {@code // end}, and
 * scripts/check-docs.py sees to it that it is the same.
 */
public final class WalletExample {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** The bank's people, who in life need no telling. */
  public interface Bank {
    void decideRegistrations() throws IOException;

    Funding fund(Amount amount) throws IOException;

    void approveMints() throws IOException;
  }

  /** Money received at the bank, and the word that lets one wallet mint against it. */
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
   * Asks the gateway this one time who is who, and pins it. The manifest key comes from elsewhere:
   * it is what all trust hangs on.
   */
  public static WalletProfile pin(
      URI gateway, Path keys, byte[] manifestKey, Set<KeyClass> accepted) {
    Duration timeout = Duration.ofSeconds(20);
    try (HttpClient http = HttpClient.newHttpClient()) {
      GatewayInfo said =
          new GatewayClient(new RestClient(http, gateway, "the gateway", timeout)).info();
      ServicePins services =
          new ServiceDirectory(null, null, null, null).complete(http, said.services(), timeout);
      return new WalletProfile(
          said.network(),
          said.kind(),
          new CurrencyCode(said.currency()),
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
   * A new wallet. Its words are for its owner's eyes; this program keeps them only because it will
   * lose the file.
   */
  private String create(String name) {
    char[] passphrase = askPassphrase();
    try (SeedPhrase phrase = SeedPhrase.generate(new SecureRandom());
        Wallet wallet = Wallet.create(file(name), passphrase, phrase, profile, platform, options)) {
      say("%s: %s", name, wallet.addressText());
      return phrase.words();
    } finally {
      Arrays.fill(passphrase, '\0');
    }
  }

  private Wallet open(String name, WalletOptions how) {
    char[] passphrase = askPassphrase();
    try {
      return Wallet.open(file(name), passphrase, platform, how);
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

  /** A real wallet asks its owner; whoever has opened the wallet clears it. */
  private static char[] askPassphrase() {
    return "correct horse battery staple".toCharArray();
  }

  // doc: register
  private void register(String name, Person person) throws IOException {
    try (Wallet wallet = open(name)) {
      RegistrationStatus status = wallet.register(person);
      say("%s: registration %s", name, status.stage());
      bank.decideRegistrations();
      status = wallet.awaitRegistration(LIMIT);
      say("%s: registration %s", name, status.stage());
    }
  }

  // end

  // doc: mint
  private void mint(Wallet wallet, Amount value) throws IOException {
    Funding funding = bank.fund(value);
    MintId id = wallet.requestMint(funding.id(), funding.accessToken(), value);
    say("alice: mint asked for, approved: %s", wallet.collectMint(id).isPresent());
    bank.approveMints();
    Receipt receipt = wallet.awaitMint(id, LIMIT).orElseThrow();
    say("alice: minted %s, %s", text(receipt.value()), balance(wallet));
  }

  // end

  // doc: pay
  private void pay(Wallet wallet, String address, Amount amount, String reference) {
    Address payee = wallet.parseAddress(address);
    Payment payment = wallet.pay(payee, amount, reference);
    say(
        "alice: paid %s, claimed %s, delivered: %s, %s",
        text(payment.paid()), text(payment.claimed()), payment.delivered(), balance(wallet));
  }

  // end

  // doc: receive
  private void receive() {
    try (Wallet bob = open("bob")) {
      for (Receipt receipt : bob.receive()) {
        say("bob: received %s (%s)", text(receipt.value()), receipt.reference());
      }
      say("bob: %s", balance(bob));
    }
  }

  // end

  // doc: failures
  /**
   * What a wallet does about a failure.
   *
   * @param code stable: of the protocol or of this library
   * @param tryAgain whether the same may work later
   */
  private record Failure(String code, boolean tryAgain) {
    static Failure of(RuntimeException failure) {
      return switch (failure) {
        case ProtocolException refusal ->
            new Failure(refusal.code().code(), refusal.code().retryable());
        case WalletException failed ->
            new Failure(failed.error().code(), mayWorkLater(failed.error()));
        default -> throw failure; // a mistake of the program, and nothing to go on after
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

  private void refused(String what, Wallet wallet, Supplier<?> attempt) {
    try {
      attempt.get();
      throw new IllegalStateException(what + " went through");
    } catch (ProtocolException | WalletException e) {
      Failure failure = Failure.of(e);
      say(
          "%s: %s, try again: %s, in flight: %s, %s",
          what,
          failure.code(),
          failure.tryAgain(),
          wallet.status().transferInFlight(),
          balance(wallet));
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
   * Nothing listens there: the wallet fails before it has made anything, so the payment can simply
   * be made again.
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
   * The gateway takes the transfer and its answer is lost, and then the program ends. Whoever comes
   * next settles, and does not pay again.
   */
  private void answerLost(String bob) throws IOException {
    try (AnswersLost network = new AnswersLost(profile.gateway())) {
      moveAlice(network.uri());
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
          "alice: settled %s, %s",
          settled.map(transfer -> transfer.memo().reference()).orElse("nothing"), balance(alice));
      say(
          "alice: settled %s",
          alice.settle().map(transfer -> transfer.memo().reference()).orElse("nothing"));
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
   * All that is left are the words. The new file lends its proving to a prover, which sees payments
   * and cannot make any.
   */
  private void restore(String words, String bob) throws IOException {
    Files.delete(file("alice"));
    WalletProfile lent =
        new WalletProfile(
            profile.network(),
            profile.kind(),
            profile.currency(),
            profile.manifestKey(),
            profile.keyClasses(),
            profile.gateway(),
            profile.services(),
            profile.keysDir(),
            proverKey);
    char[] passphrase = askPassphrase();
    try (SeedPhrase phrase = SeedPhrase.parse(words);
        Wallet alice = Wallet.create(file("alice"), passphrase, phrase, lent, platform, options)) {
      Restorer.Restored restored = alice.restore();
      say(
          "alice: restored %d transfers and %d coins, %s",
          restored.transfers(), restored.coins(), balance(alice));
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
          "bob: withdrew %s, payout asked for: %s, %s",
          text(payment.withdrawn()), payment.redeemed(), balance(bob));
      for (HistoryItem item : bob.history()) {
        say("bob: %s %s %s", item.kind(), text(item.amount()), item.reference());
      }
    }
  }

  // end

  /** The whole story; the bank has to know nobody of these persons yet. */
  public void tell(Person alicePerson, Person bobPerson) throws IOException {
    say(
        "network %s: %d authorities, %d of them sign, amounts in %s",
        profile.network(),
        platform.committee().n(),
        platform.committee().quorum(),
        profile.currency());
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

  /** Of a currency with two decimals. */
  private static String text(Amount amount) {
    return String.format(Locale.ROOT, "%d.%02d", amount.minor() / 100, amount.minor() % 100);
  }

  private void say(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values).strip());
  }

  private static int unusedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /**
   * A way to the gateway that breaks at the worst moment: requests arrive, and the answers to
   * transfers do not come back.
   */
  private static final class AnswersLost implements AutoCloseable {
    private final HttpClient http =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final URI gateway;

    AnswersLost(URI gateway) throws IOException {
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

  /** The bank's people of a sandbox, through the launcher. */
  private record Launcher(Path solidus) implements Bank {
    @Override
    public void decideRegistrations() throws IOException {
      long end = System.nanoTime() + LIMIT.toNanos();
      for (int approved = 0; approved == 0; ) {
        for (String line :
            operator("cases").lines().filter(case_ -> case_.contains("  pending  ")).toList()) {
          operator("approve-case", line.split(" ")[0]);
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
      return new Funding(lines.get(0).split(" +")[1], lines.get(1).split(" +")[1]);
    }

    @Override
    public void approveMints() throws IOException {
      operator("approve-mints");
    }

    private String operator(String... action) throws IOException {
      ProcessBuilder builder = new ProcessBuilder(solidus.toString(), "operator");
      builder.command().addAll(List.of(action));
      Path said = Files.createTempFile("operator", ".out");
      Path errors = Files.createTempFile("operator", ".err");
      Process process =
          builder.redirectOutput(said.toFile()).redirectError(errors.toFile()).start();
      try {
        if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
          throw new IOException(
              "./solidus operator " + action[0] + " failed: " + Files.readString(errors));
        }
        return Files.readString(said);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      } finally {
        process.destroy();
        Files.delete(said);
        Files.delete(errors);
      }
    }
  }

  /**
   * @param args the launcher, the sandbox's development keys, the gateway
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
        name, "Example", LocalDate.of(1990, 5, 17), "FR", name.toUpperCase(Locale.ROOT) + run);
  }

  /**
   * For a sandbox only: a wallet that takes this key from a gateway lets the gateway choose who
   * reads its payments.
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
