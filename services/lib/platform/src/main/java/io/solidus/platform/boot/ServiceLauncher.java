package io.solidus.platform.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts a service as one context, alone in its JVM or next to others. */
public final class ServiceLauncher {
  private ServiceLauncher() {}

  /**
   * Starts a service with its configuration file {@code classpath:solidus-SERVICE.yml}.
   *
   * @param service the service's name, e.g. "gateway"
   * @param properties win over the file and over {@code args}
   */
  public static ConfigurableApplicationContext start(
      Class<?> application, String service, Map<String, Object> properties, String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    properties.forEach((key, value) -> all.add("--" + key + "=" + value));
    return builder(application, service).run(all.toArray(String[]::new));
  }

  /**
   * A service with its configuration file, not started yet: for whoever has to put beans of its own
   * in.
   */
  public static SpringApplicationBuilder builder(Class<?> application, String service) {
    return new SpringApplicationBuilder(application)
        .bannerMode(Banner.Mode.OFF)
        .properties(
            "spring.config.name=solidus-" + service, "spring.application.name=solidus-" + service);
  }
}
