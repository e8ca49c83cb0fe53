package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.authorities.fixture.RegulatedNetwork;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.world.FakeSigner;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.platform.boot.ServicePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;

/** Checks that a shard and a signer serve only probes and metrics over HTTP. */
@Tag("process")
class ActuatorTest {

  private static RegulatedNetwork network;
  private static FakeSigner signer;

  @BeforeAll
  static void start() {
    network = RegulatedNetwork.create();
    signer = new FakeSigner(network.keys.network());
    network.authority.with("management.server.port", 0);
    network.authority.startSigner();
    network.startShards(signer.address());
  }

  @AfterAll
  static void stop() {
    network.close();
    signer.close();
  }

  @Test
  void answersProbes() {
    Await.until(
        "ready",
        () -> get(network.authority.shard(0), "/actuator/health/readiness").statusCode() == 200);
    Await.until(
        "the signer is ready",
        () ->
            get(network.authority.signerContext(), "/actuator/health/readiness").statusCode()
                == 200);
    assertThat(get(network.authority.shard(0), "/actuator/health/liveness").statusCode())
        .isEqualTo(200);
  }

  @Test
  void metricsContainNoSerialNumber() {
    var request = new RandomTransfers(network.keys.network()).next();
    Replies.signed(network.submit(request));
    for (int i = 0; i < 2; i++) {
      HttpResponse<String> page = get(network.authority.shard(i), "/actuator/prometheus");
      assertThat(page.statusCode()).isEqualTo(200);
      assertThat(page.body())
          .contains("solidus_validator_accepting_status")
          .doesNotContain(request.statement().leadSerial().hex());
    }
  }

  @Test
  void refusesEverythingElse() {
    for (String path :
        List.of(
            "/",
            "/actuator",
            "/actuator/env",
            "/actuator/heapdump",
            "/v1/info",
            "/admin/v1/x",
            "/swagger-ui.html")) {
      assertThat(get(network.authority.shard(0), path).statusCode()).as(path).isEqualTo(404);
      assertThat(get(network.authority.signerContext(), path).statusCode()).as(path).isEqualTo(404);
    }
  }

  private static HttpResponse<String> get(ApplicationContext context, String path) {
    URI uri = URI.create("http://127.0.0.1:" + ServicePorts.management(context) + path);
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
