package io.solidus.edge.gateway;

import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.platform.notes.NoteTrust;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Attestation;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.NoteKey;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.Period;
import io.solidus.protocol.Policy;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SignedNote;
import io.solidus.wire.v1.GetStatusReply;
import java.util.List;

/** Policies and checkpoints, and the statuses of authorities that return them. */
public final class TestNotes {
  private static final Generators RANDOM = new Generators(31);
  public static final NoteSigner ISSUER = NoteSigner.fromSeed("solidus-policy", RANDOM.bytes(32));

  /** The registration authority that the gateway trusts. */
  static final NoteSigner REGISTRATION =
      NoteSigner.fromSeed(NoteTrust.REGISTRATION, RANDOM.bytes(32));

  private TestNotes() {}

  public static Policy policy(long version) {
    return new Policy(
        version,
        new Period(202611),
        Amount.of(10),
        Amount.of(20),
        Amount.of(30),
        Amount.of(35),
        40,
        Amount.of(50),
        60);
  }

  public static String policyText(long version) {
    return policy(version).toNoteText(TestCommittee.NETWORK);
  }

  public static String checkpointText(long version) {
    return new SanctionCheckpoint(version, RANDOM.fieldElement(), 3, RANDOM.digest(), 1)
        .toNoteText(TestCommittee.NETWORK);
  }

  /** The text with the signatures of the issuer and of an authority. */
  public static SignedNote countersigned(int authority, String text) {
    return SignedNote.sign(text, ISSUER, TestCommittee.regulated().countersigner(authority));
  }

  /** A status with a policy and the version that the authority claims for it. */
  public static GetStatusReply withPolicy(SignedNote policy, long claimedVersion) {
    return GetStatusReply.newBuilder()
        .setPolicyVersion(claimedVersion)
        .setPolicyNote(policy.encode())
        .build();
  }

  public static GetStatusReply withCheckpoint(SignedNote checkpoint, long claimedVersion) {
    return GetStatusReply.newBuilder()
        .setCheckpointVersion(claimedVersion)
        .setCheckpointNote(checkpoint.encode())
        .build();
  }

  /** A note in which {@code signer} attests the registration. */
  static String attestation(RegisterRequest request, NoteSigner signer) {
    Attestation attestation =
        new Attestation(
            RANDOM.digest(),
            request.statement().core(TestCommittee.NETWORK),
            request.statement().apk(),
            1_790_000_000_000L);
    return SignedNote.sign(attestation.toNoteText(TestCommittee.NETWORK), signer).encode();
  }

  public static List<NoteKey> authorityKeys() {
    return TestCommittee.regulated().committee().members().stream()
        .map(CommitteeMember::countersigner)
        .toList();
  }
}
