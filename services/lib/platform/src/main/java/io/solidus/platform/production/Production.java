package io.solidus.platform.production;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.core.env.Environment;
import org.springframework.core.env.Profiles;

/**
 * Whether a process runs under the production profile: Spring's profile {@code production}, or
 * SOLIDUS_PROFILE=production for processes without Spring, in upper or lower case, or shortened to
 * {@code prod}. The native library reads the same two variables itself, so each counts here also
 * where another source of Spring's overrides it. The other way round, services tell the library
 * when they open their keys.
 */
public final class Production {
  public static final String PROFILE = "production";

  private static final Profiles ACTIVE = Profiles.of(PROFILE);

  /** Includes likely slips, so that a service never starts without the guard by mistake. */
  private static final Set<String> SPELLINGS = Set.of(PROFILE, "prod");

  private Production() {}

  public static boolean isOn(Environment environment) {
    return environment.acceptsProfiles(ACTIVE)
        || Stream.concat(
                Arrays.stream(environment.getActiveProfiles()),
                Stream.of("solidus.profile", "SOLIDUS_PROFILE", "SPRING_PROFILES_ACTIVE")
                    .flatMap(name -> Arrays.stream(environment.getProperty(name, "").split(","))))
            .anyMatch(name -> SPELLINGS.contains(name.strip().toLowerCase(Locale.ROOT)));
  }

  /**
   * Returns the classes of keys that a service may open: the configured ones, and in production
   * only that of key ceremonies.
   *
   * @param ceremony the class of keys that many parties made
   * @throws ProductionRefusedException KEY_CLASS if another class is configured in production
   */
  public static <K> Set<K> keyClasses(Environment environment, Set<K> configured, K ceremony) {
    Set<K> only = Set.of(ceremony);
    if (!isOn(environment)) {
      return configured;
    }
    if (!configured.equals(only)) {
      throw new ProductionRefusedException(
          ProductionCode.KEY_CLASS,
          "allowed-key-classes is " + configured + " and must be " + ceremony + " only");
    }
    return only;
  }
}
