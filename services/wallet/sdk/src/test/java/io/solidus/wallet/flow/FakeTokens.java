package io.solidus.wallet.flow;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.TokenKeyList;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.token.Token;
import io.solidus.wire.token.TokenIssuer;
import io.solidus.wire.token.TokenRequest;
import java.security.SecureRandom;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Issues blind tokens, and keeps what the gateway is shown. */
final class FakeTokens {
  static final int BATCH = 4;
  private static final String ISSUER = "registration.example";
  private static final SecureRandom RANDOM = new SecureRandom();

  /** The keys of yesterday, today and the next days: they take long to make, so once for all. */
  private static final List<TokenIssuer> KEYS =
      Stream.generate(() -> TokenIssuer.generate(RANDOM)).limit(4).toList();

  /** Authorities that countersign; none for a network without tokens. */
  volatile List<NoteSigner> countersigners = List.of();

  /** The key of tomorrow in the place of today's, for a wallet that is to be marked. */
  volatile boolean otherKeys;

  /** Signs something else than what was asked for. */
  volatile boolean wrongAnswers;

  /** Tokens that requests showed, by route. */
  final Map<String, List<Token>> shown = new ConcurrentHashMap<>();

  /** Batches of cases and days. */
  final Map<String, Digest32> batches = new ConcurrentHashMap<>();

  final List<Integer> sizes = new CopyOnWriteArrayList<>();

  /** The day of the second key. */
  final long today = LocalDate.now(ZoneOffset.UTC).toEpochDay();

  String keys() {
    if (countersigners.isEmpty()) {
      throw new ProtocolException(RejectionCode.NOT_FOUND, "no tokens");
    }
    List<TokenIssuer> days =
        otherKeys ? List.of(KEYS.get(0), KEYS.get(3), KEYS.get(2)) : KEYS.subList(0, 3);
    String text =
        new TokenKeyList(
                ISSUER,
                BATCH,
                today - 1,
                days.stream().map(key -> HexFormat.of().formatHex(key.publicKey().spki())).toList())
            .toNoteText(TestCommittee.NETWORK);
    return new SignedNote(text, countersigners.stream().map(signer -> signer.sign(text)).toList())
        .encode();
  }

  Object issue(String caseId, JsonNode body) {
    long day = body.path("day").asLong();
    List<TokenRequest> requests =
        StreamSupport.stream(body.path("requests").spliterator(), false)
            .map(one -> TokenRequest.decode(Base64Url.decode(one.asString(), "request")))
            .toList();
    sizes.add(requests.size());
    Digest32 digest =
        Digest32.sha256(requests.stream().map(TokenRequest::encode).toArray(byte[][]::new));
    Digest32 first = batches.putIfAbsent(caseId + " " + day, digest);
    if (first != null && !first.equals(digest)) {
      throw new ProtocolException(RejectionCode.IDEMPOTENCY_MISMATCH, "another batch");
    }
    TokenIssuer issuer = KEYS.get((int) (day - today + 1));
    List<byte[]> answers = new ArrayList<>(requests.stream().map(issuer::sign).toList());
    if (wrongAnswers) {
      answers.set(1, answers.get(0));
    }
    return Map.of("responses", answers.stream().map(Base64Url::encode).toList());
  }

  void note(String route, @Nullable String authorization) {
    if (authorization != null) {
      shown
          .computeIfAbsent(route, any -> new CopyOnWriteArrayList<>())
          .add(Token.ofAuthorization(authorization).orElseThrow());
    }
  }

  /** Whether a token is of today's key. */
  static boolean isOfToday(Token token) {
    return token.isSignedBy(KEYS.get(1).publicKey());
  }

  List<Token> all() {
    return shown.values().stream().flatMap(List::stream).toList();
  }
}
