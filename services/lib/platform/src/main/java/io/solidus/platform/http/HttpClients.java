package io.solidus.platform.http;

import java.net.http.HttpClient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/**
 * Clients for the system's own services, all with the same certificates; these follow renewals,
 * from the next connection on.
 */
public final class HttpClients {
  private final @Nullable SslBundle tls;

  /**
   * @param tls certificates of both sides; null for what the runtime trusts
   */
  public HttpClients(@Nullable SslBundle tls) {
    this.tls = tls;
  }

  /**
   * A client, which follows no redirects. Whoever opens it closes it.
   *
   * @param connectTimeout of a connection; a request sets its own
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
