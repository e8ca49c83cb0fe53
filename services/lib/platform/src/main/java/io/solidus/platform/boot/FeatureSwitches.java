package io.solidus.platform.boot;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/**
 * Excludes the auto-configuration of parts that a service does not use: {@code
 * solidus.platform.database=false}, {@code solidus.platform.kafka=false}. Users with passwords and
 * bearer tokens on gRPC are always excluded. gRPC identifies services by TLS, and callers of the
 * anonymous services not at all.
 */
final class FeatureSwitches implements AutoConfigurationImportFilter, EnvironmentAware {
  private static final List<String> ALWAYS =
      List.of(
          "org.springframework.boot.grpc.server.autoconfigure.security.",
          "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration",
          "org.springframework.boot.security.oauth2.server.");
  private static final List<String> DATABASE =
      List.of(
          "org.springframework.boot.jdbc.",
          "org.springframework.boot.flyway.",
          "org.springframework.boot.sql.",
          "io.solidus.platform.outbox.");
  private static final List<String> KAFKA = List.of("org.springframework.boot.kafka.");

  private @Nullable Environment environment;

  @Override
  public void setEnvironment(Environment environment) {
    this.environment = environment;
  }

  @Override
  public boolean[] match(@Nullable String[] candidates, AutoConfigurationMetadata metadata) {
    boolean database = enabled("database");
    boolean kafka = enabled("kafka");
    boolean[] keep = new boolean[candidates.length];
    for (int i = 0; i < candidates.length; i++) {
      String name = candidates[i];
      keep[i] =
          name == null
              || !(isOneOf(name, ALWAYS)
                  || (!database && isOneOf(name, DATABASE))
                  || (!kafka && isOneOf(name, KAFKA)));
    }
    return keep;
  }

  private boolean enabled(String feature) {
    return environment == null
        || environment.getProperty("solidus.platform." + feature, Boolean.class, true);
  }

  private static boolean isOneOf(String name, List<String> prefixes) {
    return prefixes.stream().anyMatch(name::startsWith);
  }
}
