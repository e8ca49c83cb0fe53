package io.solidus.operator.registration.person;

import io.solidus.protocol.Digest32;

/**
 * What the registration knows a person by. Keyed hashes: without the key they tell nothing.
 *
 * @param key equal for equal persons, whatever the spelling
 * @param documentKey equal for equal documents, whoever shows them
 * @param personTag what attestations carry; unrelated to the other two for who does not hold the
 *     key
 */
public record Identity(Digest32 key, Digest32 documentKey, Digest32 personTag) {

  @Override
  public String toString() {
    return "Identity[redacted]";
  }
}
