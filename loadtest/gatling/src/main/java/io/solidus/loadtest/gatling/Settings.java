package io.solidus.loadtest.gatling;

import io.solidus.loadtest.driver.LoadPlan;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The settings of a run, from system properties and, for the secret, from the environment.
 *
 * @param pool folder of transfers
 * @param adminToken empty to leave out the admin APIs
 */
record Settings(LoadPlan plan, URI url, Path pool, long seed, Path summary, String adminToken) {
  private static final String PREFIX = "solidus.load.";

  static Settings ofThisProcess() {
    LoadPlan plan =
        LoadPlan.of(
            text("scenario", "smoke"),
            Double.parseDouble(text("rate", "0")),
            Integer.parseInt(text("seconds", "0")));
    return new Settings(
        plan,
        URI.create(text("url", "http://127.0.0.1:8080")),
        Path.of(text("pool", "pool")),
        text("seed", "1").hashCode(),
        Path.of(text("summary", "summary.json")),
        Optional.ofNullable(System.getenv("SOLIDUS_ADMIN_TOKEN")).orElse(""));
  }

  private static String text(String name, String otherwise) {
    return System.getProperty(PREFIX + name, otherwise);
  }

  @Override
  public String toString() {
    return "Settings[" + plan.name() + ", " + url + "]";
  }
}
