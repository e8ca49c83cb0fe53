package io.solidus.loadtest.byzantine;

import com.google.protobuf.ByteString;
import io.solidus.dev.testkit.RepositoryFiles;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.MintId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.ShardMap;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.protocol.Vote;
import io.solidus.prover.Share;
import io.solidus.wire.v1.PartialSignature;
import io.solidus.wire.v1.Rejection;
import io.solidus.wire.v1.SubmitReply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The answers of one faulty authority. It has its own share and the share of another authority,
 * with which it colludes; a share of another committee stands for an old or stolen key.
 */
final class FaultyAnswers implements AutoCloseable {
  private static final int HUGE = 3 << 20;
  private static final int MANY_WORDS = 500_000;
  private static final ByteString OFF_CURVE = vector("y plus one");
  private static final ByteString OUTSIDE = vector("order 3");

  private static final TxCore OTHER = new TxCore(Digest32.of(new byte[Digest32.BYTES]));

  private final ForgedNetwork network;
  private final HonestAuthority self;
  private final Share peer;
  private final int peerIndex;
  private final Ed25519PrivateKey peerNoteKey;
  private final Share stranger;
  private final Random random;
  private final AtomicLong maps = new AtomicLong(1);
  private volatile @Nullable SubmitReply earlier;

  FaultyAnswers(ForgedNetwork network, HonestAuthority self, Share stranger, Random random) {
    this.network = network;
    this.self = self;
    this.stranger = stranger;
    this.random = random;
    this.peerIndex = self.index % network.committee.n() + 1;
    this.peer = network.keys.share(peerIndex);
    this.peerNoteKey = network.keys.noteKey(peerIndex);
  }

  /** The bytes of an answer, which may be no message. */
  byte[] bytes(Attack attack, TransferRequest request) {
    Attack now = attack == Attack.ANY ? drawn() : attack;
    if (now == Attack.GARBAGE) {
      return new byte[] {10, 127, 1, 2, 3};
    }
    SubmitReply truth = self.sign(request.statement());
    SubmitReply before = earlier;
    earlier = truth;
    SubmitReply answer = answer(now, request.statement(), truth, before);
    TxCore core = request.statement().core(ForgedNetwork.NETWORK);
    SubmitReply voted =
        switch (now) {
          case OTHER_CORE -> answer;
          case OTHER_VOTE -> voted(answer, OTHER, self.noteKey);
          case PEER_VOTE -> voted(answer, core, peerNoteKey);
          default -> voted(answer, core, self.noteKey);
        };
    return voted.toByteArray();
  }

  /** The answer with a vote for its points, wherever they are points. */
  private static SubmitReply voted(SubmitReply answer, TxCore core, Ed25519PrivateKey noteKey) {
    if (!answer.hasSigned()) {
      return answer;
    }
    PartialSignature.Builder partial = answer.getSigned().toBuilder();
    try {
      List<G1Point> points =
          partial.getPointsList().stream().map(point -> new G1Point(point.toByteArray())).toList();
      Vote vote = Vote.sign(noteKey, core, partial.getShareEpoch(), points);
      partial.setVote(ByteString.copyFrom(vote.bytes()));
    } catch (ProtocolException e) {
      partial.setVote(ByteString.copyFrom(new byte[Vote.BYTES]));
    }
    return answer.toBuilder().setSigned(partial).build();
  }

  private synchronized Attack drawn() {
    return Attack.answers().get(random.nextInt(Attack.answers().size()));
  }

