package io.solidus.wallet.vectors;

import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Scalar;
import io.solidus.wallet.vectors.ReferenceCurve.Point;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A transfer whose outputs the committee signs.
 *
 * @param statement its JSON (F-16)
 * @param h the bases of the outputs
 * @param coin the opening of the payee's coin (F-23)
 */
record SignedTransfer(
    String statement,
    byte[] core,
    byte[] d,
    int period,
    List<BlindedCoin> outputs,
    List<byte[]> h,
    List<FieldElement> messages,
    List<Scalar> b,
    byte[] payoutBlock,
    byte[] memoBlock,
    Map<String, @Nullable Object> coin) {

  Point base(int j) {
    return Point.g1(h.get(j));
  }

  Point k(int j) {
    return Point.g1(outputs.get(j).k().bytes());
  }

  BigInteger message(int j) {
    return messages.get(j).toBigInteger();
  }

  BigInteger blinding(int j) {
    return new BigInteger(1, b.get(j).bytes());
  }

  /** Authority i's partial signature on output j. */
  Point part(int i, int j) {
    return ReferenceCommittee.sign(i, base(j), k(j));
  }

  /** Authority i's partial signatures on both outputs. */
  List<byte[]> points(int i) {
    return List.of(part(i, 0).bytes(), part(i, 1).bytes());
  }

  /** Authority i's answer in JSON (F-21). */
  Map<String, @Nullable Object> partial(int i) {
    return partial(i, core, ReferenceCommittee.EPOCH);
  }

  /** An answer whose vote is for this core and epoch. */
  Map<String, @Nullable Object> partial(int i, byte[] votedFor, int epoch) {
    byte[] vote = ReferenceCommittee.vote(i, votedFor, epoch, points(i));
    return Json.object(
        "authority",
        i,
        "shareEpoch",
        epoch,
        "points",
        points(i).stream().map(Reference::base64Url).toList(),
        "vote",
        Reference.base64Url(vote));
  }
}
