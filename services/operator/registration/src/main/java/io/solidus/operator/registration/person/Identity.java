package io.solidus.operator.registration.person;

import io.solidus.protocol.Digest32;

/**
 * The hashes of what an applicant says of herself. They are keyed, so without the key they reveal
 * nothing but equality. None of them is the person: that is an id of its own.
 *
 * @param detailsKey equal for the same details in every spelling
 * @param documentKey equal for the same document, even with another name
 * @param birthKey equal for the same birth date
 */
public record Identity(Digest32 detailsKey, Digest32 documentKey, Digest32 birthKey) {

  @Override
  public String toString() {
    return "Identity[redacted]";
  }
}
