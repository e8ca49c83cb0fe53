package io.solidus.edge.gateway;

import com.google.protobuf.ByteString;
import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RepositoryFiles;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.TxCore;
import io.solidus.protocol.Vote;
import io.solidus.prover.Share;
import io.solidus.wire.v1.PartialSignature;
import io.solidus.wire.v1.SubmitReply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Makes partial signatures of one authority, valid or invalid as its behaviour says. */
final class FakeSignatures implements AutoCloseable {
  private static final int HUGE = 3 << 20;

  private final TestCommittee committee;
  private final int index;
  private final Share own;
  private final Share foreign;
  private final TxCore otherCore = new TxCore(Digest32.of(new byte[Digest32.BYTES]));
  private final BlindedCoin otherCoin = TestRequests.blindedCoin(new Generators(99));

  FakeSignatures(TestCommittee committee, int index) {
    this.committee = committee;
    this.index = index;
    this.own = committee.openShare(index);
    this.foreign = committee.openShare(index % TestCommittee.N + 1);
  }

  SubmitReply reply(AuthorityBehaviour behaviour, TxCore core, Outputs outputs, int shareEpoch) {
    PartialSignature.Builder partial =
        PartialSignature.newBuilder().setAuthority(index).setShareEpoch(shareEpoch);
    List<ByteString> points = new ArrayList<>();
    for (int j = 0; j < outputs.coins().size(); j++) {
      points.add(point(behaviour, outputs, j));
    }
    switch (behaviour) {
      case EMPTY_REPLY -> {
        return SubmitReply.getDefaultInstance();
      }
      case HUGE_REPLY -> points.add(ByteString.copyFrom(new byte[HUGE]));
      case WRONG_INDEX, ANSWER_OF_ANOTHER -> partial.setAuthority(index % TestCommittee.N + 1);
      case TOO_FEW_POINTS -> points.removeLast();
      case SWAPPED_POINTS -> Collections.reverse(points);
      default -> {
        // the points themselves are invalid, or the reply is valid
      }
    }
    partial.addAllPoints(points);
    return SubmitReply.newBuilder().setSigned(voted(behaviour, core, partial)).build();
  }

  /** Adds the authority's vote for what it answers, even if that is wrong. */
  private PartialSignature.Builder voted(
      AuthorityBehaviour behaviour, TxCore core, PartialSignature.Builder partial) {
    TxCore voted = behaviour == AuthorityBehaviour.VOTE_FOR_OTHER_CORE ? otherCore : core;
    boolean foreignVote =
        behaviour == AuthorityBehaviour.VOTE_OF_ANOTHER
            || behaviour == AuthorityBehaviour.ANSWER_OF_ANOTHER;
    try (Ed25519PrivateKey noteKey = foreignVote ? foreignNoteKey() : ownNoteKey()) {
      List<G1Point> points =
          partial.getPointsList().stream().map(point -> new G1Point(point.toByteArray())).toList();
      Vote vote = Vote.sign(noteKey, voted, partial.getShareEpoch(), points);
      return partial.setVote(ByteString.copyFrom(vote.bytes()));
    } catch (ProtocolException e) {
      // no vote is possible for bytes that are not a point
      return partial.setVote(ByteString.copyFrom(new byte[Vote.BYTES]));
    }
  }

  private Ed25519PrivateKey ownNoteKey() {
    return committee.noteKey(index);
  }

  private Ed25519PrivateKey foreignNoteKey() {
    return committee.noteKey(index % TestCommittee.N + 1);
  }

  private ByteString point(AuthorityBehaviour behaviour, Outputs outputs, int j) {
    return switch (behaviour) {
      case RANDOM_POINT -> bytes(otherCoin.k());
      case IDENTITY -> ByteString.copyFrom(new byte[G1Point.BYTES]);
      case SMALL_ORDER_POINT -> vector("order 3");
      case OFF_CURVE -> vector("y plus one");
      case WRONG_SHARE, ANSWER_OF_ANOTHER -> bytes(foreign.sign(TestCommittee.NETWORK, outputs, j));
      case OTHER_STATEMENT -> bytes(own.sign(TestCommittee.NETWORK, other(outputs), j));
      default -> bytes(own.sign(TestCommittee.NETWORK, outputs, j));
    };
  }

  private Outputs other(Outputs outputs) {
    return new Outputs(
        outputs.d(), outputs.period(), Collections.nCopies(outputs.coins().size(), otherCoin));
  }

  @Override
  public void close() {
    own.close();
    foreign.close();
  }

  private static ByteString bytes(G1Point point) {
    return ByteString.copyFrom(point.bytes());
  }

  /** An invalid point from the test vectors shared with Go. */
  private static ByteString vector(String name) {
    for (JsonNode c : RepositoryFiles.vectors("g1").path("cases")) {
      if (c.path("name").asString("").equals(name)) {
        return ByteString.copyFrom(
            HexFormat.of().parseHex(c.path("in").path("bytes").asString("")));
      }
    }
    throw new IllegalStateException("no vector " + name);
  }
}
