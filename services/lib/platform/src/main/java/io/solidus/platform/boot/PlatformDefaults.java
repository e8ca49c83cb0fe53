package io.solidus.platform.boot;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Profiles;
import org.springframework.core.io.ClassPathResource;

/**
 * Adds {@code solidus-platform.yml} with the lowest precedence, and {@code solidus-json-logs.yml}
 * if its profile is active.
 */
final class PlatformDefaults implements EnvironmentPostProcessor {
  private static final Profiles JSON_LOGS = Profiles.of("json-logs");

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    addLast(environment, "solidusPlatformDefaults", "solidus-platform.yml");
    if (environment.acceptsProfiles(JSON_LOGS)) {
      addLast(environment, "solidusJsonLogs", "solidus-json-logs.yml");
    }
  }

  private static void addLast(ConfigurableEnvironment environment, String name, String file) {
    ClassPathResource resource =
        new ClassPathResource(file, PlatformDefaults.class.getClassLoader());
    try {
      new YamlPropertySourceLoader()
          .load(name, resource)
          .forEach(environment.getPropertySources()::addLast);
    } catch (IOException e) {
      throw new UncheckedIOException("the platform's defaults cannot be read", e);
    }
  }
}
