package io.solidus.platform.webhook;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Who is told that work waits.
 *
 * @param targets by name: lower case, digits and dashes, 40 at most
 */
@ConfigurationProperties("solidus.webhooks")
public record WebhookProperties(@DefaultValue Map<String, Target> targets) {
  private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,40}");
  private static final int MAX_TARGETS = 10;

  /**
   * A receiver.
   *
   * @param url http or https; in production https only
   * @param secretFile {@code whsec_} and the Base64 of 24 to 64 bytes; while it is replaced, two
   *     lines, and each message has a signature by each
   * @param kinds of what waits, of this service and others; empty for all
   */
  public record Target(URI url, Path secretFile, @DefaultValue List<String> kinds) {
    public Target {
      kinds = List.copyOf(kinds);
      if (url.getScheme() == null
          || !Set.of("http", "https").contains(url.getScheme())
          || url.getHost() == null
          || url.getUserInfo() != null
          || url.getFragment() != null) {
        throw new IllegalArgumentException(
            "the url of a webhook must be https://HOST/PATH without a user and a fragment");
      }
      if (!WaitingWork.KINDS.containsAll(kinds)) {
        throw new IllegalArgumentException(
            "the kinds of a webhook are among " + new TreeSet<>(WaitingWork.KINDS));
      }
    }
  }

  public WebhookProperties {
    targets = Map.copyOf(targets);
    if (targets.size() > MAX_TARGETS
        || !targets.keySet().stream().allMatch(name -> NAME.matcher(name).matches())) {
      throw new IllegalArgumentException(
          "solidus.webhooks.targets has at most "
              + MAX_TARGETS
              + " names of lower-case letters, digits and dashes");
    }
  }
}
