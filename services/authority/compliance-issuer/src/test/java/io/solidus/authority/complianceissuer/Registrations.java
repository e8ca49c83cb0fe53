package io.solidus.authority.complianceissuer;

import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.platform.notes.NoteTrust;
import io.solidus.protocol.Attestation;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.SignedNote;
import io.solidus.prover.RegisterPlan;
import io.solidus.prover.Suite;
import java.security.SecureRandom;

/**
 * Makes registrations with a real blinded coin. The proofs are random bytes, because only the
 * signer checks them.
 */
final class Registrations {
  private final Generators random = new Generators(new SecureRandom().nextLong());
  private final Suite suite = new Suite(TestCommittee.NETWORK);
  private final NoteSigner authority = NoteSigner.fromSeed(NoteTrust.REGISTRATION, seed(7));

  /** A wallet's keys. */
  record Wallet(FieldElement nk, KeyPoint pkAuth) {}

  static byte[] seed(int value) {
    byte[] seed = new byte[32];
    seed[0] = (byte) value;
    return seed;
  }

  String trustKey() {
    return authority.publicKey().publicKey().base64();
  }

  NoteSigner authority() {
    return authority;
  }

  Wallet wallet() {
    return new Wallet(random.fieldElement(), suite.publicKey(random.keyScalar()));
  }

  Digest32 person() {
    return random.digest();
  }

  /** A request for a new coin of this wallet. */
  RegisterRequest request(Wallet wallet) {
    InputDigest digest =
        InputDigest.register(TestCommittee.NETWORK, suite.apk(wallet.nk(), wallet.pkAuth()));
    BlindedCoin coin = coin(wallet, digest);
    RegisterRequest filler = random.registerRequest();
    return new RegisterRequest(
        new RegisterStatement(suite.apk(wallet.nk(), wallet.pkAuth()), coin),
        1,
        suite.randomisedKey(wallet.pkAuth(), random.keyScalar()),
        filler.proof(),
        filler.rkSignature());
  }

  private BlindedCoin coin(Wallet wallet, InputDigest digest) {
    return suite
        .prepareRegister(
            new RegisterPlan(
                wallet.nk(),
                wallet.pkAuth(),
                digest,
                random.fieldElement(),
                random.fieldElement(),
                random.scalar()))
        .coin();
  }

  Attestation attestation(Digest32 person, RegisterRequest request) {
    return new Attestation(
        person,
        request.statement().core(TestCommittee.NETWORK),
        request.statement().apk(),
        1_700_000_000_000L);
  }

  String note(Digest32 person, RegisterRequest request) {
    return note(attestation(person, request));
  }

  String note(Attestation attestation) {
    return SignedNote.sign(attestation.toNoteText(TestCommittee.NETWORK), authority).encode();
  }
}
