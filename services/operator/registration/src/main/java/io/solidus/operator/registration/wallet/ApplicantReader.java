package io.solidus.operator.registration.wallet;

import io.solidus.operator.registration.RegistrationProperties;
import io.solidus.operator.registration.person.Applicant;
import io.solidus.protocol.ProtocolException;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads who registers, or whose details change. */
@Component
public class ApplicantReader {
  private final int ownerThresholdPercent;

  ApplicantReader(RegistrationProperties properties) {
    this.ownerThresholdPercent = properties.ownerThresholdPercent();
  }

  /** From which share on an organisation names its owners. */
  public int ownerThresholdPercent() {
    return ownerThresholdPercent;
  }

  /**
   * Reads a person or an organisation.
   *
   * @throws ProtocolException malformed-request, also when there are both or neither
   */
  public Applicant read(@Nullable PersonJson person, @Nullable OrganisationJson organisation) {
    if (person != null && organisation == null) {
      return person.toDomain();
    }
    if (organisation != null && person == null) {
      return organisation.toDomain().requireOwners(ownerThresholdPercent);
    }
    throw ProtocolException.malformed("a registration has a person or an organisation");
  }
}
