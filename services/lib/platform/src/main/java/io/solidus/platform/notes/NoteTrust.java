package io.solidus.platform.notes;

import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.NoteKey;
import io.solidus.protocol.ProtocolException;
import java.util.LinkedHashMap;
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

  private final TrustProperties properties;
  private final Map<String, Ed25519PublicKey> approvers;

  /**
   * @throws IllegalStateException for an approver's key that is not a key
   */
  public NoteTrust(TrustProperties properties) {
    this.properties = properties;
    Map<String, Ed25519PublicKey> keys = new LinkedHashMap<>();
    properties
        .approvers()
        .forEach((name, key) -> keys.put(name, parse("solidus.trust.approvers." + name, key)));
    this.approvers = Map.copyOf(keys);
  }

  /**
   * Returns the registration authority's key.
   *
   * @throws IllegalStateException when the key is not configured
   */
  public NoteKey registration() {
    return new NoteKey(
        REGISTRATION, parse("solidus.trust.registration", properties.registration()));
  }

  /**
   * Returns the sanctions service's key.
   *
   * @throws IllegalStateException when the key is not configured
   */
  public NoteKey sanctions() {
    return new NoteKey(SANCTIONS, parse("solidus.trust.sanctions", properties.sanctions()));
  }

  /**
   * Returns the policy authority's key.
   *
   * @throws IllegalStateException when the key is not configured
   */
  public NoteKey policy() {
    return new NoteKey(POLICY, parse("solidus.trust.policy", properties.policy()));
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
