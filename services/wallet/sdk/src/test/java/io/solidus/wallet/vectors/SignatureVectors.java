package io.solidus.wallet.vectors;

import static io.solidus.wallet.vectors.Reference.ascii;
import static io.solidus.wallet.vectors.Reference.base64Url;
import static io.solidus.wallet.vectors.Reference.hex;
import static io.solidus.wallet.vectors.Reference.join;
import static io.solidus.wallet.vectors.VectorFile.in;
import static io.solidus.wallet.vectors.WalletVectors.NETWORK;
import static io.solidus.wallet.vectors.WalletVectors.element;
import static io.solidus.wallet.vectors.WalletVectors.uniform;

import io.solidus.protocol.FieldElement;
import io.solidus.wallet.vectors.ReferenceCurve.Point;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes the vectors of what a committee signs and what becomes of it. */
final class SignatureVectors {
  private final VectorFile file;
  private final SignedTransfer transfer;
  private final String committee = Json.text(ReferenceCommittee.json());

  SignatureVectors(VectorFile file, SignedTransfer transfer) {
    this.file = file;
    this.transfer = transfer;
  }

  void make() {
    signatures();
    votes();
    answers();
  }

  // S-03 to S-10

  private static BigInteger number(byte[] bytes) {
    return new BigInteger(1, bytes);
  }

  private static String hexOf(Point... points) {
    StringBuilder out = new StringBuilder();
    for (Point point : points) {
      out.append(hex(point.bytes()));
    }
    return out.toString();
  }

  private static String hexOf(BigInteger value) {
    return FieldElement.of(value).hex();
  }

  /** The outputs of the transfer, and which of them it is about. */
  private Map<String, Object> output(int j) {
    Map<String, Object> in = in("network", NETWORK, "d", hex(transfer.d()), "j", j);
    in.put("period", Integer.toString(transfer.period()));
    in.put("cm", transfer.outputs().stream().map(coin -> coin.cm().hex()).toList());
    in.put("k", transfer.outputs().stream().map(coin -> coin.k().hex()).toList());
    return in;
  }

  private void signatures() {
    for (int j = 0; j < 2; j++) {
      for (int i = 1; i <= ReferenceCommittee.N; i++) {
        String name = "authority " + i + ", output " + j;
        Map<String, Object> in = output(j);
        in.putAll(in("x", hexOf(ReferenceCommittee.x(i)), "y", hexOf(ReferenceCommittee.y(i))));
        file.good("partialSignature", name, in, hexOf(transfer.part(i, j)));
        file.good(
            "checkPartial", name, partial(j, i, transfer.part(i, j)), hexOf(transfer.part(i, j)));
      }
    }
    notPartial("another authority's", partial(0, 2, transfer.part(1, 0)));
    notPartial("of another output", partial(0, 1, transfer.part(1, 1)));
    Point moved = transfer.part(1, 0).plus(ReferenceCommittee.gamma(1));
    notPartial("of another k", partial(0, 1, moved));

    List<List<Integer>> quorums = List.of(List.of(1, 2, 3), List.of(2, 3, 4), List.of(4, 1, 3));
    for (List<Integer> quorum : quorums) {
      Map<Integer, Point> parts = new TreeMap<>();
      quorum.forEach(i -> parts.put(i, transfer.part(i, 0)));
      Map<String, Object> in = in("f", ReferenceCommittee.F);
      in.put("authorities", quorum.stream().map(Object::toString).toList());
      in.put("points", quorum.stream().map(i -> hexOf(transfer.part(i, 0))).toList());
      file.good("combine", "authorities " + quorum, in, hexOf(ReferenceCommittee.combine(parts)));
    }
    for (int j = 0; j < 2; j++) {
      Map<String, Object> in = output(j);
      in.putAll(in("y1", hexOf(ReferenceCommittee.gamma(0)), "b", hexOf(transfer.blinding(j))));
      in.put("combined", hexOf(combined(j)));
      file.good("unblind", "output " + j, in, hexOf(transfer.base(j), unblinded(j)));
      file.good(
          "verify",
          "output " + j,
          verified(transfer.message(j), transfer.base(j), unblinded(j)),
          signature(j));
    }
    BigInteger other = transfer.message(0).add(BigInteger.ONE);
    notSigned("another message", verified(other, transfer.base(0), unblinded(0)));
    notSigned("still blinded", verified(transfer.message(0), transfer.base(0), combined(0)));
    notSigned("another base", verified(transfer.message(0), transfer.base(1), unblinded(0)));
    shown();
  }

