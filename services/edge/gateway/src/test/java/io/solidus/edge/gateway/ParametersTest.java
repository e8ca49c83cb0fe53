package io.solidus.edge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Committee;
import io.solidus.protocol.NoteKey;
import io.solidus.protocol.NoteSignature;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.Period;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SignedNote;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.v1.GetStatusReply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Public parameters, with one authority lying about each of them. */
class ParametersTest {
  private static final Generators RANDOM = new Generators(31);
  private static final NoteSigner ISSUER = NoteSigner.fromSeed("solidus-policy", RANDOM.bytes(32));
  private static final byte[] LIST = RANDOM.bytes(20 * 3);
  private static final AtomicInteger FETCHES = new AtomicInteger();
  private static HttpServer sanctions;
  private static GatewayUnderTest gateway;

  @BeforeAll
  static void start() throws IOException {
    sanctions = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    sanctions.createContext(
        "/v1/sanctions/checkpoints/5/list",
        exchange -> {
          FETCHES.incrementAndGet();
          exchange.sendResponseHeaders(200, LIST.length);
          exchange.getResponseBody().write(LIST);
          exchange.close();
        });
    sanctions.start();
    String url = "http://127.0.0.1:" + sanctions.getAddress().getPort();
    gateway = new GatewayUnderTest(Map.of("solidus.gateway.sanctions-url", url));
  }

  @AfterAll
  static void stop() {
    gateway.close();
    sanctions.stop(0);
  }

  @BeforeEach
  void reset() throws InterruptedException {
    gateway.reset();
    Thread.sleep(1100); // what the authorities said is kept for a second
  }

  @Test
  void infoNamesNetworkCommitteeAndServices() {
    var info = gateway.rest.get("/v1/info").json();
    assertThat(info.path("networkId").asString("")).isEqualTo(TestCommittee.NETWORK.value());
    assertThat(info.path("networkKind").asString("")).isEqualTo("regulated");
    assertThat(info.path("n").asInt(0)).isEqualTo(4);
    assertThat(info.path("f").asInt(0)).isEqualTo(1);
    assertThat(info.path("circuitVersions").propertyNames())
        .contains("transfer", "register", "mint");
    assertThat(info.path("urls").propertyNames())
        .containsExactlyInAnyOrder("registration", "sanctions", "issuance");
    assertThat(info.path("proverKey").isNull()).isTrue();
  }

  @Test
  void manifestIsServedAsSigned() {
    var keys = gateway.rest.get("/v1/keys").json();
    byte[] manifest = Base64Url.decode(keys.path("manifest").asString(""), "manifest");
    byte[] signature = Base64Url.decode(keys.path("signature").asString(""), "signature");
    assertThat(new String(manifest, java.nio.charset.StandardCharsets.UTF_8))
        .contains(TestCommittee.NETWORK.value());
    assertThat(signature).isNotEmpty();
  }

