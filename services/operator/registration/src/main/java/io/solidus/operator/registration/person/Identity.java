package io.solidus.operator.registration.person;

import io.solidus.protocol.Digest32;

/**
 * The hashes that identify a person. They are keyed, so without the key they reveal nothing.
 *
 * @param key equal for the same person in every spelling
 * @param documentKey equal for the same document, even with another name
 * @param personTag part of attestations; without the key it cannot be linked to the other two
 */
public record Identity(Digest32 key, Digest32 documentKey, Digest32 personTag) {

  @Override
  public String toString() {
    return "Identity[redacted]";
  }
}
