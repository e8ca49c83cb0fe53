package io.solidus.operator.approver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.operator.issuance.IssuanceFixture;
import io.solidus.operator.issuance.WalletAndCommittee;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.MintRequest;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The command against the real issuance service, with real mints. */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApproveCommandTest {
  private static final String DORA = "approver-dora";
  private static final String EMIL = "approver-emil";
  private static final String NETWORK = TestCommittee.NETWORK.value();

  private final WalletAndCommittee parties = WalletAndCommittee.SHARED;
  private Path folder;
  private final Map<String, String> fundings = new HashMap<>();
  private IssuanceFixture desk;

  private record Ran(int status, String out, String err) {}

  @BeforeAll
  void start(@TempDir Path dir) throws Exception {
    folder = dir;
    desk =
        new IssuanceFixture(
            parties,
            dir,
            false,
            TestPostgres.newDatabase(),
            Map.of(
                "solidus.issuance.approvers.dora.public-key",
                newKey("dora.key"),
                "solidus.issuance.approvers.dora.subject",
                DORA,
                "solidus.issuance.approvers.emil.public-key",
                newKey("emil.key"),
                "solidus.issuance.approvers.emil.subject",
                EMIL));
    token(DORA, "money-approver");
    token(EMIL, "money-approver");
  }

  @AfterAll
  void stop() {
    desk.close();
  }

  private String newKey(String file) {
    Ran made = run("new-key", "--out", folder.resolve(file).toString());
    assertThat(made.status).as(made.err).isZero();
    return made.out.replace("public key: ", "").strip();
  }

  private void token(String subject, String... roles) throws IOException {
    secret(subject + ".token", desk.as(subject, roles)[1].substring("Bearer ".length()));
  }

  private Path secret(String file, String content) throws IOException {
    Path path = folder.resolve(file);
    Files.deleteIfExists(path);
    PrivateFiles.writeNew(path, content.getBytes(StandardCharsets.UTF_8));
    return path;
  }

  private MintRequest asked(String fundingId, long value) {
    MintRequest request = parties.mint(value);
    assertThat(desk.requestMint(fundingId, desk.fund(fundingId, value), request).status())
        .isEqualTo(202);
    fundings.put(IssuanceFixture.id(request), fundingId);
    return request;
  }

  private String status(MintRequest request) {
    return desk.rest
        .get("/v1/mints/" + IssuanceFixture.id(request))
        .json()
        .path("status")
        .asString();
  }

  private String[] call(String command, String subject, String... more) {
    return Stream.of(
            Stream.of(command),
            Stream.of("--issuance", desk.admin().toString()),
            Stream.of("--token-file", folder.resolve(subject + ".token").toString()),
            Stream.of(more))
        .flatMap(part -> part)
        .toArray(String[]::new);
  }

  private String[] mint(String name, MintRequest request, long value, String... key) {
    List<String> more =
        new ArrayList<>(
            List.of(
                IssuanceFixture.id(request),
                "--network",
                NETWORK,
                "--value",
                Long.toString(value),
                "--funding",
                Objects.requireNonNull(fundings.get(IssuanceFixture.id(request))),
                "--as",
                name));
    more.addAll(List.of(key));
    return call("mint", "approver-" + name, more.toArray(String[]::new));
  }

  private String[] inFile(String name) {
    return new String[] {"--key", folder.resolve(name + ".key").toString()};
  }

  private static Ran run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status = ApproveCommand.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    return new Ran(status, out.toString(), err.toString());
  }

  @Test
  void twoApproversApproveAMint() {
    MintRequest request = asked("two", 5_000);
    Ran waiting = run(call("waiting", DORA));
    assertThat(waiting.out).contains(IssuanceFixture.id(request), "value 5000", "funding two");

    Ran first = run(mint("dora", request, 5_000, inFile("dora")));
    assertThat(first.status).as(first.err).isZero();
    assertThat(first.out)
        .contains("funding two: 5000 minor units, of which 0 are free, from DE89370400440532013000")
        .contains("awaiting-approval, approved by dora");
    Ran second = run(mint("emil", request, 5_000, inFile("emil")));
    assertThat(second.out).contains("approved by dora, emil");
    assertThat(status(request)).isEqualTo("approved");
  }

  @Test
  void aMintOfAnotherValueIsNotSigned() {
    MintRequest request = asked("other-value", 6_000);
    Ran refused = run(mint("dora", request, 5_000, inFile("dora")));
    assertThat(refused.status).isEqualTo(10);
    assertThat(refused.err).contains("value-differs");
    assertThat(run(call("waiting", DORA)).out)
        .containsPattern(IssuanceFixture.id(request) + "\\R.*\\R.*approved by nobody");
  }

  /** Attack: the approver looked up one funding, and the mint is of another one of the same sum. */
  @Test
  void aMintOfAnotherFundingIsNotSigned() {
    MintRequest request = asked("other-funding", 6_000);
    String[] command = mint("dora", request, 6_000, inFile("dora"));
    command[List.of(command).indexOf("other-funding")] = "seen-funding";
    Ran refused = run(command);
    assertThat(refused.status).isEqualTo(10);
    assertThat(refused.err).contains("funding-differs");
    assertThat(run(call("waiting", DORA)).out)
        .containsPattern(IssuanceFixture.id(request) + "\\R.*\\R.*approved by nobody");
    String[] without = mint("dora", request, 6_000, inFile("dora"));
    without[List.of(without).indexOf("--funding")] = "--reason";
    assertThat(run(without).status).isEqualTo(64);
  }

  @Test
  void aSignatureForAnotherNetworkIsRefusedByTheService() {
    MintRequest request = asked("other-network", 10);
    String[] command = mint("dora", request, 10, inFile("dora"));
    command[List.of(command).indexOf(NETWORK)] = "another-network";
    Ran refused = run(command);
    assertThat(refused.status).isEqualTo(10);
    assertThat(refused.err).contains("approval-invalid");
  }

  @Test
  void aKeyThatTheCommandCannotUseSignsWhatMessageWrote() throws IOException {
    MintRequest request = asked("elsewhere", 70);
    String id = IssuanceFixture.id(request);
    Path message = folder.resolve("message");
    String[] wanted = {id, "--network", NETWORK, "--value", "70", "--funding", "elsewhere"};
    Ran written = run(call("message", DORA, with(wanted, "--out", message.toString())));
    assertThat(written.status).as(written.err).isZero();

    byte[] seed = Files.readAllBytes(folder.resolve("dora.key"));
    String publicKey;
    Path signature = folder.resolve("signature");
    try (Ed25519PrivateKey key = Ed25519PrivateKey.fromSeed(seed)) {
      publicKey = key.publicKey().base64();
      Files.write(signature, key.sign(Files.readAllBytes(message)));
    }
    String[] submit =
        with(
            wanted, "--as", "dora", "--public-key", publicKey, "--signature", signature.toString());
    assertThat(run(call("submit", DORA, submit)).out).contains("approved by dora");

    Path other = Files.write(folder.resolve("other"), new byte[64]);
    submit[submit.length - 1] = other.toString();
    assertThat(run(call("submit", DORA, submit)).err).contains("approval-invalid");
  }

  private static String[] with(String[] some, String... more) {
    return Stream.concat(Stream.of(some), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  void anIdMayBeginWithAHyphen() {
    String id = "-" + "A".repeat(42);
    Ran refused = run(call("refuse", EMIL, id, "--reason", "no such money"));
    assertThat(refused.status).as(refused.err).isEqualTo(10);
    assertThat(refused.err).contains("not-found");
  }

  @Test
  void everyCommandHasItsHelp() {
    assertThat(run("--help").out).contains("waiting", "mint", "refuse", "submit");
    assertThat(run("mint", "--help").out).contains("--value", "--funding", "--pkcs11", "--network");
  }

  @Test
  void aRefusedMintIsRefusedForGood() {
    MintRequest request = asked("refused", 20);
    Ran refused =
        run(call("refuse", EMIL, IssuanceFixture.id(request), "--reason", "no such money"));
    assertThat(refused.out).as(refused.err).contains("refused");
    assertThat(run(mint("dora", request, 20, inFile("dora"))).err).contains("mint-conflict");
  }

  @Test
  void aTokenWithoutTheRoleApprovesNothing() throws IOException {
    MintRequest request = asked("no-role", 30);
    token(DORA, "auditor");
    try {
      Ran refused = run(mint("dora", request, 30, inFile("dora")));
      assertThat(refused.status).isEqualTo(10);
      assertThat(refused.err).contains("forbidden");
    } finally {
      token(DORA, "money-approver");
    }
  }

  @Test
  void secretsThatOthersMayReadAreRefused() throws IOException {
    MintRequest request = asked("open-file", 40);
    Path key = folder.resolve("dora.key");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r-----"));
    try {
      Ran refused = run(mint("dora", request, 40, inFile("dora")));
      assertThat(refused.status).isEqualTo(65);
      assertThat(refused.err).contains("0600");
    } finally {
      Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    }
    assertThat(run("new-key", "--out", key.toString()).status).isEqualTo(65);
  }

  @Test
  void plainHttpIsForThisMachineOnly() {
    Ran refused =
        run(
            "waiting",
            "--issuance",
            "http://issuance.example",
            "--token-file",
            folder.resolve(DORA + ".token").toString());
    assertThat(refused.status).isEqualTo(10);
    assertThat(refused.err).contains("https");
    assertThat(run("waiting").status).isEqualTo(64);
  }

  /** A service that is somebody else's: what it says beside the statement signs nothing. */
  @Test
  void aServiceThatLiesGetsNoSignature() throws IOException {
    MintRequest honest = asked("honest", 50);
    MintRequest large = asked("large", 9_000);
    String shown =
        desk.rest
            .get("/admin/v1/mints/" + IssuanceFixture.id(large), desk.as(DORA, "money-approver"))
            .body()
            .replaceFirst("\"valueMinor\":9000", "\"valueMinor\":50");
    List<String> posted = new ArrayList<>();
    HttpServer liar =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    liar.createContext(
        "/",
        exchange -> {
          if (exchange.getRequestMethod().equals("POST")) {
            posted.add(exchange.getRequestURI().toString());
          }
          byte[] body = shown.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    liar.start();
    try {
      String address = "http://127.0.0.1:" + liar.getAddress().getPort();
      String[] other = mint("dora", honest, 50, inFile("dora"));
      other[2] = address;
      assertThat(run(other).err).contains("answer-invalid");
      String[] same = mint("dora", large, 50, inFile("dora"));
      same[2] = address;
      assertThat(run(same).err).contains("value-differs");
    } finally {
      liar.stop(0);
    }
    assertThat(posted).isEmpty();
  }

  @Test
  void aKeyInATokenApproves(@TempDir Path token) throws Exception {
    Path library =
        Stream.of("/usr/lib/softhsm/libsofthsm2.so", "/usr/lib64/pkcs11/libsofthsm2.so")
            .map(Path::of)
            .filter(Files::exists)
            .findFirst()
            .orElse(null);
    assumeTrue(library != null, "SoftHSM2 is missing");
    assumeTrue(installed("pkcs11-tool"), "OpenSC is missing");
    String configuration = System.getenv("SOFTHSM2_CONF");
    assumeTrue(configuration != null, "SOFTHSM2_CONF is missing");
    Path tokens = Files.createDirectories(Path.of(configuration).resolveSibling("tokens"));
    Files.writeString(
        Path.of(configuration),
        "directories.tokendir = " + tokens + "\nobjectstore.backend = file\n");
    tool(
        "softhsm2-util",
        "--init-token",
        "--free",
        "--label",
        "dora",
        "--pin",
        "2468",
        "--so-pin",
        "8642");
    tool(
        "pkcs11-tool",
        "--module",
        library.toString(),
        "--token-label",
        "dora",
        "--login",
        "--pin",
        "2468",
        "--keypairgen",
        "--key-type",
        "EC:edwards25519",
        "--id",
        "01");
    Path pin = secret("pin", "2468\n");
    String[] key = {
      "--pkcs11",
      library.toString(),
      "--token",
      "dora",
      "--key-id",
      "01",
      "--pin-file",
      pin.toString()
    };
    Ran shown = run(with(new String[] {"public-key"}, key));
    assertThat(shown.status).as(shown.err).isZero();
    String publicKey = shown.out.replace("public key: ", "").strip();
    try (IssuanceFixture other =
        new IssuanceFixture(
            parties,
            token,
            false,
            TestPostgres.newDatabase(),
            Map.of(
                "solidus.issuance.approvers.token-dora.public-key",
                publicKey,
                "solidus.issuance.approvers.token-dora.subject",
                DORA))) {
      MintRequest request = parties.mint(80);
      other.requestMint("token", other.fund("token", 80), request);
      fundings.put(IssuanceFixture.id(request), "token");
      secret("other.token", other.as(DORA, "money-approver")[1].substring("Bearer ".length()));
      String[] command = mint("dora", request, 80, key);
      command[2] = other.admin().toString();
      command[4] = folder.resolve("other.token").toString();
      command[List.of(command).indexOf("dora")] = "token-dora";
      Ran approved = run(command);
      assertThat(approved.status).as(approved.err).isZero();
      assertThat(approved.out).contains("approved by token-dora");

      command[command.length - 1] = secret("wrong-pin", "1111").toString();
      assertThat(run(command).err).contains("token-failed");
    }
  }

  private static boolean installed(String program) {
    return Stream.of(System.getenv("PATH").split(":"))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  private static void tool(String... command) throws Exception {
    Process process = new ProcessBuilder(command).inheritIO().start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }
}
