package io.solidus.edge.gateway.oblivious;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.edge.gateway.load.InvalidEvidenceTracker;
import io.solidus.platform.problem.Problem;
import io.solidus.platform.problem.ProblemProperties;
import io.solidus.platform.problem.ProblemResponses;
import io.solidus.platform.secrets.SecretFile;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.ohttp.BinaryField;
import io.solidus.wire.ohttp.BinaryHttpException;
import io.solidus.wire.ohttp.BinaryRequest;
import io.solidus.wire.ohttp.BinaryResponse;
import io.solidus.wire.ohttp.HttpDate;
import io.solidus.wire.ohttp.ObliviousHttp;
import io.solidus.wire.ohttp.SizeClass;
import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.DispatcherServlet;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Opens what the relay passes on, has the gateway's own routes answer it, and seals the answer. A
 * relayed request takes a place of its class as any other does, and its token counts.
 */
@RestController
@Hidden // RFC 9458 describes it: no document of JSON can
@Spec("F-62")
class ObliviousController {
  static final String PATH = "/v1/ohttp";

  /** Tells the relay that a client sent what no correct wallet sends. */
  static final String EVIDENCE = "Solidus-Evidence";

  /**
   * Remembered for six minutes at most: 2,700 requests a second, some 150 MB when all are there.
   */
  private static final int MAX_REMEMBERED = 1_000_000;

  private static final int BAD_REQUEST = 400;
  private static final int UNAUTHORIZED = 401;
  private static final int CONFLICT = 409;
  private static final String DATE = "date";
  private static final String BEARER = "Bearer ";

  private final Map<Integer, HpkePrivateKey> keys = new HashMap<>();
  private final byte[] token;
  private final long bodyLimit;
  private final ReplayGuard replays;
  private final Clock clock;
  private final JsonMapper json;
  private final MeterRegistry metrics;
  private final ObjectProvider<DispatcherServlet> routes;
  private final SecureRandom random = new SecureRandom();

  ObliviousController(
      ObliviousProperties properties,
      ProblemProperties limits,
      Clock clock,
      JsonMapper json,
      MeterRegistry metrics,
      ObjectProvider<DispatcherServlet> routes) {
    for (ObliviousProperties.Key key : properties.keys()) {
      keys.put(
          key.id(), SecretFile.read(key.file(), "solidus.gateway.relay.keys", HpkePrivateKey::of));
    }
    this.token =
        properties.tokenFile() == null
            ? new byte[0]
            : SecretFile.read(
                properties.tokenFile(), "solidus.gateway.relay.token-file", byte[]::clone);
    this.bodyLimit = limits.bodyLimit().toBytes();
    this.replays = new ReplayGuard(clock, MAX_REMEMBERED);
    this.clock = clock;
    this.json = json;
    this.metrics = metrics;
    this.routes = routes;
  }

  @PostMapping(path = PATH, consumes = ObliviousHttp.REQUEST_TYPE)
  ResponseEntity<?> relayed(
      @RequestHeader(name = HttpHeaders.AUTHORIZATION, required = false)
          @Nullable String authorization,
      HttpServletRequest outer,
      HttpServletResponse answer)
      throws IOException, ServletException {
    if (keys.isEmpty()) {
      throw new ProtocolException(RejectionCode.NOT_FOUND, "this gateway has no relay");
    }
    if (!isRelay(authorization)) {
      return counted(
          "stranger",
          ProblemResponses.answer(
              UNAUTHORIZED, "unauthorized", "only the network's relay may call this", false));
    }
    byte[] message = outer.getInputStream().readNBytes(SizeClass.MAX_REQUEST + 1);
    if (message.length > SizeClass.MAX_REQUEST) {
      throw new ProtocolException(
          RejectionCode.BODY_TOO_LARGE,
          "a request has at most " + SizeClass.MAX_REQUEST + " bytes");
    }
    ObliviousHttp.Received received;
    try {
      HpkePrivateKey key = keys.get(ObliviousHttp.keyId(message));
      if (key == null) {
        return counted(
            "unknown-key",
            ProblemResponses.answer(
                BAD_REQUEST, "ohttp-key", "no key of this gateway has this number", false));
      }
      received = ObliviousHttp.open(key, message);
    } catch (BinaryHttpException e) {
      counted("malformed");
      throw ProtocolException.malformed(String.valueOf(e.getMessage()));
    }
    return answer(received, outer, answer);
  }

