package io.solidus.operator.console.login;

import io.solidus.operator.console.ConsoleProperties;
import io.solidus.platform.http.BoundedCalls;
import io.solidus.platform.http.HttpClients;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.ClientRegistrations;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * The OpenID provider as its discovery document describes it. It is read at the first login, so
 * that the console starts while its provider is away.
 */
final class Provider implements ClientRegistrationRepository, DisposableBean {
  static final String ID = "console";

  private static final Logger log = LoggerFactory.getLogger(Provider.class);

  private static final int MAX_BYTES = 256 * 1024;

  /** Who asks in this time after a failure gets the same answer without another try. */
  private static final long PAUSE_NANOS = Duration.ofSeconds(2).toNanos();

  private final ConsoleProperties properties;
  private final String redirect;
  private final BoundedCalls http;
  private volatile @Nullable ClientRegistration known;
  private @Nullable Failure failure;

  /** When the provider could not be used last. */
  private record Failure(long nanos, ProviderAwayException reason) {}

  /**
   * @param redirect where the provider sends the browser back
   */
  Provider(ConsoleProperties properties, String redirect) {
    this.properties = properties;
    this.redirect = redirect;
    this.http = new BoundedCalls(new HttpClients(null).open(properties.login().timeout()));
  }

  /**
   * @throws ProviderAwayException when it cannot be read in time
   */
  @Override
  public @Nullable ClientRegistration findByRegistrationId(String id) {
    if (!id.equals(ID)) {
      return null;
    }
    ClientRegistration found = known;
    return found == null ? find() : found;
  }

  private synchronized ClientRegistration find() {
    if (known == null) {
      Failure last = failure;
      if (last != null && System.nanoTime() - last.nanos() < PAUSE_NANOS) {
        throw last.reason();
      }
      try {
        known = read();
      } catch (IOException | JacksonException | IllegalArgumentException e) {
        ProviderAwayException away = new ProviderAwayException(e);
        failure = new Failure(System.nanoTime(), away);
        log.warn(
            "the OpenID provider cannot be used: {}: {}", e.getClass().getName(), e.getMessage());
        throw away;
      }
    }
    return known;
  }

  private ClientRegistration read() throws IOException {
    ConsoleProperties.Login login = properties.login();
    String issuer = login.issuerUri();
    String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
    BoundedCalls.Answer answer =
        http.send(
            HttpRequest.newBuilder(URI.create(base + "/.well-known/openid-configuration"))
                .header("Accept", "application/json"),
            login.timeout(),
            MAX_BYTES);
    if (!answer.isOk()) {
      throw new IOException("the OpenID provider answered " + answer.status());
    }
    Map<String, Object> document =
        JsonMapper.shared().readValue(answer.body(), new TypeReference<>() {});
    if (!issuer.equals(document.get("issuer"))) {
      throw new IOException("the OpenID provider's discovery document names another issuer");
    }
    return ClientRegistrations.fromOidcConfiguration(document)
        .registrationId(ID)
        .clientId(login.clientId())
        .clientSecret(Files.readString(login.clientSecretFile()).strip())
        .scope(login.scopes())
        .redirectUri(redirect)
        .clientSettings(ClientRegistration.ClientSettings.builder().requireProofKey(true).build())
        .build();
  }

  @Override
  public void destroy() {
    http.close();
  }
}
