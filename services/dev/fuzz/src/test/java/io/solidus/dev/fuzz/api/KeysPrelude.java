package io.solidus.dev.fuzz.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.RestProbe;
import io.solidus.protocol.Digest32;
import io.solidus.wallet.gateway.GatewayClient;
import io.solidus.wire.json.Base64Url;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A wallet that fetches the network's keys, whole and in parts, and asks whether they are new. */
final class KeysPrelude {
  private static final int PART = 100;

  private final GatewayClient client;
  private final RestProbe rest;

  KeysPrelude(GatewayClient client, RestProbe rest) {
    this.client = client;
    this.rest = rest;
  }

  void fetch() {
    JsonNode file =
        JsonMapper.shared()
            .readTree(
                Base64Url.decode(
                    rest.get("/v1/keys").json().path("manifest").asString(), "manifest"))
            .path("circuits")
            .path(0)
            .path("verifyingKey");
    Digest32 digest = Digest32.fromHex(file.path("sha256").asString());
    int size = file.path("size").asInt();
    String path = "/v1/keys/files/" + digest.hex();
    assertThat(rest.get(path).status()).isEqualTo(200);
    assertThat(client.keyFile(digest, size - PART, PART)).hasSize(PART);
    assertThat(rest.get(path, "Range", "bytes=" + size + "-").status()).isEqualTo(416);
    assertThat(client.shapes()).isNotNull();
    for (String known :
        List.of(path, "/v1/keys", "/v1/keys/shapes", "/v1/policy", "/v1/sanctions/checkpoint")) {
      String tag = rest.get(known).header("ETag");
      assertThat(rest.get(known, "If-None-Match", tag).status()).as(known).isEqualTo(304);
    }
  }
}
