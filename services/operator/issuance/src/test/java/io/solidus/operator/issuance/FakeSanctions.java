package io.solidus.operator.issuance;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.platform.notes.NoteTrust;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SignedNote;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A fake sanctions service that publishes one policy and one checkpoint. Tests can make it publish
 * a forged checkpoint or fail.
 */
public final class FakeSanctions implements AutoCloseable {
  static final long POLICY_VERSION = 3;
  static final long CHECKPOINT_VERSION = 7;
  static final long CAP = 1_000_000_000;
  private static final NoteSigner POLICY = signer(NoteTrust.POLICY, 1);
  private static final NoteSigner SANCTIONS = signer(NoteTrust.SANCTIONS, 2);

  private final HttpServer server;
  private final Map<String, String> notes = new ConcurrentHashMap<>();
  private final Map<String, String> listed = new ConcurrentHashMap<>();
  private volatile boolean failing;
  private volatile boolean screens = true;

  FakeSanctions(FieldElement root) throws IOException {
    SanctionCheckpoint checkpoint =
        new SanctionCheckpoint(CHECKPOINT_VERSION, root, 0, Digest32.sha256(), 0);
    notes.put(policyPath(), policy(CAP));
    capMints(CAP);
    notes.put(
        checkpointPath(),
        SignedNote.sign(checkpoint.toNoteText(TestCommittee.NETWORK), SANCTIONS).encode());
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          if (exchange.getRequestURI().getPath().equals("/admin/v1/sanctions/screenings/batch")) {
            screen(exchange);
            return;
          }
          String note = notes.get(exchange.getRequestURI().getPath());
          byte[] body = note == null ? new byte[0] : note.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(
              failing ? 500 : note == null ? 404 : 200,
              body.length == 0 || failing ? -1 : body.length);
          if (body.length > 0 && !failing) {
            exchange.getResponseBody().write(body);
          }
          exchange.close();
        });
    server.start();
  }

  /** Lists a name, or says something else of it. */
  public void list(String name, String digest) {
    listed.put(name, digest);
  }

  /** Whether screenings are answered. */
  public void answerScreenings(boolean answers) {
    screens = answers;
  }

  private void screen(HttpExchange exchange) throws IOException {
    JsonNode persons =
        JsonMapper.shared().readTree(exchange.getRequestBody().readAllBytes()).path("persons");
    String basis =
        "{\"lists\":[{\"list\":\"un\",\"version\":3}],\"matcher\":\"7\",\"threshold\":0.8}";
    String answers =
        persons
            .valueStream()
            .map(person -> {
              String digest = listed.get(person.path("fullName").asString(""));
              return "{\"basis\":"
                  + basis
                  + ",\"cut\":false,\"verdict\":\""
                  + (digest == null ? "clear" : "match")
                  + "\",\"matches\":["
                  + (digest == null
                      ? ""
                      : "{\"key\":\"un:1\",\"list\":\"un\",\"reference\":\"1\",\"name\":\"Bad Person\",\"score\":0.9,\"entryDigest\":\""
                          + digest
                          + "\"}")
                  + "]}";
            })
            .collect(Collectors.joining(","));
    byte[] body =
        ("{\"basis\":" + basis + ",\"answers\":[" + answers + "]}")
            .getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(screens ? 200 : 503, screens ? body.length : -1);
    if (screens) {
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }

  /** The properties with which payers and payees are screened here. */
  public Map<String, Object> screeningProperties() {
    return Map.of(
        "solidus.issuance.screening.url",
        "http://127.0.0.1:" + server.getAddress().getPort(),
        "solidus.issuance.screening.required-lists",
        "un");
  }

  /** Puts a policy with another cap on mints in force. */
  void capMints(long capPerDay) {
    notes.put("/v1/policy", policy(capPerDay));
  }

  private static String policy(long mintCap) {
    Policy policy =
        new Policy(
            POLICY_VERSION,
            WalletAndCommittee.PERIOD,
            WalletAndCommittee.LIMITS.maxPerTransfer(),
            WalletAndCommittee.LIMITS.maxPerPeriod(),
            WalletAndCommittee.LIMITS.maxHeld(),
            WalletAndCommittee.LIMITS.maxEscrow(),
            WalletAndCommittee.LIMITS.maxTransfersPerPeriod(),
            new Amount(mintCap),
            0);
    return SignedNote.sign(policy.toNoteText(TestCommittee.NETWORK), POLICY).encode();
  }

  /** Publishes a checkpoint that is signed with the key of policies. */
  void forgeCheckpoint(FieldElement root) {
    SanctionCheckpoint forged =
        new SanctionCheckpoint(CHECKPOINT_VERSION, root, 0, Digest32.sha256(), 0);
    notes.put(
        checkpointPath(),
        SignedNote.sign(forged.toNoteText(TestCommittee.NETWORK), POLICY).encode());
  }

  void fail() {
    failing = true;
  }

  Map<String, Object> springProperties() {
    return Map.of(
        "solidus.issuance.sanctions-url", "http://127.0.0.1:" + server.getAddress().getPort(),
        "solidus.trust.policy", POLICY.publicKey().publicKey().base64(),
        "solidus.trust.sanctions", SANCTIONS.publicKey().publicKey().base64());
  }

  private static String policyPath() {
    return "/v1/policies/" + POLICY_VERSION;
  }

  private static String checkpointPath() {
    return "/v1/sanctions/checkpoints/" + CHECKPOINT_VERSION;
  }

  private static NoteSigner signer(String name, int value) {
    byte[] seed = new byte[32];
    Arrays.fill(seed, (byte) value);
    return NoteSigner.fromSeed(name, seed);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
