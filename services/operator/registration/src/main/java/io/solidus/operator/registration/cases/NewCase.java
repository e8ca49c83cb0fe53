package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.person.Identity;
import io.solidus.operator.registration.person.Person;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.TxCore;

/**
 * What a case starts from.
 *
 * @param requestKey finds a repetition
 * @param requestDigest tells a repetition from something else under the same key
 */
record NewCase(
    Identity identity,
    Person person,
    RegisterRequest request,
    TxCore core,
    Digest32 requestKey,
    Digest32 requestDigest) {

  @Override
  public String toString() {
    return "NewCase[redacted]";
  }
}
