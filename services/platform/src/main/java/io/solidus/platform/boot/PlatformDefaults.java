package io.solidus.platform.boot;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.io.ClassPathResource;

/** Puts {@code solidus-platform.yml} below every other configuration. */
final class PlatformDefaults implements EnvironmentPostProcessor {
  private static final String NAME = "solidusPlatformDefaults";
  private static final ClassPathResource FILE =
      new ClassPathResource("solidus-platform.yml", PlatformDefaults.class.getClassLoader());

  @Override
  public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
    try {
      new YamlPropertySourceLoader().load(NAME, FILE).forEach(environment.getPropertySources()::addLast);
    } catch (IOException e) {
      throw new UncheckedIOException("the platform's defaults cannot be read", e);
    }
  }
}
