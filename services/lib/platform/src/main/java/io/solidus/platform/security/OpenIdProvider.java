package io.solidus.platform.security;

import com.nimbusds.jose.util.Resource;
import com.nimbusds.jose.util.ResourceRetriever;
import io.solidus.platform.http.BoundedCalls;
import io.solidus.platform.http.HttpClients;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Calls of an OpenID provider. Its addresses come from its discovery document, which must name the
 * configured issuer exactly. Certificates are verified with the trust store of the Java runtime.
 */
final class OpenIdProvider implements ResourceRetriever, AutoCloseable {
  private static final int MAX_BYTES = 256 * 1024;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final String issuer;
  private final Duration timeout;
  private final BoundedCalls http;

  /**
   * @param issuer its address, as in the tokens' {@code iss}
   * @param timeout of a whole call
   */
  OpenIdProvider(String issuer, Duration timeout) {
    this.issuer = issuer;
    this.timeout = timeout;
    this.http = new BoundedCalls(new HttpClients(null).open(timeout));
  }

  /**
   * Reads an address of the discovery document.
   *
   * @throws IOException also when the document names another issuer, or an address without TLS for
   *     an issuer with TLS
   */
  URI endpoint(String name) throws IOException {
    String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
    JsonNode document;
    try {
      document = JSON.readTree(get(URI.create(base + "/.well-known/openid-configuration")));
    } catch (JacksonException e) {
      throw new IOException("the OpenID provider's discovery document cannot be read", e);
    }
    if (!issuer.equals(document.path("issuer").asString(""))) {
      throw new IOException("the OpenID provider's discovery document names another issuer");
    }
    String address = document.path(name).asString("");
    if (!address.startsWith("https://")
        && !(issuer.startsWith("http://") && address.startsWith("http://"))) {
      throw new IOException("the OpenID provider has no usable " + name);
    }
    return URI.create(address);
  }

  /** Fetches the provider's signing keys. The argument is not read: discovery says where. */
  @Override
  public Resource retrieveResource(URL ignored) throws IOException {
    return new Resource(get(endpoint("jwks_uri")), "application/json");
  }

  private String get(URI address) throws IOException {
    return send(HttpRequest.newBuilder(address).header("Accept", "application/json"));
  }

  /** Sends a request to the provider and returns the body of an answer with status 200. */
  String send(HttpRequest.Builder request) throws IOException {
    BoundedCalls.Answer answer = http.send(request, timeout, MAX_BYTES);
    if (!answer.isOk()) {
      throw new IOException("the OpenID provider answered " + answer.status());
    }
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    http.close();
  }
}
