package io.solidus.prover;

import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Scalar;
import java.util.List;

/** How domain values appear in requests. */
final class Codes {
  private Codes() {}

  static int kind(NetworkKind kind) {
    return switch (kind) {
      case REGULATED -> 1;
      case UNREGULATED -> 2;
    };
  }

  /** Everything but the owner. */
  static Call compliance(Call call, ComplianceCoin cc) {
    return call.field(cc.rho())
        .u32(cc.period().yyyymm())
        .u64(cc.sent().minor())
        .u32(cc.count())
        .u64(cc.held().minor())
        .field(cc.com());
  }

  static Call inputs(Call call, List<PlanInput> inputs) {
    inputs.forEach(in -> call.u64(in.value().minor()).field(in.rho()).flag(in.dummy()));
    return call;
  }

  static List<PlanInput> inputs(Reply in) {
    return Reply.repeat(2, () -> new PlanInput(in.amount(), in.field(), in.flag()));
  }

  static Call blinding(Call call, FieldElement s, Scalar b) {
    return call.field(s).scalar(b);
  }

  static <T> List<T> exactly(int count, List<T> values, String what) {
    if (values.size() != count) {
      throw new IllegalArgumentException(what + ": " + count + " needed, not " + values.size());
    }
    return List.copyOf(values);
  }
}