  private SubmitReply answer(
      Attack attack, TransferStatement statement, SubmitReply truth, @Nullable SubmitReply before) {
    return switch (attack) {
      case RANDOM_POINT -> points(truth, p -> bytes(statement.outputs().getFirst().k()));
      case IDENTITY -> points(truth, p -> ByteString.copyFrom(new byte[G1Point.BYTES]));
      case OFF_CURVE -> points(truth, p -> OFF_CURVE);
      case WRONG_SUBGROUP -> points(truth, p -> OUTSIDE);
      case NOT_CANONICAL -> points(truth, p -> ByteString.fromHex("ff".repeat(G1Point.BYTES)));
      case OTHER_MESSAGE ->
          signed(
              self.index,
              self.share,
              statement,
              InputDigest.mint(ForgedNetwork.NETWORK, mint(), ForgedNetwork.RULES.withdrawn()));
      case OTHER_CORE -> before == null ? voted(truth, OTHER, self.noteKey) : before;
      case PEER_SHARE -> signed(self.index, peer, statement);
      case PEER_ANSWER -> signed(peerIndex, peer, statement);
      case PEER_NUMBER -> signed(peerIndex, self.share, statement);
      case OTHER_KEY -> signed(self.index, stranger, statement);
      case OTHER_EPOCH -> partial(truth, p -> p.setShareEpoch(network.committee.epoch() + 1));
      case SWAPPED -> partial(truth, FaultyAnswers::reversed);
      case LAST_WRONG -> partial(truth, p -> p.setPoints(p.getPointsCount() - 1, p.getPoints(0)));
      case TOO_FEW ->
          partial(truth, p -> p.clearPoints().addPoints(truth.getSigned().getPoints(0)));
      case TOO_MANY -> partial(truth, p -> p.addPoints(p.getPoints(0)));
      case NO_POINTS -> partial(truth, PartialSignature.Builder::clearPoints);
      case EMPTY_REPLY -> SubmitReply.getDefaultInstance();
      case HUGE -> partial(truth, p -> p.addPoints(ByteString.copyFrom(new byte[HUGE])));
      case SAYS_CONFLICT -> HonestAuthority.refusal(RejectionCode.SERIAL_CONFLICT);
      case SAYS_INVALID -> HonestAuthority.refusal(RejectionCode.PROOF_INVALID);
      case SAYS_LATER -> HonestAuthority.refusal(RejectionCode.STALE_POLICY);
      case SAYS_OVERLOADED ->
          refusal(RejectionCode.OVERLOADED.code(), r -> r.setRetryAfterMillis(-1));
      case SAYS_NONSENSE -> refusal("no-such-code", r -> r.setDetail("x".repeat(MANY_WORDS)));
      case NO_MAP -> refusal(RejectionCode.SHARD_MOVED.code(), r -> r);
      case FORGED_MAP ->
          moved(ShardMap.equal(self.index, 9999, 1), network.keys.noteSigner(peerIndex));
      case TWO_MAPS -> twoMaps();
      case OTHER_VOTE, PEER_VOTE, SIGNS_BOTH, DRIPS, CUTS -> truth;
      case GARBAGE, WITHHOLDS, FAILS, ANY ->
          throw new IllegalArgumentException(attack + " is no message");
    };
  }

  /** Two signed maps of one version: the gateway accepts the first, the second contradicts it. */
  private SubmitReply twoMaps() {
    long step = maps.incrementAndGet();
    long version = 2 + step / 2;
    return moved(ShardMap.equal(self.index, version, step % 2 == 0 ? 2 : 1), self.notes);
  }

  private static SubmitReply moved(ShardMap map, NoteSigner signer) {
    String note = map.sign(ForgedNetwork.NETWORK, signer);
    return refusal(RejectionCode.SHARD_MOVED.code(), r -> r.setShardMapNote(note));
  }

  private static SubmitReply refusal(String code, UnaryOperator<Rejection.Builder> more) {
    return SubmitReply.newBuilder()
        .setRejected(more.apply(Rejection.newBuilder().setCode(code)))
        .build();
  }

  private SubmitReply signed(int as, Share with, TransferStatement statement) {
    return signed(as, with, statement, statement.inputDigest(ForgedNetwork.NETWORK));
  }

  private SubmitReply signed(int as, Share with, TransferStatement statement, InputDigest d) {
    PartialSignature.Builder partial =
        PartialSignature.newBuilder().setAuthority(as).setShareEpoch(network.committee.epoch());
    Outputs outputs = new Outputs(d, statement.period(), statement.outputs());
    for (int j = 0; j < outputs.coins().size(); j++) {
      partial.addPoints(bytes(with.sign(ForgedNetwork.NETWORK, outputs, j)));
    }
    return SubmitReply.newBuilder().setSigned(partial).build();
  }

  private static SubmitReply points(SubmitReply truth, UnaryOperator<ByteString> change) {
    return partial(
        truth,
        p -> {
          List<ByteString> points = p.getPointsList().stream().map(change).toList();
          return p.clearPoints().addAllPoints(points);
        });
  }

  private static PartialSignature.Builder reversed(PartialSignature.Builder partial) {
    List<ByteString> points = new ArrayList<>(partial.getPointsList());
    Collections.reverse(points);
    return partial.clearPoints().addAllPoints(points);
  }

  private static SubmitReply partial(
      SubmitReply truth, UnaryOperator<PartialSignature.Builder> change) {
    return SubmitReply.newBuilder().setSigned(change.apply(truth.getSigned().toBuilder())).build();
  }

  private static ByteString bytes(G1Point point) {
    return ByteString.copyFrom(point.bytes());
  }

  private static MintId mint() {
    return new MintId(Digest32.of(new byte[Digest32.BYTES]));
  }

  /** An invalid point of the vectors shared with Go. */
  private static ByteString vector(String name) {
    for (JsonNode c : RepositoryFiles.vectors("g1").path("cases")) {
      if (c.path("name").asString("").equals(name)) {
        return ByteString.copyFrom(
            HexFormat.of().parseHex(c.path("in").path("bytes").asString("")));
      }
    }
    throw new IllegalStateException("no vector " + name);
  }

  @Override
  public void close() {
    peer.close();
    peerNoteKey.close();
  }
}
