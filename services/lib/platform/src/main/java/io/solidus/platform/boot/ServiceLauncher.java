package io.solidus.platform.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts a service as one context, alone in its JVM or beside others. */
public final class ServiceLauncher {
  private ServiceLauncher() {}

  /**
   * Starts a service with its configuration file {@code classpath:solidus-SERVICE.yml}.
   *
   * @param service the service's name, such as "gateway"
   * @param properties override the file and {@code args}
   */
  public static ConfigurableApplicationContext start(
      Class<?> application, String service, Map<String, Object> properties, String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    properties.forEach((key, value) -> all.add("--" + key + "=" + value));
    return builder(application, service).run(all.toArray(String[]::new));
  }

  /**
   * Prepares a service with its configuration file, for a caller that adds its own beans before the
   * start.
   */
  public static SpringApplicationBuilder builder(Class<?> application, String service) {
    return new SpringApplicationBuilder(application)
        .bannerMode(Banner.Mode.OFF)
        .properties(
            "spring.config.name=solidus-" + service, "spring.application.name=solidus-" + service);
  }
}
