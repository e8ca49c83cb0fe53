package io.solidus.platform.notes;

import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.NoteKey;
import io.solidus.protocol.NoteKeys;
import io.solidus.protocol.ProtocolException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The configured keys whose signatures a service trusts. The authorities' note keys are part of the
 * committee.
 */
public final class NoteTrust {
  public static final String REGISTRATION = "solidus-registration";
  public static final String SANCTIONS = "solidus-sanctions";
  public static final String POLICY = "solidus-policy";

  private static final Map<String, String> NAMES =
      Map.of("registration", REGISTRATION, "sanctions", SANCTIONS, "policy", POLICY);

  private final TrustProperties properties;
  private final Map<String, Ed25519PublicKey> approvers;

  /**
   * @throws IllegalStateException for an approver's key that is not a key
   */
  public NoteTrust(TrustProperties properties) {
    this.properties = properties;
    properties
        .former()
        .forEach(former -> {
          if (!NAMES.containsKey(String.valueOf(former.issuer()))) {
            throw new IllegalStateException(
                "solidus.trust.former: there is no issuer " + former.issuer());
          }
          former(String.valueOf(former.issuer())); // refuses what is malformed at the start
        });
    Map<String, Ed25519PublicKey> keys = new LinkedHashMap<>();
    properties
        .approvers()
        .forEach((name, key) -> keys.put(name, parse("solidus.trust.approvers." + name, key)));
    this.approvers = Map.copyOf(keys);
  }

  /**
   * Returns the registration authority's keys.
   *
   * @throws IllegalStateException when the key is not configured
   */
  public NoteKeys registration() {
    return keys(REGISTRATION, "registration", properties.registration());
  }

  /**
   * Returns the sanctions service's keys.
   *
   * @throws IllegalStateException when the key is not configured
   */
  public NoteKeys sanctions() {
    return keys(SANCTIONS, "sanctions", properties.sanctions());
  }

  /**
   * Returns the policy authority's keys.
   *
   * @throws IllegalStateException when the key is not configured
   */
  public NoteKeys policy() {
    return keys(POLICY, "policy", properties.policy());
  }

  /** The former keys of an issuer, also where its present one is not configured. */
  public List<NoteKeys.Former> former(String issuer) {
    String name = NAMES.get(issuer);
    if (name == null) {
      throw new IllegalStateException("solidus.trust.former: there is no issuer " + issuer);
    }
    return properties.former().stream()
        .filter(former -> issuer.equals(former.issuer()))
        .map(former -> former(name, former))
        .toList();
  }

  private NoteKeys keys(String name, String issuer, String key) {
    return new NoteKeys(new NoteKey(name, parse("solidus.trust." + issuer, key)), former(issuer));
  }

  private static NoteKeys.Former former(String name, TrustProperties.Former former) {
    Instant until = former.until();
    String key = former.key();
    if (until == null || key == null) {
      throw new IllegalStateException(
          "solidus.trust.former: a former key of "
              + former.issuer()
              + " lacks its key or its time");
    }
    return new NoteKeys.Former(new NoteKey(name, parse("solidus.trust.former", key)), until);
  }

  /** Returns the key of a mint approver. */
  public Optional<Ed25519PublicKey> approver(String name) {
    return Optional.ofNullable(approvers.get(name));
  }

  private static Ed25519PublicKey parse(String property, String base64) {
    if (base64.isEmpty()) {
      throw new IllegalStateException(property + " is not configured");
    }
    try {
      return Ed25519PublicKey.fromBase64(base64);
    } catch (ProtocolException e) {
      throw new IllegalStateException(property + " is not a base64 Ed25519 public key", e);
    }
  }
}
