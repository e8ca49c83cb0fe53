package io.solidus.platform.http;

import java.net.http.HttpClient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/**
 * Makes clients for other services of the system, all with the same certificates. New connections
 * use the newest certificates.
 */
public final class HttpClients {
  private final @Nullable SslBundle tls;

  /**
   * @param tls certificates of both sides; null for the trust of the Java runtime
   */
  public HttpClients(@Nullable SslBundle tls) {
    this.tls = tls;
  }

  /**
   * Opens a client that follows no redirects. The caller closes it.
   *
   * @param connectTimeout of a connection; requests have their own
   */
  public HttpClient open(Duration connectTimeout) {
    HttpClient.Builder client =
        HttpClient.newBuilder()
            .connectTimeout(connectTimeout)
            .followRedirects(HttpClient.Redirect.NEVER);
    if (tls != null) {
      client.sslContext(tls.createSslContext());
    }
    return client.build();
  }
}