  private void notPartial(String name, Map<String, Object> in) {
    file.bad("checkPartial", name, in, "signature-invalid");
  }

  private void notSigned(String name, Map<String, Object> in) {
    file.bad("verify", name, in, "signature-invalid");
  }

  private Map<String, Object> partial(int j, int member, Point point) {
    Map<String, Object> in = output(j);
    in.put("memberX", hexOf(ReferenceCommittee.publicX(member)));
    in.put("memberY", hexOf(ReferenceCommittee.publicY(member)));
    in.put("gamma", hexOf(ReferenceCommittee.gamma(member)));
    in.put("point", hexOf(point));
    return in;
  }

  private Point combined(int j) {
    Map<Integer, Point> parts = new TreeMap<>();
    List.of(1, 2, 3).forEach(i -> parts.put(i, transfer.part(i, j)));
    return ReferenceCommittee.combine(parts);
  }

  private Point unblinded(int j) {
    return ReferenceCommittee.unblind(combined(j), transfer.blinding(j));
  }

  private String signature(int j) {
    return hexOf(transfer.base(j), unblinded(j));
  }

  /** The committee's key, as those who verify a signature need it. */
  private static Map<String, Object> key() {
    return in("x", hexOf(ReferenceCommittee.publicX(0)), "y", hexOf(ReferenceCommittee.publicY(0)));
  }

  private static Map<String, Object> verified(BigInteger message, Point s1, Point s2) {
    Map<String, Object> in = key();
    in.putAll(in("message", hexOf(message), "signature", hexOf(s1, s2)));
    return in;
  }

  private void shown() {
    BigInteger t = number(element("t"));
    BigInteger o = number(element("o"));
    Point s1 = transfer.base(0).power(t);
    Point s2 = unblinded(0).power(t);
    file.good("randomise", "output 0", in("signature", signature(0), "t", hexOf(t)), hexOf(s1, s2));
    Point m = s1.power(transfer.message(0)).plus(ReferenceCurve.G1.power(o));
    Point s = s2.plus(ReferenceCommittee.gamma(0).power(o));
    Map<String, Object> in = in("y1", hexOf(ReferenceCommittee.gamma(0)), "t", hexOf(t));
    in.putAll(in("o", hexOf(o), "signature", signature(0), "message", hexOf(transfer.message(0))));
    file.good("show", "output 0", in, hexOf(s1, m, s));
    file.good("verifyShown", "output 0", shown(s1, m, s), hexOf(s1, m, s));
    notShown("another message", shown(s1, m.plus(s1), s));
    notShown("not randomised", shown(transfer.base(0), m, s));
    notShown("another opening", shown(s1, m, s2));
  }

  private void notShown(String name, Map<String, Object> in) {
    file.bad("verifyShown", name, in, "shown-signature-invalid");
  }

  private static Map<String, Object> shown(Point h, Point m, Point s) {
    Map<String, Object> in = key();
    in.put("shown", hexOf(h, m, s));
    return in;
  }

  // V-19, F-21, F-22

  private static Map<String, Object> voteInputs(byte[] core, int epoch, List<byte[]> points) {
    Map<String, Object> in = in("core", hex(core), "epoch", epoch);
    in.put("points", points.stream().map(Reference::hex).toList());
    return in;
  }