  @Test
  void policyCarriesIssuerAndCountersignatures() {
    String text = policy(3).toNoteText(TestCommittee.NETWORK);
    for (int i = 1; i <= 4; i++) {
      states(i, countersigned(i, text), 3);
    }
    RestProbe.Answer answer = gateway.rest.get("/v1/policy");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.contentType()).startsWith("text/plain");
    SignedNote note = SignedNote.parse(answer.body());
    assertThat(note.verifiedBy(authorityKeys())).hasSize(4);
    assertThat(note.verifiedBy(List.of(ISSUER.publicKey()))).hasSize(1);
    assertThat(Policy.parse(TestCommittee.NETWORK, note.text())).isEqualTo(policy(3));
  }

  @Test
  void nothingIsServedBelowFPlusOne() {
    states(1, countersigned(1, policy(3).toNoteText(TestCommittee.NETWORK)), 3);
    assertThat(gateway.rest.get("/v1/policy").code()).isEqualTo("unavailable");
    assertThat(gateway.rest.get("/v1/sanctions/checkpoint").code()).isEqualTo("unavailable");
  }

  @Test
  void newestCountersignedVersionWinsWhateverALiarClaims() {
    String old = policy(3).toNoteText(TestCommittee.NETWORK);
    String current = policy(4).toNoteText(TestCommittee.NETWORK);
    states(1, countersigned(1, old), 9999); // an old text with a great number beside it
    states(2, countersigned(2, old), 3); // honest, a little behind
    states(3, countersigned(3, current), 4);
    states(4, countersigned(4, current), 4);
    SignedNote note = SignedNote.parse(gateway.rest.get("/v1/policy").body());
    assertThat(note.text()).isEqualTo(current);
  }

  @Test
  void oneLiarsOwnPolicyIsNotServed() {
    String forged = policy(9).toNoteText(TestCommittee.NETWORK);
    String current = policy(4).toNoteText(TestCommittee.NETWORK);
    states(1, countersigned(1, forged), 9);
    states(2, countersigned(2, current), 4);
    states(3, countersigned(3, current), 4);
    assertThat(SignedNote.parse(gateway.rest.get("/v1/policy").body()).text()).isEqualTo(current);
  }

  /**
   * A bad line under a colleague's or the issuer's name would make every wallet refuse the note.
   */
  @Test
  void badLinesOfOneAuthorityAreNotPassedOn() {
    String text = policy(4).toNoteText(TestCommittee.NETWORK);
    NoteSignature foreign = TestCommittee.regulated().countersigner(2).sign("something else\n");
    NoteSignature noIssuer = ISSUER.sign("something else\n");
    states(1, countersigned(1, text).with(foreign).with(noIssuer), 4);
    states(2, countersigned(2, text), 4);
    states(3, countersigned(3, text), 4);
    SignedNote note = SignedNote.parse(gateway.rest.get("/v1/policy").body());
    assertThat(note.verifiedBy(authorityKeys())).hasSize(3);
    assertThat(note.verifiedBy(List.of(ISSUER.publicKey()))).hasSize(1);
  }

  @Test
  void authorityThatSignsForAnotherIsNotCounted() {
    String text = policy(4).toNoteText(TestCommittee.NETWORK);
    states(1, countersigned(2, text), 4);
    states(2, countersigned(2, text), 4);
    assertThat(gateway.rest.get("/v1/policy").code()).isEqualTo("unavailable");
  }

  @Test
  void frozenAuthorityDoesNotHoldUpTheOthers() {
    String text = checkpoint(5).toNoteText(TestCommittee.NETWORK);
    for (int i = 1; i <= 3; i++) {
      gateway.authority(i).status =
          GetStatusReply.newBuilder()
              .setCheckpointVersion(5)
              .setCheckpointNote(countersigned(i, text).encode())
              .build();
    }
    gateway.authority(4).behaviour = Behaviour.WITHHOLDS;
    SignedNote note = SignedNote.parse(gateway.rest.get("/v1/sanctions/checkpoint").body());
    assertThat(SanctionCheckpoint.parse(TestCommittee.NETWORK, note.text()).version()).isEqualTo(5);
    assertThat(note.verifiedBy(authorityKeys())).hasSize(3);
  }

  /**
   * Nothing listens where shard 0 of three authorities should be, and that of the fourth never
   * answers: their other shards do.
   */
  @Test
  void anotherShardIsAskedWhenTheFirstIsAway() {
    try (FakeAuthority frozen = new FakeAuthority(4);
        GatewayUnderTest other =
            new GatewayUnderTest(
                Map.of(
                    "solidus.gateway.authorities[0].shards[0]", "127.0.0.1:1",
                    "solidus.gateway.authorities[1].shards[0]", "127.0.0.1:1",
                    "solidus.gateway.authorities[2].shards[0]", "127.0.0.1:1",
                    "solidus.gateway.authorities[3].shards[0]", frozen.address()))) {
      frozen.behaviour = Behaviour.WITHHOLDS;
      String text = policy(3).toNoteText(TestCommittee.NETWORK);
      other.authority(3).status =
          GetStatusReply.newBuilder()
              .setPolicyVersion(3)
              .setPolicyNote(countersigned(3, text).encode())
              .build();
      other.authority(4).status =
          GetStatusReply.newBuilder()
              .setPolicyVersion(3)
              .setPolicyNote(countersigned(4, text).encode())
              .build();
      other.authority(1).behaviour = Behaviour.WITHHOLDS; // both are needed for a quorum
      assertThat(SignedNote.parse(other.rest.get("/v1/policy").body()).verifiedBy(authorityKeys()))
          .hasSize(2);
    }
  }

  @Test
  void listIsFetchedOnceAndCachedForEver() {
    String path = "/v1/sanctions/checkpoints/5/list";
    RestProbe.Answer first = gateway.rest.get(path);
    assertThat(first.status()).isEqualTo(200);
    assertThat(first.header("Cache-Control")).contains("immutable");
    assertThat(gateway.rest.get(path, "If-None-Match", first.header("ETag")).status())
        .isEqualTo(304);
    assertThat(FETCHES.get()).isEqualTo(1);
    assertThat(gateway.rest.get("/v1/sanctions/checkpoints/6/list").status()).isEqualTo(404);
    assertThat(gateway.rest.get("/v1/sanctions/checkpoints/x/list").code())
        .isEqualTo("malformed-request");
  }

  @Test
  void apiIsDescribedAndItsPagesAreServed() {
    var paths = gateway.rest.get("/v3/api-docs").json().path("paths");
    assertThat(paths.propertyNames())
        .contains(
            "/v1/info",
            "/v1/keys",
            "/v1/policy",
            "/v1/sanctions/checkpoint",
            "/v1/sanctions/checkpoints/{version}/list",
            "/v1/transfers",
            "/v1/transfers/{core}",
            "/v1/mints",
            "/v1/registrations/signatures",
            "/v1/coins/state",
            "/v1/proofs",
            "/v1/mailbox");
    assertThat(gateway.rest.get("/swagger-ui/index.html").body()).contains("swagger-ui");
    assertThat(gateway.rest.get("/swagger-ui.html").status()).isIn(200, 302);
  }

  private static void states(int authority, SignedNote policy, long version) {
    gateway.authority(authority).status =
        GetStatusReply.newBuilder()
            .setPolicyVersion(version)
            .setPolicyNote(policy.encode())
            .build();
  }

  private static SignedNote countersigned(int authority, String text) {
    return SignedNote.sign(text, ISSUER, TestCommittee.regulated().countersigner(authority));
  }

  private static List<NoteKey> authorityKeys() {
    Committee committee = TestCommittee.regulated().committee();
    return committee.members().stream()
        .map(member -> new NoteKey("solidus-authority-" + member.index(), member.noteKey()))
        .toList();
  }

  private static Policy policy(long version) {
    return new Policy(
        version,
        new Period(202611),
        Amount.of(10),
        Amount.of(20),
        Amount.of(30),
        40,
        Amount.of(50),
        60);
  }

  private static SanctionCheckpoint checkpoint(long version) {
    return new SanctionCheckpoint(version, RANDOM.fieldElement(), 3, RANDOM.digest(), 1);
  }
}
