package io.solidus.platform.notes;

import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.NoteKey;
import io.solidus.protocol.ProtocolException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The keys whose signatures a service believes. The authorities' own note keys come with the
 * committee.
 */
public final class NoteTrust {
  public static final String REGISTRATION = "solidus-registration";
  public static final String SANCTIONS = "solidus-sanctions";
  public static final String POLICY = "solidus-policy";

  private final TrustProperties properties;
  private final Map<String, Ed25519PublicKey> approvers;

  /**
   * @throws IllegalStateException for an approver's key that is no key
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
   * @throws IllegalStateException when the key is not configured; likewise below
   */
  public NoteKey registration() {
    return new NoteKey(
        REGISTRATION, parse("solidus.trust.registration", properties.registration()));
  }

  public NoteKey sanctions() {
    return new NoteKey(SANCTIONS, parse("solidus.trust.sanctions", properties.sanctions()));
  }

  public NoteKey policy() {
    return new NoteKey(POLICY, parse("solidus.trust.policy", properties.policy()));
  }

  /** The key of one who may approve mints. */
  public Optional<Ed25519PublicKey> approver(String name) {
    return Optional.ofNullable(approvers.get(name));
  }

  /** The name an authority countersigns under. */
  public static String authorityName(int authority) {
    return CommitteeMember.noteName(authority);
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
