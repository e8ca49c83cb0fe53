package io.solidus.platform.security;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.Resource;
import java.net.MalformedURLException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys of an OpenID provider, fetched on first use, so that a service starts while its provider
 * is away. Keys are kept for {@link #KEPT}, and for {@link #OUTAGE} more while the provider is
 * away. A token with an unknown key makes at most one fetch in {@link #PAUSE}.
 */
final class IssuerKeys implements JWKSource<SecurityContext> {
  private static final Duration KEPT = Duration.ofMinutes(5);
  private static final Duration OUTAGE = Duration.ofHours(1);
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final JWKSource<SecurityContext> source;
  private volatile boolean known;

  /**
   * @param timeout longest wait for a fetch that another request has begun
   */
  IssuerKeys(OpenIdProvider provider, String issuer, Duration timeout) {
    try {
      this.source =
          JWKSourceBuilder.<SecurityContext>create(
                  URI.create(issuer).toURL(),
                  url -> {
                    Resource keys = provider.retrieveResource(url);
                    known = true;
                    return keys;
                  })
              .cache(KEPT.toMillis(), timeout.multipliedBy(2).toMillis())
              .refreshAheadCache(false)
              .rateLimited(PAUSE.toMillis())
              .outageTolerant(OUTAGE.toMillis())
              .build();
    } catch (MalformedURLException | IllegalArgumentException e) {
      throw new IllegalStateException("solidus.security.jwt.issuer-uri is not an address", e);
    }
  }

  @Override
  public List<JWK> get(JWKSelector selector, @Nullable SecurityContext context)
      throws KeySourceException {
    try {
      return source.get(selector, context);
    } catch (RateLimitReachedException e) {
      if (known) {
        return List.of(); // no fetch for a key that was unknown a moment ago
      }
      throw e;
    }
  }
}
