package io.solidus.wallet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.Address;
import io.solidus.protocol.Mailbox;
import io.solidus.protocol.NetworkId;
import io.solidus.wallet.error.WalletError.Exit;
import io.solidus.wallet.flow.CliBench;
import io.solidus.wallet.store.PassphraseCost;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command line as people and scripts use it, on the fake network. */
@Tag("process")
class WalletCliTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @TempDir private Path folder;
  private final CliBench bench = new CliBench();
  private final Map<String, String> environment = new HashMap<>();
  private final Deque<String> answers = new ArrayDeque<>();
  private final List<String> questions = new ArrayList<>();
  private String out = "";
  private String err = "";

  @BeforeEach
  void setEnvironment() {
    environment.put("SOLIDUS_WALLET_PASSPHRASE", "a passphrase of a test");
    environment.put("SOLIDUS_DEVELOPMENT_KEYS", bench.keysDir().toString());
    environment.put("SOLIDUS_GATEWAY", bench.gateway().toString());
    environment.put("SOLIDUS_FUNDING_TOKEN", "token");
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private char @Nullable [] answer(String question) {
    questions.add(question);
    String next = answers.poll();
    return next == null ? null : next.toCharArray();
  }

  private int run(String... args) {
    StringWriter outText = new StringWriter();
    StringWriter errText = new StringWriter();
    Terminal terminal =
        new Terminal(
            new PrintWriter(outText, true), new PrintWriter(errText, true), false, this::answer);
    WalletCli cli =
        new WalletCli(
            terminal,
            environment,
            options ->
                options
                    .withMaxMailboxDelay(Duration.ZERO)
                    .withPatience(Duration.ofMillis(1))
                    .withPassphraseCost(new PassphraseCost(8, 1, 1)));
    int status = cli.run(args);
    out = outText.toString();
    err = errText.toString();
    assertThat(out + err)
        .doesNotContain("\tat ", "Exception")
        .doesNotContain("a passphrase of a test");
    return status;
  }

  /** Runs a command with JSON output on one wallet. */
  private JsonNode json(int expected, String store, String... args) {
    String[] all = new String[args.length + 4];
    System.arraycopy(args, 0, all, 0, args.length);
    all[args.length] = "--store";
    all[args.length + 1] = folder.resolve(store).toString();
    all[args.length + 2] = "--output";
    all[args.length + 3] = "json";
    assertThat(run(all)).as(out + err).isEqualTo(expected);
    return JSON.readTree(out);
  }

  private void register(String store) {
    answers.addAll(List.of("Ada", "Lovelace", "1990-12-10", "GB", store));
    json(Exit.OK, store, "register");
  }

  /** The same payee with another mailbox. */
  private static String elsewhere(String address) {
    NetworkId network = new NetworkId("solidus-test");
    Address payee = Address.decode(network, address);
    return new Address(payee.apk(), payee.encryptionKey(), new Mailbox("post.example.org"))
        .encode(network);
  }

  private String addressOf(String store) {
    return json(Exit.OK, store, "address").path("address").asString();
  }

  /** Two files of one phrase pay at once; the owner has to say that a payment may be lost. */
  @Test
  void recoversAnAccountThatTwoFilesLocked() throws IOException {
    json(Exit.OK, "alice", "create");
    register("alice");
    json(Exit.OK, "bob", "create");
    register("bob");
    json(Exit.NOT_YET, "alice", "mint", "F-1", "20.00");
    bench.approveMints();
    json(Exit.OK, "alice", "mint", "F-1", "20.00");
    json(Exit.OK, "alice", "claim");
    Files.copy(folder.resolve("alice"), folder.resolve("other"));
    String bob = addressOf("bob");
    bench.withholdsPayments();
    json(Exit.TRY_AGAIN, "alice", "pay", bob, "3.00");
    bench.deliversWithheldFirst();
    assertThat(
            json(Exit.REFUSED, "other", "pay", bob, "5.00").path("error").path("code").asString())
        .isEqualTo("serial-conflict");

    assertThat(run("recover", "--store", folder.resolve("alice").toString())).isEqualTo(Exit.USAGE);
    assertThat(err).contains("--accept-loss", "Nobody can tell whether its payee is paid");
    JsonNode recovered = json(Exit.OK, "alice", "recover", "--accept-loss");
    assertThat(recovered.path("recovers").asInt()).isEqualTo(1);
    assertThat(recovered.path("burntMinor").asInt()).isEqualTo(500);
    assertThat(recovered.path("balanceMinor").asInt()).isEqualTo(1_500);
    assertThat(run("recover", "--accept-loss", "--store", folder.resolve("alice").toString()))
        .isEqualTo(Exit.OK);
    assertThat(out).contains("nothing was burnt", "15.00 EUR");
    assertThat(run("history", "--store", folder.resolve("alice").toString())).isEqualTo(Exit.OK);
    assertThat(out).contains("recovered", "5.00 EUR");
    json(Exit.OK, "alice", "pay", bob, "1.00");
  }

  /** Anybody verifies a receipt without a wallet; another payee or an altered file is refused. */
  private void verifiesReceipt(String core, String payee, String other) throws IOException {
    Path file = folder.resolve("receipt.json");
    Files.writeString(file, json(Exit.OK, "alice", "receipt", core).path("receipt").asString());
    JsonNode verified = json(Exit.OK, "nobody", "verify-receipt", file.toString(), "--to", payee);
    assertThat(verified.path("paidMinor").asLong()).isEqualTo(1_234);
    assertThat(verified.path("transfer").asString()).isEqualTo(core);
    assertThat(run("verify-receipt", file.toString())).isEqualTo(Exit.OK);
    assertThat(out).startsWith("Valid: the network solidus-test accepted this transfer");

    assertThat(run("verify-receipt", file.toString(), "--to", other)).isEqualTo(Exit.DATA);
    assertThat(err).contains("another address").contains("(receipt-invalid)");
    Files.writeString(
        file, Files.readString(file).replace("\"valueMinor\" : 1234", "\"valueMinor\" : 99999"));
    assertThat(run("verify-receipt", file.toString())).isEqualTo(Exit.DATA);
    assertThat(err).contains("another amount").contains("(receipt-invalid)");
    Files.writeString(file, "{}");
    assertThat(run("verify-receipt", file.toString())).isEqualTo(Exit.DATA);
    assertThat(run("verify-receipt", folder.resolve("absent").toString())).isEqualTo(Exit.DATA);
    assertThat(err).contains("cannot be read");
  }

  @Test
  void aPersonsDetailsCanComeFromAFile() throws IOException {
    json(Exit.OK, "alice", "create");
    Path person = folder.resolve("person");
    Files.writeString(
        person,
        """
        --given-name Ada --family-name "King Lovelace" --birth-date 1990-12-10
        --nationality GB --document-number X1
        """);
    assertThat(json(Exit.OK, "alice", "register", "@" + person).path("registration").asString())
        .isEqualTo("registered");
  }

  @Test
  void anOrganisationsDetailsComeFromAFile() throws IOException {
    json(Exit.OK, "shop", "create");
    Path details = folder.resolve("shop.json");
    Files.writeString(details, "[]");
    assertThat(
            run(
                "register",
                "--organisation",
                details.toString(),
                "--store",
                folder.resolve("shop").toString()))
        .isEqualTo(Exit.USAGE);
    Files.writeString(details, "{\"legalName\": \"Example Books Ltd\", \"people\": []}");
    assertThat(
            json(Exit.OK, "shop", "register", "--organisation", details.toString())
                .path("registration")
                .asString())
        .isEqualTo("registered");
    assertThat(bench.organisations())
        .contains("{\"legalName\":\"Example Books Ltd\",\"people\":[]}");
  }

  /** The attack: another user of the machine reads the arguments of all processes. */
  @Test
  void nothingPersonalIsTakenFromArguments() {
    for (String option :
        List.of(
            "--given-name",
            "--family-name",
            "--birth-date",
            "--nationality",
            "--document-number",
            "--iban",
            "--account-holder",
            "--bank-reference")) {
      for (String[] arguments :
          List.of(
              new String[] {"register", option, "secret"},
              new String[] {"withdraw", "1.00", option + "=secret"})) {
        assertThat(run(arguments)).isEqualTo(Exit.USAGE);
        assertThat(err).contains(option, "@FILE").doesNotContain("secret");
      }
    }
    json(Exit.OK, "alice", "create");
    String store = folder.resolve("alice").toString();
    assertThat(run("register", "--store", store)).isEqualTo(Exit.USAGE);
    assertThat(err).contains("Given name");
    answers.addAll(List.of("Ada", "Lovelace", "10.12.1990"));
    assertThat(run("register", "--store", store)).isEqualTo(Exit.USAGE);
    assertThat(err).contains("YYYY-MM-DD");
  }

  private void twoWallets() {
    for (String store : List.of("alice", "bob")) {
      json(Exit.OK, store, "create");
      register(store);
    }
    json(Exit.NOT_YET, "alice", "mint", "F-1", "100.00");
    bench.approveMints();
    json(Exit.OK, "alice", "mint", "F-1", "100.00");
  }

  @Test
  void asksForAPaymentAndPaysItOnce() {
    twoWallets();
    JsonNode asked =
        json(
            Exit.OK, "bob", "request", "12.50", "--label", "two books", "--sign", "--minutes", "5");
    String uri = asked.path("uri").asString();
    String id = asked.path("requestId").asString();
    assertThat(uri).startsWith("sld:sldr1");

    String store = folder.resolve("alice").toString();
    assertThat(run("pay", uri, "--store", store)).isEqualTo(Exit.OK);
    assertThat(err)
        .contains("12.50 EUR", "two books", "a key that none of your contacts has", "Limits:");
    answers.add("Bob");
    json(Exit.OK, "alice", "contacts", "add", uri);
    JsonNode again = json(Exit.OK, "alice", "pay", uri);
    assertThat(again.path("verifiedAs").asString()).isEqualTo("Bob");
    assertThat(again.path("requestId").asString()).isEqualTo(id);
    assertThat(json(Exit.OK, "alice", "balance").path("totalMinor").asLong()).isEqualTo(8_750);
    JsonNode received = json(Exit.OK, "bob", "receive").path("received");
    assertThat(received.size()).isEqualTo(1);
    assertThat(received.get(0).path("reference").asString()).isEqualTo(id + " two books");
    assertThat(run("pay", uri, "--store", store)).isEqualTo(Exit.OK);
    assertThat(err).contains("Signed:  by your contact Bob", "the address of your contact Bob");

    assertThat(run("pay", uri, "1.00", "--store", store)).isEqualTo(Exit.USAGE);
    assertThat(err).contains("another amount");
    assertThat(run("pay", uri, "--reference", "x", "--store", store)).isEqualTo(Exit.USAGE);
    String any = json(Exit.OK, "bob", "request", "--often").path("uri").asString();
    assertThat(run("pay", any, "--store", store)).isEqualTo(Exit.USAGE);
    assertThat(err).contains("the amount is missing");
    json(Exit.OK, "alice", "pay", any, "1.00");
    String changed =
        uri.substring(0, 200) + (uri.charAt(200) == 'q' ? 'p' : 'q') + uri.substring(201);
    assertThat(json(Exit.DATA, "alice", "pay", changed).path("error").path("code").asString())
        .isEqualTo("request-invalid");
    assertThat(run("request", "1.00", "--store", store)).isEqualTo(Exit.OK);
    assertThat(out).contains("sld:sldr1", "█▀", "Id: ");
    assertThat(run("request", "--minutes", "0", "--store", store)).isEqualTo(Exit.USAGE);
  }

  private Path list(String... rows) throws IOException {
    return Files.writeString(
        folder.resolve("payroll.csv"), PaymentFile.HEADER + "\n" + String.join("\n", rows) + "\n");
  }

  @Test
  void paysAListOnceAndSaysWhatBecameOfEachLine() throws IOException {
    twoWallets();
    json(Exit.OK, "carol", "create");
    String bob = addressOf("bob");
    String carol = addressOf("carol");
    answers.add("Bob, the baker");
    json(Exit.OK, "alice", "contacts", "add", bob);
    Path file =
        list(
            "\"Bob, the baker\",12.50,EUR,\"salary, 11/2026\"",
            carol + ",3.00,EUR,refund",
            bob + ",0.75,EUR,");
    String[] command = {"pay-many", file.toString(), "--list-id", "payroll-2026-11"};
    JsonNode plan =
        json(Exit.OK, "alice", command[0], command[1], command[2], command[3], "--dry-run");
    assertThat(plan.path("openMinor").asLong()).isEqualTo(1_625);
    assertThat(plan.path("proofs").asInt()).isEqualTo(3);
    Path results = folder.resolve("payroll.result.csv");
    assertThat(results).doesNotExist();
    bench.sanction(carol);
    String store = folder.resolve("alice").toString();
    assertThat(run(command[0], command[1], command[2], command[3], "--store", store))
        .isEqualTo(Exit.REFUSED);
    assertThat(err)
        .contains("To pay:  13.25 EUR, 2 payments, 2 proofs; there is no fee", "Limits:")
        .contains("one proof for each payment", "Proof 2 of 2: 2 of 3 paid")
        .contains("Refused: line 3 (" + carol + "): on the sanction list");
    assertThat(out).contains("Paid:    13.25 EUR, 2 of 3 payments", results.toString());
    assertThat(Files.readAllLines(results))
        .hasSize(4)
        .anySatisfy(line ->
            assertThat(line)
                .startsWith("2,\"Bob, the baker\",12.50,EUR,\"salary, 11/2026\",paid,")
                .endsWith(",1,true"))
        .contains("3," + carol + ",3.00,EUR,refund,listed,,,");
    assertThat(Files.getPosixFilePermissions(results)).hasSize(2);
    JsonNode again = json(Exit.REFUSED, "alice", command);
    assertThat(again.path("proofs").asInt()).isZero();
    String core = again.path("lines").get(0).path("core").asString();
    assertThat(json(Exit.OK, "bob", "receive").path("received").size()).isEqualTo(2);
    json(Exit.OK, "alice", "receipt", core, "--payee", "1");
    json(Exit.REFUSED, "alice", "receipt", core, "--payee", "2");
    json(Exit.OK, "alice", "resend", core, "--payee", "1");
    assertThat(run("receipt", core, "--payee", "0", "--store", store)).isEqualTo(Exit.USAGE);
    list(bob + ",9.00,EUR,another", bob + ",12.50,EUR,wages");
    JsonNode mismatch = json(Exit.REFUSED, "alice", command).path("error");
    assertThat(mismatch.path("code").asString()).isEqualTo("idempotency-mismatch");
    assertThat(mismatch.path("detail").asString()).contains("lines 2, 4 are paid there");
    command[3] = "payroll-2026-11 corrected";
    JsonNode twice = json(Exit.REFUSED, "alice", command).path("error");
    assertThat(twice.path("code").asString()).isEqualTo("payments-repeated");
    assertThat(twice.path("detail").asString()).contains("lines 3", "--again");
    assertThat(run(command[0], command[1], command[2], command[3], "--dry-run", "--store", store))
        .isEqualTo(Exit.OK);
    assertThat(err).contains("Doubt:   line 3 (" + bob + ")");
    List<String> before = Files.readAllLines(results);
    for (String other : List.of(results.toString(), file.toString(), store)) {
      JsonNode refused =
          json(
                  Exit.CANNOT_CREATE,
                  "alice",
                  command[0],
                  command[1],
                  command[2],
                  command[3],
                  "--again",
                  "--result",
                  other)
              .path("error");
      assertThat(refused.path("code").asString()).as(other).isEqualTo("store-unwritable");
    }
    assertThat(Files.readAllLines(results)).isEqualTo(before);
    assertThat(Files.readAllLines(file)).hasSize(3);
    JsonNode confirmed =
        json(
            Exit.OK,
            "alice",
            command[0],
            command[1],
            command[2],
            command[3],
            "--again",
            "--result",
            folder.resolve("corrected.csv").toString());
    assertThat(confirmed.path("paidBefore").get(0).asInt()).as("what it confirmed").isEqualTo(3);
    assertThat(json(Exit.OK, "bob", "receive").path("received").size()).isEqualTo(2);
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left.map(path -> String.valueOf(path.getFileName())))
          .noneMatch(name -> name.startsWith(".payments"));
    }
  }

  /** Nothing is paid when a line is wrong, and all wrong ones are named. */
  @Test
  void wrongLinesOfAListAreRefusedWithTheirNumbers() throws IOException {
    twoWallets();
    String bob = addressOf("bob");
    String store = folder.resolve("alice").toString();
    Path file =
        list(
            bob + ",1.00,EUR,right",
            "Nobody,1.00,EUR,x",
            bob + ",1.001,EUR,x",
            bob + ",0,EUR,x",
            bob + ",1.00,USD,x",
            bob + ",1.00,EUR",
            bob + ",1.00,EUR," + "x".repeat(141),
            addressOf("alice") + ",1.00,EUR,x",
            bob + ",1.00,EUR,\"x",
            bob + ",1.00,EUR,right",
            bob + ",1e3,EUR,x",
            bob + ",\"1,00\",EUR,x",
            bob + ",-1.00,EUR,x");
    assertThat(run("pay-many", file.toString(), "--list-id", "p", "--store", store))
        .isEqualTo(Exit.DATA);
    assertThat(err).contains("(payments-invalid)", "is not valid: line 3: ");
    for (int line = 3; line <= 14; line++) {
      assertThat(err).contains("line " + line + ": ");
    }
    assertThat(err).contains("line 11: it is the same as line 2");
    Files.writeString(file, "payee;amount;currency;reference\n");
    assertThat(run("pay-many", file.toString(), "--list-id", "p", "--store", store))
        .isEqualTo(Exit.DATA);
    assertThat(err).contains("line 1 has to be: payee,amount,currency,reference");
    list();
    assertThat(run("pay-many", file.toString(), "--list-id", "p", "--store", store))
        .isEqualTo(Exit.DATA);
    assertThat(run("pay-many", file.toString(), "--store", store)).isEqualTo(Exit.USAGE);
    assertThat(json(Exit.OK, "alice", "balance").path("totalMinor").asLong()).isEqualTo(10_000);
    list(bob + ",1000.00,EUR,too much");
    assertThat(
            json(Exit.REFUSED, "alice", "pay-many", file.toString(), "--list-id", "p")
                .path("error")
                .path("code")
                .asString())
        .isEqualTo("insufficient-funds");
  }

  @Test
  void waitsForAPaymentByItsTag() {
    twoWallets();
    JsonNode asked = json(Exit.OK, "bob", "request", "3.00", "--tag");
    String tag = asked.path("tag").asString();
    assertThat(tag).matches("[0-9a-f]{32}");
    json(Exit.OK, "alice", "pay", asked.path("uri").asString());
    JsonNode received = json(Exit.OK, "bob", "receive", "--tag", tag).path("received");
    assertThat(received.get(0).path("valueMinor").asLong()).isEqualTo(300);
    JsonNode untagged = json(Exit.OK, "bob", "request", "2.00", "--tag");
    json(Exit.OK, "alice", "pay", untagged.path("uri").asString(), "--no-tag");
    received =
        json(Exit.OK, "bob", "receive", "--tag", untagged.path("tag").asString(), "--seconds", "0")
            .path("received");
    assertThat(received.size()).as("from the mailbox").isEqualTo(1);
    String store = folder.resolve("bob").toString();
    assertThat(run("receive", "--tag", tag, "--seconds", "-1", "--store", store))
        .isEqualTo(Exit.USAGE);
    assertThat(run("receive", "--tag", tag, "--parcel", "x", "--store", store))
        .isEqualTo(Exit.USAGE);
  }

  @Test
  void aTillAsksForAPaymentAndSeesIt() throws IOException {
    twoWallets();
    Path passphrase = Files.writeString(folder.resolve("of-the-till"), "of the till\n");
    String file = folder.resolve("till").toString();
    String[] secret = {"--till-passphrase-file", passphrase.toString()};
    json(Exit.OK, "bob", "make-till", file, secret[0], secret[1]);
    assertThat(run("till", file, secret[0], secret[1])).isEqualTo(Exit.OK);
    assertThat(out).contains("No new payment.");
    assertThat(run("till", file, "12.50", "--label", "table 4", secret[0], secret[1]))
        .isEqualTo(Exit.OK);
    assertThat(out).contains("sld:sldr1", "█▀", "Paid for this request: 0.00 EUR");
    String uri = out.lines().findFirst().orElseThrow();
    json(Exit.OK, "alice", "pay", uri);
    JsonNode seen = json(Exit.OK, "none", "till", file, secret[0], secret[1]).path("payments");
    assertThat(seen.size()).isEqualTo(1);
    assertThat(seen.get(0).path("valueMinor").asLong()).isEqualTo(1_250);
    assertThat(seen.get(0).path("reference").asString()).endsWith(" table 4");
    assertThat(run("till", file, secret[0], secret[1])).isEqualTo(Exit.OK);
    assertThat(out).contains("No new payment.");
    assertThat(run("till", file, "--all", secret[0], secret[1])).isEqualTo(Exit.OK);
    assertThat(out).contains("12.50 EUR", "table 4");
    assertThat(run("till", file, "--seconds", "-1", secret[0], secret[1])).isEqualTo(Exit.USAGE);
    answers.add("another passphrase");
    assertThat(run("till", file)).isEqualTo(Exit.NO_PERMISSION);
  }

  @Test
  void aParcelGoesFromHandToHand() {
    twoWallets();
    String core = json(Exit.OK, "alice", "pay", addressOf("bob"), "3.00").path("core").asString();
    String parcel = json(Exit.OK, "alice", "resend", core, "--by-hand").path("parcel").asString();
    String store = folder.resolve("bob").toString();
    assertThat(run("receive", "--parcel", parcel, "--store", store)).isEqualTo(Exit.OK);
    assertThat(out).contains("Received 3.00 EUR");
    assertThat(run("receive", "--parcel", parcel, "--store", store)).isEqualTo(Exit.OK);
    assertThat(out).contains("Nothing new.");
    JsonNode error = json(Exit.DATA, "bob", "receive", "--parcel", "sld:parcel:AAAA").path("error");
    assertThat(error.path("code").asString()).isEqualTo("parcel-invalid");
  }

  @Test
  void retiresAWalletToOneOfAnotherPhrase() {
    twoWallets();
    long all = json(Exit.OK, "alice", "balance").path("totalMinor").asLong();
    json(Exit.OK, "fresh", "create");
    assertThat(json(Exit.DATA, "alice", "retire", "sld1x").path("error").path("code").asString())
        .isEqualTo("address-invalid");
    assertThat(json(Exit.REFUSED, "alice", "retire", addressOf("alice")).path("error").path("code"))
        .hasToString("\"malformed-request\"");
    JsonNode retired = json(Exit.OK, "alice", "retire", addressOf("fresh"));
    assertThat(retired.path("movedMinor").asLong()).isEqualTo(all).isPositive();
    assertThat(retired.path("leftMinor").asLong()).isZero();
    assertThat(json(Exit.OK, "fresh", "receive").path("received").get(0).path("reference"))
        .hasToString("\"retired wallet\"");
    String store = folder.resolve("alice").toString();
    assertThat(run("retire", addressOf("fresh"), "--store", store)).isEqualTo(Exit.OK);
    assertThat(out).isEqualTo("Moved:     0.00 EUR\n");
  }

  @Test
  void paysAContactByName() {
    twoWallets();
    String store = folder.resolve("alice").toString();
    assertThat(run("contacts", "--store", store)).isEqualTo(Exit.OK);
    assertThat(out).contains("No contacts yet.");
    answers.add("Bob");
    json(Exit.OK, "alice", "contacts", "add", addressOf("bob"));
    answers.add("Bob");
    assertThat(
            json(Exit.CANNOT_CREATE, "alice", "contacts", "add", addressOf("bob"))
                .path("error")
                .path("code")
                .asString())
        .isEqualTo("contact-exists");
    assertThat(run("contacts", "list", "--store", store)).isEqualTo(Exit.OK);
    assertThat(out).startsWith("Bob\n  sld1");
    answers.add("Bob");
    JsonNode paid = json(Exit.OK, "alice", "pay", "-", "1.00", "--payment-id", "rent 11");
    assertThat(paid.path("contact").asString()).isEqualTo("Bob");
    answers.add("Bob");
    assertThat(
            json(Exit.OK, "alice", "pay", "-", "1.00", "--payment-id", "rent 11")
                .path("core")
                .asString())
        .isEqualTo(paid.path("core").asString());
    answers.add("Bob");
    json(Exit.OK, "alice", "contacts", "remove");
    answers.add("Bob");
    assertThat(
            json(Exit.NO_INPUT, "alice", "pay", "-", "1.00").path("error").path("code").asString())
        .isEqualTo("contact-missing");
    assertThat(run("pay", "-", "1.00", "--store", store)).isEqualTo(Exit.USAGE);
    assertThat(run("contacts", "add", "nonsense", "--store", store)).isEqualTo(Exit.DATA);
  }

  @Test
  void showsLimitsAndResends() {
    twoWallets();
    JsonNode before = json(Exit.OK, "alice", "limits");
    JsonNode paid = json(Exit.OK, "alice", "pay", addressOf("bob"), "3.00");
    JsonNode after = json(Exit.OK, "alice", "limits");
    assertThat(before.path("leftMinor").asLong() - after.path("leftMinor").asLong()).isEqualTo(300);
    assertThat(before.path("transfersLeft").asInt() - after.path("transfersLeft").asInt())
        .isEqualTo(1);
    String store = folder.resolve("alice").toString();
    assertThat(run("limits", "--store", store)).isEqualTo(Exit.OK);
    assertThat(out).contains("a payment", "transfers left", "more may be held");

    json(Exit.OK, "alice", "resend", paid.path("core").asString());
    assertThat(json(Exit.OK, "bob", "receive").path("received").size()).isEqualTo(1);
    assertThat(
            json(Exit.REFUSED, "bob", "resend", paid.path("core").asString())
                .path("error")
                .path("code")
                .asString())
        .isEqualTo("not-found");
  }

  @Test
  void verifiesThePhraseAndChangesThePassphrase() throws IOException {
    String[] words = json(Exit.OK, "alice", "create").path("seedPhrase").asString().split(" ", -1);
    answers.addAll(List.of(words));
    json(Exit.OK, "alice", "verify-phrase", "--words", "24");
    words[16] = words[16].equals("zoo") ? "zone" : "zoo";
    answers.addAll(List.of(words));
    assertThat(
            json(Exit.DATA, "alice", "verify-phrase", "--words", "24")
                .path("error")
                .path("detail")
                .asString())
        .contains("word 17");
    answers.clear();
    questions.clear();
    json(Exit.NO_PERMISSION, "alice", "verify-phrase");
    assertThat(questions).hasSize(1);
    String store = folder.resolve("alice").toString();
    assertThat(run("verify-phrase", "--words", "25", "--store", store)).isEqualTo(Exit.USAGE);

    Path file = folder.resolve("new");
    Files.writeString(file, "another passphrase\n");
    json(Exit.OK, "alice", "change-passphrase", "--new-passphrase-file", file.toString());
    json(Exit.NO_PERMISSION, "alice", "balance");
    environment.put("SOLIDUS_WALLET_PASSPHRASE", "another passphrase");
    answers.add("a third");
    json(Exit.OK, "alice", "change-passphrase");
    environment.put("SOLIDUS_WALLET_PASSPHRASE", "a third");
    json(Exit.OK, "alice", "balance");
  }

  @Test
  void completesCommands() throws IOException, InterruptedException {
    assertThat(run("completion")).isEqualTo(Exit.OK);
    Path script = folder.resolve("completion");
    Files.writeString(
        script,
        out
            + """

            COMP_WORDS=(solidus-wallet contacts re) COMP_CWORD=2 COMP_LINE='solidus-wallet contacts re'
            _complete_solidus-wallet solidus-wallet re contacts
            echo "${COMPREPLY[*]}"
            """);
    Process bash = new ProcessBuilder("bash", script.toString()).redirectErrorStream(true).start();
    assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains("remove");
    assertThat(bash.waitFor()).isZero();
  }

  @Test
  void fetchesKeysBeforeAWalletIsMade() throws IOException {
    Path keys = Files.createDirectory(folder.resolve("keys"));
    for (String shipped : List.of("manifest.json", "manifest.sig", "manifest.pub")) {
      Files.copy(bench.keysDir().resolve(shipped), keys.resolve(shipped));
    }
    environment.put("SOLIDUS_DEVELOPMENT_KEYS", keys.toString());
    assertThat(run("create", "--store", folder.resolve("alice").toString()))
        .isEqualTo(Exit.CONFIGURATION);
    assertThat(run("fetch-keys")).as(out + err).isEqualTo(Exit.OK);
    assertThat(out).contains("Fetched ", "transfer.pk", "register.vk");
    assertThat(keys.resolve("transfer.pk"))
        .hasSameBinaryContentAs(bench.keysDir().resolve("transfer.pk"));
    json(Exit.OK, "alice", "create");
    JsonNode again = json(Exit.OK, "alice", "fetch-keys");
    assertThat(again.path("files")).isEmpty();
    assertThat(again.path("renewed").asBoolean(true)).isFalse();
  }

  @Test
  void aRealNetworksWalletNeedsSignedServices() {
    environment.remove("SOLIDUS_DEVELOPMENT_KEYS");
    String keys = bench.keysDir().toString();
    int exit =
        run(
            "create",
            "--store",
            folder.resolve("alice").toString(),
            "--keys-dir",
            keys,
            "--manifest-key",
            "00".repeat(32));
    assertThat(exit).isEqualTo(Exit.CONFIGURATION);
    assertThat(err).contains("services.note").contains("(manifest-untrusted)");
    assertThat(folder.resolve("alice")).doesNotExist();
  }

  @Test
  void plainHttpToAnotherMachineIsRefused() {
    environment.put("SOLIDUS_GATEWAY", "http://gateway.example");
    assertThat(run("create", "--store", folder.resolve("alice").toString()))
        .isEqualTo(Exit.CONFIGURATION);
    assertThat(err).contains("(insecure-address)");
  }

  @Test
  void runsAllCommands() throws IOException {
    JsonNode created = json(Exit.OK, "alice", "create");
    assertThat(created.path("seedPhrase").asString().split(" ")).hasSize(24);
    register("alice");
    json(Exit.OK, "bob", "create");
    register("bob");
    String bob = json(Exit.OK, "bob", "address").path("address").asString();
    assertThat(bob).startsWith("sld1");
    String store = folder.resolve("alice").toString();
    assertThat(run("pay", elsewhere(bob), "1.00", "--store", store)).isEqualTo(Exit.DATA);
    assertThat(err).contains("post.example.org").contains("(foreign-mailbox)");

    assertThat(json(Exit.NOT_YET, "alice", "mint", "F-1", "100.00").path("status").asString())
        .isEqualTo("awaiting-approval");
    bench.approveMints();
    assertThat(json(Exit.OK, "alice", "mint", "F-1", "100.00").path("valueMinor").asLong())
        .isEqualTo(10_000);

    JsonNode paid = json(Exit.OK, "alice", "pay", bob, "12.34", "--reference", "lunch");
    assertThat(paid.path("paidMinor").asLong()).isEqualTo(1_234);
    assertThat(paid.path("core").asString()).hasSize(64);
    verifiesReceipt(paid.path("core").asString(), bob, addressOf("alice"));
    assertThat(json(Exit.OK, "bob", "receive").path("received").get(0).path("reference").asString())
        .isEqualTo("lunch");
    assertThat(json(Exit.OK, "bob", "claim").path("claimedMinor").asLong()).isEqualTo(1_234);
    answers.addAll(List.of("Ada Lovelace", "DE02 1203 0000 0000 2020 51"));
    JsonNode withdrawn = json(Exit.OK, "bob", "withdraw", "2.34");
    assertThat(withdrawn.path("withdrawnMinor").asLong()).isEqualTo(234);
    assertThat(json(Exit.OK, "bob", "balance").path("heldMinor").asLong()).isEqualTo(1_000);
    assertThat(json(Exit.OK, "bob", "history").path("history").size()).isEqualTo(3);
    assertThat(json(Exit.OK, "bob", "status").path("transfersInPeriod").asInt()).isEqualTo(2);

    Path seed = folder.resolve("seed");
    Files.writeString(seed, created.path("seedPhrase").asString() + "\n");
    JsonNode restored = json(Exit.OK, "alice-again", "restore", "--seed-file", seed.toString());
    assertThat(restored.path("heldMinor").asLong()).isEqualTo(8_766);
    assertThat(restored.path("registered").asBoolean()).isTrue();
    assertThat(restored.path("disbelievedAuthorities").size()).isZero();

    bench.liesAboutCoins(2);
    JsonNode among = json(Exit.OK, "alice-among-liars", "restore", "--seed-file", seed.toString());
    assertThat(among.path("heldMinor").asLong()).isEqualTo(8_766);
    assertThat(among.path("disbelievedAuthorities").toString()).isEqualTo("[2]");
    assertThat(
            run(
                "restore",
                "--seed-file",
                seed.toString(),
                "--store",
                folder.resolve("once-more").toString()))
        .isEqualTo(Exit.OK);
    assertThat(out)
        .contains("Warning: authorities 2 returned foreign transfers for this wallet's coins");

    assertThat(
            json(Exit.REFUSED, "alice-again", "pay", bob, "99999")
                .path("error")
                .path("code")
                .asString())
        .isEqualTo("over-limit-transfer");
    answers.addAll(List.of("A", "DE02120300000000202051"));
    JsonNode tooMuch = json(Exit.REFUSED, "alice-again", "withdraw", "500");
    assertThat(tooMuch.path("error").path("code").asString()).isEqualTo("insufficient-funds");
  }

  @Test
  void refusesDevelopmentKeysInProduction() {
    environment.put("SPRING_PROFILES_ACTIVE", "json-logs, production");
    JsonNode refused = json(Exit.CONFIGURATION, "alice", "create");
    assertThat(refused.path("error").path("code").asString()).isEqualTo("manifest-untrusted");
    assertThat(folder.resolve("alice")).doesNotExist();
    environment.remove("SPRING_PROFILES_ACTIVE");
    environment.put("SOLIDUS_PROFILE", "production");
    json(Exit.CONFIGURATION, "alice", "create");
    environment.put("SOLIDUS_PROFILE", "staging");
    json(Exit.OK, "alice", "create");
  }

  @Test
  void writesTextForPeople() {
    String store = folder.resolve("alice").toString();
    assertThat(run("create", "--store", store)).isEqualTo(Exit.OK);
    assertThat(out)
        .contains("Seed phrase (write it down; it is not shown again)", "  1. ", " 24. ");
    assertThat(run("address", "--qr", "--store", store)).isEqualTo(Exit.OK);
    assertThat(out).startsWith("sld1").contains("█▀");
    assertThat(run("balance", "--store", store)).isEqualTo(Exit.OK);
    assertThat(out).contains("Balance:   0.00 EUR");
    assertThat(run("status", "--store", store)).isEqualTo(Exit.OK);
    assertThat(out).contains("solidus-test", "Registration: none");
  }

  @Test
  void documentsItsExitCodes() {
    assertThat(run("--help")).isEqualTo(Exit.OK);
    assertThat(out).contains("Exit status:", "75", "SOLIDUS_WALLET_PASSPHRASE", "withdraw");
    for (String command :
        new String[] {
          "create",
          "restore",
          "register",
          "mint",
          "pay",
          "request",
          "limits",
          "withdraw",
          "receipt",
          "verify-receipt",
          "resend",
          "contacts",
          "verify-phrase",
          "change-passphrase",
          "completion"
        }) {
      assertThat(run(command, "--help")).isEqualTo(Exit.OK);
      assertThat(out).contains("Usage: solidus wallet " + command);
    }
  }

  @Test
  void reportsFailuresWithCodeAndExitStatus() {
    String store = folder.resolve("alice").toString();
    assertThat(run("balance", "--store", store)).isEqualTo(Exit.NO_INPUT);
    assertThat(err).contains("there is no wallet at").contains("(store-missing)");
    run("create", "--store", store);
    assertThat(run("create", "--store", store)).isEqualTo(Exit.CANNOT_CREATE);
    assertThat(run("pay", "sld1nonsense", "1.00", "--store", store)).isEqualTo(Exit.DATA);
    assertThat(err).contains("(address-invalid)");
    assertThat(run("pay", "--store", store)).isEqualTo(Exit.USAGE);
    assertThat(run("nonsense")).isEqualTo(Exit.USAGE);
    assertThat(run()).isEqualTo(Exit.USAGE);
    assertThat(run("mint", "F-1", "1.005", "--store", store)).isEqualTo(Exit.REFUSED);
    assertThat(err).contains("is not an amount in EUR");
    assertThat(run("claim", "--store", store)).isEqualTo(Exit.OK);
    assertThat(run("mint", "F-1", "1.00", "--store", store)).isEqualTo(Exit.NOT_YET);
    assertThat(err).contains("(not-registered)");
    environment.put("SOLIDUS_WALLET_PASSPHRASE", "another");
    assertThat(run("balance", "--store", store)).isEqualTo(Exit.NO_PERMISSION);
    assertThat(err).contains("(wrong-passphrase)");
    environment.remove("SOLIDUS_WALLET_PASSPHRASE");
    assertThat(run("balance", "--store", store)).isEqualTo(Exit.NO_PERMISSION);
  }

  @Test
  void reportsAnUnreachableGateway() {
    String store = folder.resolve("alice").toString();
    run("create", "--store", store);
    bench.close();
    assertThat(run("receive", "--store", store)).isEqualTo(Exit.UNAVAILABLE);
    assertThat(err).contains("(gateway-unreachable)");
    assertThat(run("history", "--store", store)).isEqualTo(Exit.OK);
  }

  @Test
  void delegatesOnlyToTheNamedProver() {
    String store = folder.resolve("alice").toString();
    assertThat(run("create", "--delegate", "--store", store)).isEqualTo(Exit.USAGE);
    assertThat(err).contains("--prover-key");
    assertThat(run("create", "--prover-key", "00".repeat(32), "--store", store))
        .isEqualTo(Exit.USAGE);
    assertThat(run("create", "--delegate", "--prover-key", "short", "--store", store))
        .isEqualTo(Exit.CONFIGURATION);
    assertThat(Path.of(store)).doesNotExist();
    assertThat(
            run("create", "--delegate", "--prover-key", "09" + "00".repeat(31), "--store", store))
        .isEqualTo(Exit.OK);
    assertThat(bench.routes()).noneMatch(route -> route.contains("/v1/proofs"));
  }

  @Test
  void pinsTheServicesWhenTheWalletIsMade() {
    try (CliBench other = new CliBench()) {
      json(Exit.OK, "alice", "create");
      bench.namesServicesAt(other.gateway());
      register("alice");
      assertThat(other.routes()).isEmpty();
      json(
          Exit.OK,
          "bob",
          "create",
          "--issuance-url",
          bench.gateway().toString(),
          "--registration-url",
          bench.gateway().toString());
      register("bob");
      assertThat(json(Exit.OK, "bob", "status").path("services").path("issuance").asString())
          .isEqualTo(bench.gateway().toString());
      assertThat(json(Exit.OK, "bob", "status").path("services").path("sanctions").asString())
          .isEqualTo(other.gateway().toString());
      assertThat(other.routes()).isEmpty();
      String key = HexFormat.of().formatHex(bench.redemptionKey());
      json(
          Exit.OK,
          "carol",
          "create",
          "--issuance-url",
          "http://127.0.0.1:1",
          "--redemption-key",
          key);
      assertThat(json(Exit.OK, "carol", "status").path("services").path("redemptionKey").asString())
          .isEqualTo(key);
    }
  }

  @Test
  void restoreGoesOnWhereItStopped() throws IOException {
    Path seed = folder.resolve("seed");
    Files.writeString(seed, json(Exit.OK, "alice", "create").path("seedPhrase").asString() + "\n");
    register("alice");
    json(Exit.NOT_YET, "alice", "mint", "F-1", "100.00");
    bench.approveMints();
    json(Exit.OK, "alice", "mint", "F-1", "100.00");
    json(Exit.OK, "alice", "claim");
    String[] restore = {"restore", "--seed-file", seed.toString()};

    bench.coinStatesDown(true);
    json(Exit.TRY_AGAIN, "again", restore);
    assertThat(json(Exit.OK, "again", "status").path("restoring").asBoolean()).isTrue();
    assertThat(json(Exit.TRY_AGAIN, "again", "claim").path("error").path("code").asString())
        .isEqualTo("no-quorum");
    bench.coinStatesDown(false);
    assertThat(json(Exit.OK, "again", restore).path("heldMinor").asLong()).isEqualTo(10_000);
    JsonNode status = json(Exit.OK, "again", "status");
    assertThat(status.path("restoring").asBoolean()).isFalse();
    assertThat(status.path("unclaimedMinor").asLong()).isZero();
    assertThat(json(Exit.CANNOT_CREATE, "again", restore).path("error").path("code").asString())
        .isEqualTo("store-exists");
  }

  @Test
  void restoreDoesNotGoOnWithOtherWords() throws IOException {
    Path seed = folder.resolve("seed");
    Files.writeString(seed, json(Exit.OK, "alice", "create").path("seedPhrase").asString() + "\n");
    Path other = folder.resolve("other");
    Files.writeString(other, json(Exit.OK, "bob", "create").path("seedPhrase").asString() + "\n");
    bench.coinStatesDown(true);
    json(Exit.TRY_AGAIN, "again", "restore", "--seed-file", seed.toString());
    bench.coinStatesDown(false);
    JsonNode refused =
        json(Exit.CANNOT_CREATE, "again", "restore", "--seed-file", other.toString());
    assertThat(refused.path("error").path("code").asString()).isEqualTo("store-exists");
    json(Exit.OK, "again", "restore", "--seed-file", seed.toString());
  }

  @Test
  void onlyTheOptionChangesTheGatewayOfAnExistingWallet() {
    json(Exit.OK, "alice", "create");
    environment.put("SOLIDUS_GATEWAY", "http://127.0.0.1:1");
    assertThat(json(Exit.OK, "alice", "status").path("gateway").asString())
        .isEqualTo(bench.gateway().toString());
    json(Exit.OK, "alice", "balance", "--gateway", "http://127.0.0.1:2");
    assertThat(json(Exit.OK, "alice", "status").path("gateway").asString())
        .isEqualTo("http://127.0.0.1:2");
  }

  @Test
  void readsThePassphraseFromAFile() throws IOException {
    environment.remove("SOLIDUS_WALLET_PASSPHRASE");
    Path file = folder.resolve("passphrase");
    Files.writeString(file, "from a file\nand not this\n");
    String store = folder.resolve("alice").toString();
    assertThat(run("create", "--store", store, "--passphrase-file", file.toString()))
        .isEqualTo(Exit.OK);
    environment.put("SOLIDUS_WALLET_PASSPHRASE", "from a file");
    assertThat(run("balance", "--store", store)).isEqualTo(Exit.OK);
  }
}
