package io.solidus.platform.publicapi;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The API for wallets ({@code solidus.public-api.*}), which is everything under /v1.
 *
 * @param allowedOrigins of web wallets, such as {@code https://wallet.example}; {@code *} alone is
 *     every origin; without one no browser shows an answer to a page of another origin
 * @param deprecatedAt since when wallets should use another version; null while they need not
 * @param sunsetAt when this version ends, not before {@code deprecatedAt}; null while that is open
 * @param deprecationPage a page for authors of wallets; null without one
 */
@ConfigurationProperties("solidus.public-api")
public record PublicApiProperties(
    @DefaultValue List<String> allowedOrigins,
    @Nullable Instant deprecatedAt,
    @Nullable Instant sunsetAt,
    @Nullable URI deprecationPage) {
  /** The version of the API that paths begin with. */
  public static final String VERSION = "v1";

  static final String EVERY_ORIGIN = "*";

  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  /** Refuses what is no origin, plain HTTP of other machines, and a sunset before its warning. */
  public PublicApiProperties {
    allowedOrigins = List.copyOf(allowedOrigins);
    if (allowedOrigins.contains(EVERY_ORIGIN) && allowedOrigins.size() > 1) {
      throw new IllegalArgumentException(
          "solidus.public-api.allowed-origins: * is every origin and stands alone");
    }
    for (String origin : allowedOrigins) {
      if (!origin.equals(EVERY_ORIGIN) && !isOrigin(origin)) {
        throw new IllegalArgumentException(
            "solidus.public-api.allowed-origins: an origin is scheme://host or scheme://host:port,"
                + " and plain HTTP is for this machine: "
                + origin);
      }
    }
    if (sunsetAt != null && (deprecatedAt == null || sunsetAt.isBefore(deprecatedAt))) {
      throw new IllegalArgumentException(
          "solidus.public-api.sunset-at needs a deprecated-at that is not after it");
    }
  }

  private static boolean isOrigin(String text) {
    URI origin;
    try {
      origin = URI.create(text);
    } catch (IllegalArgumentException e) {
      return false;
    }
    String scheme = origin.getScheme();
    String host = origin.getHost();
    if (scheme == null || host == null) {
      return false;
    }
    String port = origin.getPort() < 0 ? "" : ":" + origin.getPort();
    return text.equals(scheme + "://" + host + port)
        && (!scheme.equals("http") || LOOPBACK.contains(host));
  }
}
