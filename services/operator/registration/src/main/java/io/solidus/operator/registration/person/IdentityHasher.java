package io.solidus.operator.registration.person;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.TxCore;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Keyed hashes of identities and of what wallets present. Identities can be guessed, so every hash
 * of one is keyed; each use has a key of its own, derived from the pepper. The pepper never
 * changes: another one would let everybody register again.
 */
public final class IdentityHasher {
  private final MacKey identity;
  private final MacKey document;
  private final MacKey personTag;
  private final MacKey request;
  private final MacKey token;

  /**
   * @param pepper 32 bytes; the caller overwrites them
   */
  public IdentityHasher(NetworkId network, byte[] pepper) {
    MacKey root = MacKey.of(pepper).derive(network.digest().bytes());
    identity = root.derive("solidus/identity/v1");
    document = root.derive("solidus/document/v1");
    personTag = root.derive("solidus/person-tag/v1");
    request = root.derive("solidus/registration-request/v1");
    token = root.derive("solidus/case-token/v1");
  }

  public Identity identify(Person person) {
    byte[] whole =
        fields(
            IdentityText.name(person.familyName()),
            IdentityText.name(person.givenName()),
            person.birthDate().toString(),
            person.nationality(),
            IdentityText.documentNumber(person.documentNumber()));
    byte[] paper =
        fields(person.nationality(), IdentityText.documentNumber(person.documentNumber()));
    return new Identity(identity.mac(whole), document.mac(paper), personTag.mac(whole));
  }

  /** Where a repetition of a request is found. */
  public Digest32 requestKey(String idempotencyKey) {
    return request.mac(fields("key", idempotencyKey));
  }

  /**
   * What makes two requests the same: the person and the core; proofs are malleable and may be
   * renewed.
   */
  public Digest32 requestDigest(Identity person, TxCore core) {
    return request.mac(fields("body", person.key().hex(), core.hex()));
  }

  /** What a wallet shows to see its case; recomputed, hence stored nowhere. */
  public Digest32 caseToken(UUID caseId) {
    return token.mac(fields(caseId.toString()));
  }

  /** Each field with its length, so that no two lists of fields give the same bytes. */
  private static byte[] fields(String... values) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      for (String value : values) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        out.writeInt(utf8.length);
        out.write(utf8);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot be written", e);
    }
    return bytes.toByteArray();
  }

  @Override
  public String toString() {
    return "IdentityHasher[redacted]";
  }
}