  /** From here on all is told sealed, except that a request was here before. */
  private ResponseEntity<?> answer(
      ObliviousHttp.Received received, HttpServletRequest outer, HttpServletResponse answer)
      throws IOException, ServletException {
    BinaryRequest request;
    try {
      request = BinaryRequest.decode(received.request());
    } catch (BinaryHttpException e) {
      return sealed("malformed", received, refusal(BAD_REQUEST, "malformed-request"));
    }
    Optional<Instant> made = date(request).filter(replays::isCurrent);
    if (made.isEmpty()) {
      return sealed("date", received, wrongDate());
    }
    if (!InnerRoutes.allows(request)) {
      return sealed(
          "no-route",
          received,
          refusal(RejectionCode.NOT_FOUND.http(), RejectionCode.NOT_FOUND.code()));
    }
    if (request.content().length > bodyLimit) {
      return sealed(
          "too-large",
          received,
          refusal(RejectionCode.BODY_TOO_LARGE.http(), RejectionCode.BODY_TOO_LARGE.code()));
    }
    // what goes nowhere is not remembered: it would take the places of others
    Digest32 id = Digest32.sha256(received.encapsulatedKey());
    if (!replays.isFirst(id, made.get())) {
      return counted(
          "replay",
          ProblemResponses.answer(CONFLICT, "ohttp-replay", "this request was here before", false));
    }
    InnerResponse inner = new InnerResponse(answer);
    routes.getObject().service(new InnerRequest(outer, request, address(id)), inner);
    return sealed("answered", received, inner);
  }

  private ResponseEntity<byte[]> sealed(
      String outcome, ObliviousHttp.Received received, InnerResponse inner) {
    boolean invalid = isInvalidEvidence(inner);
    ResponseEntity<byte[]> answer = sealed(outcome, received, inner.message());
    return invalid
        ? ResponseEntity.ok()
            .headers(answer.getHeaders())
            .header(EVIDENCE, "invalid")
            .body(answer.getBody())
        : answer;
  }

  private ResponseEntity<byte[]> sealed(
      String outcome, ObliviousHttp.Received received, BinaryResponse inner) {
    byte[] message;
    try {
      message = inner.encode();
    } catch (BinaryHttpException e) {
      message = refusal(RejectionCode.BODY_TOO_LARGE.http(), "body-too-large").encode();
    }
    return counted(
        outcome,
        ResponseEntity.ok()
            .contentType(MediaType.parseMediaType(ObliviousHttp.RESPONSE_TYPE))
            .header(HttpHeaders.CACHE_CONTROL, "no-store")
            .body(received.seal(message, random)));
  }

  private boolean isInvalidEvidence(InnerResponse inner) {
    if (inner.getStatus() < BAD_REQUEST) {
      return false;
    }
    try {
      return RejectionCode.of(json.readTree(inner.content()).path("code").asString(""))
          .filter(InvalidEvidenceTracker::isInvalidEvidence)
          .isPresent();
    } catch (JacksonException e) {
      return false;
    }
  }

  /** The gateway's time, with which the wallet asks again; as RFC 9458 has it in section 6.5.2. */
  private BinaryResponse wrongDate() {
    BinaryResponse refusal = refusal(BAD_REQUEST, DATE);
    return new BinaryResponse(
        refusal.status(),
        List.of(refusal.fields().getFirst(), new BinaryField(DATE, HttpDate.of(clock.instant()))),
        refusal.content());
  }

  private BinaryResponse refusal(int status, String code) {
    Problem problem =
        new Problem(
            "urn:solidus:problem:" + code,
            code.replace('-', ' '),
            status,
            "a request through the relay was refused",
            code,
            false,
            ProblemResponses.traceId());
    return new BinaryResponse(
        status,
        List.of(new BinaryField("content-type", Problem.MEDIA_TYPE)),
        json.writeValueAsBytes(problem));
  }

  private static Optional<Instant> date(BinaryRequest request) {
    return request.fields().stream()
        .filter(field -> field.name().equals(DATE))
        .findFirst()
        .flatMap(field -> HttpDate.parse(field.value()));
  }

  /**
   * An address of an IPv6 network of its own, so that the evidence of one request makes no other
   * one doubtful: which client it came from knows the relay alone.
   */
  private static String address(Digest32 request) {
    String hex = HexFormat.of().formatHex(request.bytes(), 0, 7);
    return "fd"
        + hex.substring(0, 2)
        + ":"
        + hex.substring(2, 6)
        + ":"
        + hex.substring(6, 10)
        + ":"
        + hex.substring(10, 14)
        + "::1";
  }

  private boolean isRelay(@Nullable String authorization) {
    String shown =
        authorization != null && authorization.startsWith(BEARER)
            ? authorization.substring(BEARER.length())
            : "";
    return MessageDigest.isEqual(
        Base64Url.encode(token).getBytes(StandardCharsets.US_ASCII),
        shown.getBytes(StandardCharsets.UTF_8));
  }

  private <T> ResponseEntity<T> counted(String outcome, ResponseEntity<T> answer) {
    counted(outcome);
    return answer;
  }

  private void counted(String outcome) {
    metrics.counter("solidus.gateway.relayed", "outcome", outcome).increment();
  }
}
