package io.solidus.dev.testkit.world;

import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Committee;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TransferStatement;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeException;
import io.solidus.prover.Share;
import io.solidus.prover.Suite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * All shares of a test network in one place: signs first coins without a story, and certificates
 * for the finish rule.
 */
public final class TestCommittee {

  private final Suite suite;
  private final Committee committee;
  private final Map<Integer, Share> shares = new LinkedHashMap<>();

  private TestCommittee(Suite suite, Committee committee) {
    this.suite = suite;
    this.committee = committee;
  }

  static TestCommittee open(TestKeys keys) {
    TestCommittee all = new TestCommittee(new Suite(keys.network(), keys.kind()), keys.members());
    for (int i = 1; i <= keys.members().n(); i++) {
      JsonNode share = read(keys, i);
      byte[] x = HexFormat.of().parseHex(share.get("x").asString());
      byte[] y = HexFormat.of().parseHex(share.get("y").asString());
      all.shares.put(i, Share.open(x, y, i));
    }
    return all;
  }

  public static byte[] noteKeySeed(TestKeys keys, int authority) {
    return HexFormat.of().parseHex(read(keys, authority).get("noteKeySeed").asString());
  }

  public Suite suite() {
    return suite;
  }

  /**
   * A signature on a message as if it had been issued; empty when the message has no short
   * exponent.
   */
  public Optional<Signature> sign(FieldElement message) {
    InputDigest d = new InputDigest(TestRandom.field());
    Scalar b = TestRandom.scalar();
    BlindedCoin coin;
    try {
      coin = suite.blind(message, TestRandom.field(), b, d);
    } catch (NativeException e) {
      if (e.code() == NativeErrorCode.RETRY_SEED) {
        return Optional.empty();
      }
      throw e;
    }
    Map<Integer, G1Point> partials = new LinkedHashMap<>();
    for (int i = 1; i <= committee.quorum(); i++) {
      partials.put(i, shares.get(i).sign(suite, coin, d));
    }
    return Optional.of(suite.unblind(committee, coin, d, suite.combine(committee, partials), b));
  }

  /** What authority {@code i} would answer for this statement. */
  public PartialSignature partial(int i, TransferStatement statement) {
    InputDigest d = statement.inputDigest(suite.network());
    return new PartialSignature(
        i,
        committee.epoch(),
        statement.outputs().stream().map(o -> shares.get(i).sign(suite, o, d)).toList());
  }

  private static JsonNode read(TestKeys keys, int authority) {
    try {
      return JsonMapper.shared().readTree(Files.readString(keys.shareFile(authority)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
