package io.solidus.operator.registration.person;

import io.solidus.protocol.ProtocolException;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/** Who registers: a natural person or an organisation. {@code toString} is redacted. */
public sealed interface Applicant permits Person, Organisation {

  /** "person" or "organisation", in the API and the database. */
  String kind();

  /** Whether the details were erased; not equal to them are those of who is called so. */
  default boolean isErased() {
    return false;
  }

  /** The whole name. */
  String fullName();

  /** The whole name in Latin letters; null when {@link #fullName} is. */
  @Nullable String latinName();

  /** The number of the identity document, or in the register. */
  String documentNumber();

  /**
   * Checks that no date is in the future.
   *
   * @throws ProtocolException malformed-request when one is
   */
  Applicant requireBornBy(LocalDate today);
}
