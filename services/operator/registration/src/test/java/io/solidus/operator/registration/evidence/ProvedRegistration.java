package io.solidus.operator.registration.evidence;

import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.KeySet;
import io.solidus.prover.PreparedRegister;
import io.solidus.prover.Prover;
import io.solidus.prover.RegisterPlan;
import io.solidus.prover.RegisterWitness;
import io.solidus.prover.Suite;
import java.security.SecureRandom;

/** Makes registrations with a real proof, as a wallet does. */
public final class ProvedRegistration {
  private ProvedRegistration() {}

  public static RegisterRequest make(KeySet keys) {
    Generators random = new Generators(new SecureRandom().nextLong());
    Suite suite = new Suite(TestCommittee.NETWORK);
    FieldElement nk = random.fieldElement();
    KeyScalar a = random.keyScalar();
    KeyScalar alpha = random.keyScalar();
    KeyPoint pkAuth = suite.publicKey(a);
    InputDigest d = InputDigest.register(TestCommittee.NETWORK, suite.apk(nk, pkAuth));
    RegisterPlan plan =
        new RegisterPlan(
            nk, pkAuth, d, random.fieldElement(), random.fieldElement(), random.scalar());
    PreparedRegister prepared = suite.prepareRegister(plan);
    RegisterStatement statement = new RegisterStatement(suite.apk(nk, pkAuth), prepared.coin());
    TxCore core = statement.core(TestCommittee.NETWORK);
    return new RegisterRequest(
        statement,
        keys.circuitVersion(Family.REGISTER),
        suite.randomisedKey(pkAuth, alpha),
        prove(keys, new RegisterWitness(core, plan, alpha)),
        suite.signCore(a, alpha, core));
  }

  private static byte[] prove(KeySet keys, RegisterWitness witness) {
    try (Prover prover = Prover.open(keys, 1)) {
      return prover.proveRegister(witness);
    }
  }
}
