package io.solidus.edge.relay;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.platform.http.BoundedCalls;
import io.solidus.platform.http.HttpClients;
import io.solidus.platform.http.NoAnswerException;
import io.solidus.platform.limits.Bulkhead;
import io.solidus.platform.problem.Problem;
import io.solidus.platform.secrets.SecretFile;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.ohttp.ObliviousHttp;
import io.solidus.wire.ohttp.SizeClass;
import jakarta.annotation.PreDestroy;
import jakarta.servlet.http.HttpServletRequest;
import java.net.http.HttpRequest;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Supplier;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * Passes a sealed request on, and its sealed answer back. Of the client's headers nothing is passed
 * on, and of the gateway's nothing but the answer. Neither addresses nor bodies reach a log.
 */
@RestController
class RelayController {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** By which the gateway says that the client sent what no correct wallet sends. */
  private static final String EVIDENCE = "Solidus-Evidence";

  private static final String BUSY = "the relay is busy; try again shortly";
  private static final int BAD_REQUEST = 400;
  private static final int CONFLICT = 409;

  private final RelayProperties properties;
  private final String token;
  private final BoundedCalls gateway;
  private final Bulkhead places;
  private final ClientRates rates;
  private final MeterRegistry metrics;

  RelayController(
      RelayProperties properties, HttpClients clients, Clock clock, MeterRegistry metrics) {
    this.properties = properties;
    this.token =
        SecretFile.read(properties.tokenFile(), "solidus.relay.token-file", Base64Url::encode);
    this.gateway = new BoundedCalls(clients.open(CONNECT_TIMEOUT));
    this.places = new Bulkhead(properties.maxConcurrent(), BUSY);
    this.rates = new ClientRates(clock, properties.perSecond(), properties.doubtfulPerSecond());
    this.metrics = metrics;
  }

  @PostMapping(path = "/v1/ohttp", consumes = ObliviousHttp.REQUEST_TYPE)
  ResponseEntity<byte[]> pass(@RequestBody byte[] sealed, HttpServletRequest client) {
    String address = client.getRemoteAddr();
    return counted(() -> {
      if (!rates.take(address)) {
        throw new ProtocolException(RejectionCode.OVERLOADED, BUSY);
      }
      return places.run(1, () -> pass(sealed, address));
    });
  }

  private ResponseEntity<byte[]> pass(byte[] sealed, String address) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(properties.target())
            .header(HttpHeaders.CONTENT_TYPE, ObliviousHttp.REQUEST_TYPE)
            .header(HttpHeaders.AUTHORIZATION, "Bearer " + token)
            .POST(HttpRequest.BodyPublishers.ofByteArray(sealed));
    BoundedCalls.Answer answer;
    try {
      answer = gateway.send(request, properties.timeout(), SizeClass.MAX_RESPONSE);
    } catch (NoAnswerException e) {
      throw unavailable();
    }
    if (answer.headers().firstValue(EVIDENCE).isPresent()) {
      rates.doubt(address);
    }
    String type = answer.headers().firstValue(HttpHeaders.CONTENT_TYPE).orElse("");
    if (answer.isOk() && type.equals(ObliviousHttp.RESPONSE_TYPE)) {
      return ResponseEntity.ok()
          .contentType(MediaType.parseMediaType(ObliviousHttp.RESPONSE_TYPE))
          .header(HttpHeaders.CACHE_CONTROL, "no-store")
          .body(answer.body());
    }
    // what is wrong with the sealed request itself; a gateway that is busy, or that does not know
    // this relay, is unavailable
    if (answer.status() == BAD_REQUEST || answer.status() == CONFLICT) {
      return ResponseEntity.status(answer.status())
          .contentType(MediaType.parseMediaType(Problem.MEDIA_TYPE))
          .body(answer.body());
    }
    throw unavailable();
  }

  private static ProtocolException unavailable() {
    return new ProtocolException(
        RejectionCode.UNAVAILABLE, "the gateway does not answer the relay");
  }

  private ResponseEntity<byte[]> counted(Supplier<ResponseEntity<byte[]>> work) {
    String outcome = "failed";
    try {
      ResponseEntity<byte[]> answer = work.get();
      outcome = answer.getStatusCode().is2xxSuccessful() ? "passed" : "refused-by-gateway";
      return answer;
    } catch (ProtocolException e) {
      outcome = e.code().code();
      throw e;
    } finally {
      metrics.counter("solidus.relay.requests", "outcome", outcome).increment();
    }
  }

  @PreDestroy
  void close() {
    gateway.close();
  }
}
