package io.solidus.platform.webhook;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signatures as in Standard Webhooks: HMAC-SHA256 of the id, the time and the body. */
final class WebhookSecrets {
  private static final String PREFIX = "whsec_";
  private static final String ALGORITHM = "HmacSHA256";
  private static final int MIN_BYTES = 24;
  private static final int MAX_BYTES = 64;

  /** The new one and the one before it. */
  private static final int MAX_SECRETS = 2;

  private final List<SecretKeySpec> keys;

  private WebhookSecrets(List<SecretKeySpec> keys) {
    this.keys = keys;
  }

  /**
   * Reads a target's file of secrets.
   *
   * @throws IllegalStateException when it cannot be read or has no usable secret
   */
  static WebhookSecrets read(String target, Path file) {
    try {
      return parse(Files.readString(file));
    } catch (IOException | IllegalArgumentException e) {
      // the cause could quote the secret
      throw new IllegalStateException(
          "the secret file of the webhook "
              + target
              + " must have "
              + PREFIX
              + " and the Base64 of "
              + MIN_BYTES
              + " to "
              + MAX_BYTES
              + " bytes, on one line or, while it is replaced, on two");
    }
  }

  static WebhookSecrets parse(String text) {
    List<SecretKeySpec> keys =
        text.lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty())
            .map(WebhookSecrets::key)
            .toList();
    if (keys.isEmpty() || keys.size() > MAX_SECRETS) {
      throw new IllegalArgumentException("one or two secrets are needed");
    }
    return new WebhookSecrets(keys);
  }

  private static SecretKeySpec key(String line) {
    byte[] bytes =
        line.startsWith(PREFIX)
            ? Base64.getDecoder().decode(line.substring(PREFIX.length()))
            : new byte[0];
    if (bytes.length < MIN_BYTES || bytes.length > MAX_BYTES) {
      throw new IllegalArgumentException("not a secret");
    }
    return new SecretKeySpec(bytes, ALGORITHM);
  }

  /** The value of {@code webhook-signature}: a signature by each secret, with spaces between. */
  String sign(String id, Instant at, byte[] body) {
    byte[] head = (id + '.' + at.getEpochSecond() + '.').getBytes(StandardCharsets.UTF_8);
    return keys.stream().map(key -> "v1," + sign(key, head, body)).collect(Collectors.joining(" "));
  }

  private static String sign(SecretKeySpec key, byte[] head, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(head);
      return Base64.getEncoder().encodeToString(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
