package io.solidus.loadtest.byzantine;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.RestProbe;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TransferRequest;
import io.solidus.wallet.transfer.SignatureCollector;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.PartialSignatureJson;
import io.solidus.wire.json.TransferRequestJson;
import io.solidus.wire.json.WireJson;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;

/**
 * Sends a transfer as the wallet does, repeats it after retryable refusals, and verifies every
 * answer with the wallet's own checks. A forged transfer has no opening, so the blinded signature
 * is verified under the committee's key.
 */
final class CorrectWallet {
  private static final int LIMIT = 20;
  private static final long PAUSE_MILLIS = 100;

  private final ForgedNetwork network;
  private final RestProbe gateway;
  private final DoubleSpendDetector doubleSpends;
  private final SignatureCollector check;

  /** The number of repeated requests. */
  final AtomicLong again = new AtomicLong();

  CorrectWallet(ForgedNetwork network, RestProbe gateway, DoubleSpendDetector doubleSpends) {
    this.network = network;
    this.gateway = gateway;
    this.doubleSpends = doubleSpends;
    this.check = new SignatureCollector(network.committee, network.suite, Clock.systemUTC());
  }

  /** Fails unless the transfer finishes. */
  void pay(TransferRequest request) {
    for (int attempt = 1; ; attempt++) {
      RestProbe.Answer answer = send(request);
      if (answer.status() == 200) {
        accept(request, answer);
        return;
      }
      boolean passes = RejectionCode.of(answer.code()).map(RejectionCode::retryable).orElse(false);
      assertThat(passes && attempt < LIMIT).as("attempt %d: %s", attempt, answer.body()).isTrue();
      again.incrementAndGet();
      pause();
    }
  }

  /** Sends a transfer once; returns whether it was certified. */
  boolean certified(TransferRequest request) {
    RestProbe.Answer answer = send(request);
    if (answer.status() == 200) {
      accept(request, answer);
    }
    return answer.status() == 200;
  }

  private RestProbe.Answer send(TransferRequest request) {
    return gateway.post("/v1/transfers", WireJson.write(TransferRequestJson.of(request)));
  }

  private void accept(TransferRequest request, RestProbe.Answer answer) {
    JsonNode json = answer.json();
    assertThat(json.path("core").asString(""))
        .isEqualTo(request.statement().core(ForgedNetwork.NETWORK).hex());
    List<PartialSignature> partials = new ArrayList<>();
    json.path("partials")
        .forEach(
            p -> partials.add(WireJson.read(p.toString(), PartialSignatureJson.class).toDomain()));
    Outputs outputs = Outputs.of(ForgedNetwork.NETWORK, request.statement());
    assertThat(check.checked(request.statement().core(ForgedNetwork.NETWORK), outputs, partials))
        .hasSizeGreaterThanOrEqualTo(network.committee.quorum());
    assertThat(json.path("combined").size()).isEqualTo(outputs.coins().size());
    for (int i = 0; i < outputs.coins().size(); i++) {
      G1Point combined =
          G1Point.of(Base64Url.decode(json.path("combined").path(i).asString(""), "combined"));
      assertThat(network.suite.verifyBlinded(network.committee, outputs, i, combined)).isTrue();
    }
    doubleSpends.saw(request, partials);
  }

  /** The committee's state of the lead serial number of a transfer. */
  Optional<String> state(TransferRequest request) {
    String lead = Base64Url.encode(request.statement().leadSerial().bytes());
    RestProbe.Answer answer = gateway.post("/v1/coins/state", Map.of("serials", List.of(lead)));
    return answer.status() == 200
        ? Optional.of(answer.json().path("states").path(0).path("status").asString(""))
        : Optional.empty();
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
