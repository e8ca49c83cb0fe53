package io.solidus.loadtest.bench;

import io.solidus.platform.notes.NoteTrust;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Attestation;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Period;
import io.solidus.protocol.ProofBytes;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.Vote;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.RegisterRequestJson;
import io.solidus.wire.json.WireJson;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Well-formed requests that cost their sender next to nothing. For one thread only. */
final class JunkRequests {

  private static final int BLOB_BYTES = 1200;
  private static final int SERIALS = 64;
  private static final int SEED_BYTES = 32;
  private static final int REGISTER_CIRCUIT = 1;

  /** Any period that is over. */
  private static final Period PAST = new Period(202_001);

  private final NetworkId network;
  private final int authorities;
  private final SplittableRandom random;
  private final NoteSigner stranger;

  JunkRequests(NetworkId network, int authorities, long seed) {
    this.network = network;
    this.authorities = authorities;
    this.random = new SplittableRandom(seed);
    this.stranger = NoteSigner.fromSeed(NoteTrust.REGISTRATION, bytes(SEED_BYTES));
  }

  private record Question(List<String> serials) {}

  private record Registration(RegisterRequestJson request, String attestationNote) {}

  private record Message(String blob) {}

  /**
   * The transfer with the proof of another one. Whoever owns a coin can make it: all that is
   * cheaper to verify than the proof is valid.
   */
  static TransferRequest withProofOf(TransferRequest other, TransferRequest transfer) {
    Evidence own = transfer.evidence();
    return new TransferRequest(
        transfer.statement(),
        new Evidence(
            own.policyVersion(),
            own.checkpointVersion(),
            own.circuitVersion(),
            own.rk(),
            own.shows(),
            other.evidence().proof(),
            own.rkSignature()),
        transfer.attachments(),
        List.of());
  }

  /** The transfer in a period that is over, with votes of all authorities that nobody cast. */
  TransferRequest withMadeUpVotes(TransferRequest transfer) {
    TransferStatement own = transfer.statement();
    TransferStatement past =
        new TransferStatement(
            own.family(), own.serials(), own.outputs(), PAST, own.withdrawn(), own.context());
    List<G1Point> points = own.outputs().stream().map(BlindedCoin::k).toList();
    List<PartialSignature> votes =
        IntStream.rangeClosed(1, authorities)
            .mapToObj(authority ->
                new PartialSignature(authority, 0, points, new Vote(bytes(Vote.BYTES))))
            .toList();
    return new TransferRequest(past, transfer.evidence(), transfer.attachments(), votes);
  }

  /** Body of a look-up of as many serial numbers as the gateway allows. */
  String lookUp() {
    return WireJson.write(
        new Question(
            Stream.generate(() -> Base64Url.encode(fieldElement().bytes()))
                .limit(SERIALS)
                .toList()));
  }

  /** Body of a registration that the stranger attests himself. */
  String registration(TransferRequest any) {
    RegisterStatement statement =
        new RegisterStatement(new Apk(fieldElement()), any.statement().outputs().getFirst());
    RegisterRequest request =
        new RegisterRequest(
            statement,
            REGISTER_CIRCUIT,
            any.evidence().rk(),
            bytes(Family.REGISTER.proofBytes()),
            bytes(ProofBytes.RK_SIGNATURE));
    Attestation attestation =
        new Attestation(
            new Digest32(bytes(Digest32.BYTES)),
            statement.core(network),
            statement.apk(),
            System.currentTimeMillis());
    String note = SignedNote.sign(attestation.toNoteText(network), stranger).encode();
    return WireJson.write(new Registration(RegisterRequestJson.of(request), note));
  }

  /** Path of a sanction list that nobody published. */
  String list() {
    return "/v1/sanctions/checkpoints/" + random.nextLong(1_000, Long.MAX_VALUE) + "/list";
  }

  /** Body of a message that nobody can open. */
  String message() {
    return WireJson.write(new Message(Base64Url.encode(bytes(BLOB_BYTES))));
  }

  private FieldElement fieldElement() {
    return FieldElement.reduce(bytes(2 * FieldElement.BYTES));
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
