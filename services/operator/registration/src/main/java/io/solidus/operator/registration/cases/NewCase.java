package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.person.Applicant;
import io.solidus.operator.registration.person.Identity;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.TxCore;

/**
 * The data of a case that is to be created.
 *
 * @param requestKey the key under which a repeated request is found
 * @param requestDigest distinguishes a repeated request from another one with the same key
 */
record NewCase(
    Identity identity,
    Applicant person,
    RegisterRequest request,
    TxCore core,
    Digest32 requestKey,
    Digest32 requestDigest,
    String bank) {

  @Override
  public String toString() {
    return "NewCase[redacted]";
  }
}
