package io.solidus.operator.registration.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.operator.registration.cases.ServiceHarness.Answer;
import io.solidus.operator.registration.tokens.TokenService;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TokenKeyList;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.token.BlindedToken;
import io.solidus.wire.token.TokenChallenge;
import io.solidus.wire.token.TokenKey;
import io.solidus.wire.token.TokenRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A registered wallet gets so many tokens a day, and nobody else gets any. */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BlindTokensTest {
  private static final int PER_DAY = 3;
  private static final TokenChallenge CHALLENGE =
      new TokenChallenge("registration.example", new byte[0], "gateway.example");

  @TempDir private static Path dir;
  private ServiceHarness service;
  private TokenKeyList list;
  private TokenKey key;

  @BeforeAll
  void start() throws IOException {
    service =
        new ServiceHarness(
            dir,
            "--solidus.registration.tokens.issuer=registration.example",
            "--solidus.registration.tokens.per-day=" + PER_DAY);
    Eventually.holds(Duration.ofMinutes(1), () -> assertThat(keys(service).keys()).hasSize(3));
    list = keys(service);
    key = TokenKey.of(HexFormat.of().parseHex(list.keys().getFirst()));
  }

  private static TokenKeyList keys(ServiceHarness service) {
    RestProbe.Answer answer = service.rest().get("/v1/tokens/keys");
    assertThat(answer.status()).isEqualTo(200);
    SignedNote note =
        SignedNote.parse(answer.body()).requireSignedBy(service.bean(NoteSigner.class).publicKey());
    return TokenKeyList.parse(new NetworkId(ServiceHarness.NETWORK), note.text());
  }

  @AfterAll
  void stop() {
    service.close();
  }

  @Test
  @Spec("A-09")
  void aRegisteredWalletGetsItsTokensOfToday() {
    assertThat(list.firstDay()).isEqualTo(today());
    Answer registered = approved();
    List<BlindedToken> batch = batch(PER_DAY);
    Answer answer = ask(registered, batch);
    assertThat(answer.status()).isEqualTo(200);
    for (int i = 0; i < PER_DAY; i++) {
      byte[] signed =
          Base64Url.decode(answer.body().path("responses").path(i).asString(), "response");
      assertThat(batch.get(i).finish(signed).isSignedBy(key)).isTrue();
    }
    assertThat(ask(registered, batch).body().path("responses"))
        .isEqualTo(answer.body().path("responses"));
  }

  @Test
  @Spec("A-09")
  void nobodyGetsASecondBatchOfADay() {
    Answer registered = approved();
    assertThat(ask(registered, batch(PER_DAY)).status()).isEqualTo(200);
    Answer second = ask(registered, batch(PER_DAY));
    assertThat(second.status()).isEqualTo(422);
    assertThat(second.code()).isEqualTo("idempotency-mismatch");
    // another wallet's batch is its own
    assertThat(ask(approved(), batch(PER_DAY)).status()).isEqualTo(200);
  }

  @Test
  void whoIsNotRegisteredGetsNone() {
    Answer pending = service.submit(Submission.fresh());
    assertThat(ask(pending, batch(PER_DAY)).code()).isEqualTo("not-found");
    Answer registered = approved();
    assertThat(ask(registered.text("caseId"), pending.text("accessToken"), today(), batch(PER_DAY)))
        .extracting(Answer::code)
        .isEqualTo("not-found");
    Answer proposed =
        service.post(
            "/admin/v1/kyc/cases/" + registered.text("caseId") + "/steps",
            "{\"kind\":\"close\",\"reason\":\"moved away\"}",
            service.as("olga"));
    Answer closed =
        service.post(
            "/admin/v1/kyc/cases/"
                + registered.text("caseId")
                + "/steps/"
                + proposed.body().path("steps").path(0).path("stepId").asString()
                + "/accept",
            "{}",
            service.approver("paula"));
    assertThat(closed.text("standing")).isEqualTo("closed");
    assertThat(ask(registered, batch(PER_DAY)).code()).isEqualTo("not-found");
  }

  @Test
  void aBatchIsOfTodayAndWhole() {
    Answer registered = approved();
    String id = registered.text("caseId");
    String token = registered.text("accessToken");
    assertThat(ask(id, token, today() + 1, batch(PER_DAY)).code()).isEqualTo("malformed-request");
    assertThat(ask(id, token, today() - 1, batch(PER_DAY)).code()).isEqualTo("malformed-request");
    assertThat(ask(registered, batch(PER_DAY - 1)).code()).isEqualTo("malformed-request");
    assertThat(ask(registered, batch(PER_DAY + 1)).code()).isEqualTo("malformed-request");
    byte[] tooLarge = new byte[TokenKey.MODULUS_BYTES];
    Arrays.fill(tooLarge, (byte) -1);
    List<TokenRequest> wrong =
        Stream.concat(
                batch(PER_DAY - 1).stream().map(BlindedToken::request),
                Stream.of(new TokenRequest(batch(1).getFirst().request().shortKeyId(), tooLarge)))
            .toList();
    assertThat(send(id, token, today(), wrong).code()).isEqualTo("malformed-request");
    // none of these was the batch of the day
    assertThat(ask(registered, batch(PER_DAY)).status()).isEqualTo(200);
  }

  /** A stolen database opens no day that is over, and says of today alone who asked. */
  @Test
  void whatIsOverIsDestroyed() {
    service
        .database()
        .sql(
            "INSERT INTO token_key (day, spki, sealed_key)"
                + " SELECT day - 1, spki, sealed_key FROM token_key WHERE day = ?")
        .param(today())
        .update();
    service
        .database()
        .sql("INSERT INTO token_batch (case_id, day, digest) VALUES (?, ?, sha256('x'))")
        .params(UUID.randomUUID(), today() - 1)
        .update();
    service.bean(TokenService.class).refreshKeys();
    assertThat(
            service
                .database()
                .sql("SELECT count(*) FROM token_key WHERE day < ? AND sealed_key IS NOT NULL")
                .param(today())
                .query(Long.class)
                .single())
        .isZero();
    assertThat(
            service
                .database()
                .sql("SELECT count(*) FROM token_batch WHERE day < ?")
                .param(today())
                .query(Long.class)
                .single())
        .isZero();
    service.database().sql("DELETE FROM token_key WHERE day < ?").param(today()).update();
  }

  private Answer approved() {
    Answer taken = service.submit(Submission.fresh());
    assertThat(service.status(taken)).isEqualTo("pending");
    assertThat(service.approve(taken, "olga", "{}").text("status")).isEqualTo("approved");
    return taken;
  }

  private List<BlindedToken> batch(int size) {
    return Stream.generate(() -> BlindedToken.draw(key, CHALLENGE, new SecureRandom()))
        .limit(size)
        .toList();
  }

  private Answer ask(Answer taken, List<BlindedToken> batch) {
    return ask(taken.text("caseId"), taken.text("accessToken"), today(), batch);
  }

  private Answer ask(String caseId, String token, long day, List<BlindedToken> batch) {
    return send(caseId, token, day, batch.stream().map(BlindedToken::request).toList());
  }

  private Answer send(String caseId, String token, long day, List<TokenRequest> requests) {
    RestProbe.Answer answer =
        service
            .rest()
            .post(
                "/v1/registrations/" + caseId + "/tokens",
                Map.of(
                    "day",
                    day,
                    "requests",
                    requests.stream().map(each -> Base64Url.encode(each.encode())).toList()),
                "X-Case-Token",
                token);
    return new Answer(answer.status(), answer.json());
  }

  private static long today() {
    return LocalDate.now(ZoneOffset.UTC).toEpochDay();
  }
}
