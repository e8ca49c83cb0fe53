package io.solidus.platform.production;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.core.env.Environment;
import org.springframework.core.env.Profiles;

/**
 * Whether a process runs under the production profile: Spring's profile {@code production}, or
 * SOLIDUS_PROFILE=production for whatever is started without Spring, in any case of letters, or
 * shortened to {@code prod}. The native library looks at the same two variables by itself.
 */
public final class Production {
  public static final String PROFILE = "production";

  private static final Profiles ACTIVE = Profiles.of(PROFILE);

  /** A slip of the pen must not start a service without the guard. */
  private static final Set<String> SPELLINGS = Set.of(PROFILE, "prod");

  private Production() {}

  public static boolean isOn(Environment environment) {
    return environment.acceptsProfiles(ACTIVE)
        || Stream.concat(
                Arrays.stream(environment.getActiveProfiles()),
                Stream.of(environment.getProperty("solidus.profile", "")))
            .anyMatch(name -> SPELLINGS.contains(name.strip().toLowerCase(Locale.ROOT)));
  }

  /**
   * The classes of keys that a service may open: those it is configured with, and in production the
   * ceremonies' alone, whatever the configuration says.
   *
   * @param ceremony the class of keys that many parties made
   * @throws ProductionRefusedException KEY_CLASS for a configuration that asks for another
   */
  public static <K> Set<K> keyClasses(Environment environment, Set<K> configured, K ceremony) {
    Set<K> only = Set.of(ceremony);
    if (!isOn(environment)) {
      return configured;
    }
    if (!configured.equals(only)) {
      throw new ProductionRefusedException(
          ProductionCode.KEY_CLASS,
          "allowed-key-classes is " + configured + " and has to be " + ceremony + " alone");
    }
    return only;
  }
}
