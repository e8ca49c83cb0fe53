package io.solidus.prover;

import io.solidus.protocol.Amount;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.Scalar;
import java.util.List;

/**
 * The values that a wallet chooses before the outputs of a recover are made.
 *
 * @param cores of X1 and X2; twice the same for one core
 * @param chain whether X2 spends the successor of a core in {X1} and below(X1)
 * @param covered whether every transfer in {X2} and below(X2) is in {X1} or below(X1)
 * @param held the balance of the new compliance coin; what else is issued returns as a coin
 * @param s commitment randomness of the two outputs
 * @param b blinding exponents of the two outputs
 * @param historyRandomness of the new history entry
 */
public record RecoverPlan(
    FieldElement nk,
    KeyPoint pkAuth,
    InputDigest d,
    List<CoreOpening> cores,
    boolean chain,
    boolean covered,
    Amount held,
    FieldElement seed,
    FieldElement historyRandomness,
    List<FieldElement> s,
    List<Scalar> b) {

  public RecoverPlan {
    cores = NativeRequest.exactly(2, cores, "cores");
    s = NativeRequest.exactly(2, s, "commitment randomness");
    b = NativeRequest.exactly(2, b, "blinding exponents");
  }

  NativeRequest write(NativeRequest request) {
    request.field(nk).keyPoint(pkAuth).field(d.value());
    cores.forEach(core -> core.write(request));
    request.flag(chain).flag(covered).u64(held.minor()).field(seed).field(historyRandomness);
    for (int j = 0; j < 2; j++) {
      request.blinding(s.get(j), b.get(j));
    }
    return request;
  }

  static RecoverPlan read(NativeReply in) {
    FieldElement nk = in.field();
    KeyPoint pkAuth = in.keyPoint();
    InputDigest d = new InputDigest(in.field());
    List<CoreOpening> cores = List.of(CoreOpening.read(in), CoreOpening.read(in));
    boolean chain = in.flag();
    boolean covered = in.flag();
    Amount held = in.amount();
    FieldElement seed = in.field();
    FieldElement historyRandomness = in.field();
    FieldElement s0 = in.field();
    Scalar b0 = in.scalar();
    return new RecoverPlan(
        nk,
        pkAuth,
        d,
        cores,
        chain,
        covered,
        held,
        seed,
        historyRandomness,
        List.of(s0, in.field()),
        List.of(b0, in.scalar()));
  }

  @Override
  public String toString() {
    return "RecoverPlan[redacted]";
  }
}