  private void votes() {
    byte[] core = transfer.core();
    int epoch = ReferenceCommittee.EPOCH;
    byte[] message = ReferenceCommittee.voteMessage(core, epoch, transfer.points(1));
    byte[] vote = ReferenceCommittee.vote(1, core, epoch, transfer.points(1));
    Map<String, Object> in = voteInputs(core, epoch, transfer.points(1));
    in.putAll(in("seed", hex(ReferenceCommittee.noteSeed(1)), "message", hex(message)));
    file.good("vote", "transfer", in, hex(vote));
    List<byte[]> one = transfer.points(2).subList(0, 1);
    in = voteInputs(core, 0, one);
    in.putAll(in("seed", hex(ReferenceCommittee.noteSeed(2))));
    in.put("message", hex(ReferenceCommittee.voteMessage(core, 0, one)));
    file.good("vote", "one output, epoch 0", in, hex(ReferenceCommittee.vote(2, core, 0, one)));

    file.good("checkVote", "transfer", voted(1, core, epoch, transfer.points(1), vote), hex(vote));
    notVoted("another core", voted(1, uniform("core", 32), epoch, transfer.points(1), vote));
    notVoted("another epoch", voted(1, core, epoch + 1, transfer.points(1), vote));
    notVoted("a point less", voted(1, core, epoch, transfer.points(1).subList(0, 1), vote));
    notVoted("another order", voted(1, core, epoch, transfer.points(1).reversed(), vote));
    notVoted("another authority", voted(2, core, epoch, transfer.points(1), vote));
    byte[] label = ascii("solidus/vote/v1");
    byte[] bare = join(label, Arrays.copyOfRange(message, label.length + 1, message.length));
    byte[] unseparated = Reference.ed25519(ReferenceCommittee.noteSeed(1), bare);
    notVoted("without the zero byte", voted(1, core, epoch, transfer.points(1), unseparated));
  }

  private void notVoted(String name, Map<String, Object> in) {
    file.bad("checkVote", name, in, "signature-invalid");
  }

  private static Map<String, Object> voted(
      int authority, byte[] core, int epoch, List<byte[]> points, byte[] vote) {
    Map<String, Object> in = voteInputs(core, epoch, points);
    in.putAll(in("key", hex(ReferenceCommittee.noteKey(authority)), "vote", hex(vote)));
    return in;
  }

  private void answers() {
    Map<String, @Nullable Object> good = transfer.partial(1);
    Map<String, @Nullable Object> foreign =
        transfer.partial(2, uniform("core", 32), ReferenceCommittee.EPOCH);
    Map<String, @Nullable Object> older =
        transfer.partial(3, transfer.core(), ReferenceCommittee.EPOCH - 1);
    List<Map<String, @Nullable Object>> three =
        List.of(good, transfer.partial(2), transfer.partial(3));
    List<Point> right = List.of(combined(0), combined(1));
    answer("combined", List.of(), right);
    answer("not combined", three, List.of());
    answer("combined wrong", three, right.reversed());
    answer(
        "a vote for another core",
        List.of(good, foreign, transfer.partial(3), transfer.partial(4)),
        List.of());
    noQuorum("one authority three times", List.of(good, good, good));
    noQuorum("two votes for another core", List.of(good, foreign, transfer.partial(3)));
    noQuorum("another epoch", List.of(good, transfer.partial(2), older));
  }

  private void answer(
      String name, List<Map<String, @Nullable Object>> partials, List<Point> combined) {
    String both = signature(0) + signature(1);
    file.good("signed", name, answerInputs(partials, combined), both);
  }

  private void noQuorum(String name, List<Map<String, @Nullable Object>> partials) {
    file.bad("signed", name, answerInputs(partials, List.of()), "no-quorum");
  }

  private Map<String, Object> answerInputs(
      List<Map<String, @Nullable Object>> partials, List<Point> combined) {
    List<String> points = combined.stream().map(point -> base64Url(point.bytes())).toList();
    Map<String, Object> in = in("network", NETWORK, "committee", committee);
    in.put("statement", transfer.statement());
    in.put("messages", List.of(hexOf(transfer.message(0)), hexOf(transfer.message(1))));
    in.put("b", List.of(hexOf(transfer.blinding(0)), hexOf(transfer.blinding(1))));
    in.put("answer", Json.text(Json.object("partials", partials, "combined", points)));
    return in;
  }
}
