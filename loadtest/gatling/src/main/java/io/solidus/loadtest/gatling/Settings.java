package io.solidus.loadtest.gatling;

import io.solidus.loadtest.driver.LoadPlan;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The settings of a run, from system properties and, for the secret, from the environment.
 *
 * @param pool folder of transfers
 * @param adminToken empty to leave out the admin APIs
 * @param adminUrls addresses of the admin APIs by service; of services not named, those for wallets
 */
record Settings(
    LoadPlan plan,
    URI url,
    Path pool,
    long seed,
    Path summary,
    String adminToken,
    Map<String, URI> adminUrls) {
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
        Optional.ofNullable(System.getenv("SOLIDUS_ADMIN_TOKEN")).orElse(""),
        urls(Optional.ofNullable(System.getenv("SOLIDUS_ADMIN_URLS")).orElse("")));
  }

  /** Reads {@code SERVICE=URL,SERVICE=URL...}. */
  private static Map<String, URI> urls(String text) {
    Map<String, URI> urls = new HashMap<>();
    for (String entry : Pattern.compile(",").split(text, -1)) {
      int equals = entry.indexOf('=');
      if (equals > 0) {
        urls.put(entry.substring(0, equals), URI.create(entry.substring(equals + 1)));
      }
    }
    return urls;
  }

  private static String text(String name, String otherwise) {
    return System.getProperty(PREFIX + name, otherwise);
  }

  @Override
  public String toString() {
    return "Settings[" + plan.name() + ", " + url + "]";
  }
}
