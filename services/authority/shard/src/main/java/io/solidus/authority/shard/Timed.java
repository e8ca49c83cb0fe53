package io.solidus.authority.shard;

import io.solidus.authority.spend.Admission;
import io.solidus.authority.spend.Ledger;
import io.solidus.authority.spend.Ledger.Done;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Siblings;
import io.solidus.authority.spend.Signer;
import io.solidus.authority.spend.Spend;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Supplier;

/** The ports of a pipeline with a timer and a span on each step. */
final class Timed {

  /** One step of the order of work. */
  interface Stage {
    <T> T record(Supplier<T> work);
  }

  /**
   * @param stages a step by its name
   */
  static <R> Admission<R> admission(Admission<R> inner, Function<String, Stage> stages) {
    Stage stage = stages.apply("admission");
    return spend ->
        stage.record(() -> {
          inner.require(spend);
          return true;
        });
  }

  static <R, A> Ledger<R, A> ledger(Ledger<R, A> inner, Function<String, Stage> stages) {
    Stage lookup = stages.apply("lookup");
    Stage reserve = stages.apply("reserve");
    Stage store = stages.apply("store");
    return new Ledger<>() {
      @Override
      public Map<TxCore, A> answers(Collection<TxCore> cores) {
        return lookup.record(() -> inner.answers(cores));
      }

      @Override
      public Map<SerialNumber, TxCore> holders(Collection<SerialNumber> serials) {
        return lookup.record(() -> inner.holders(serials));
      }

      @Override
      public List<Outcome<Done>> reserve(List<Reservation<R>> reservations) {
        return reserve.record(() -> inner.reserve(reservations));
      }

      @Override
      public Map<TxCore, A> store(List<Signed<R, A>> answers) {
        return store.record(() -> inner.store(answers));
      }
    };
  }

  static Siblings siblings(Siblings inner, Function<String, Stage> stages) {
    Stage holders = stages.apply("siblings-lookup");
    Stage reserve = stages.apply("siblings-reserve");
    return new Siblings() {
      @Override
      public Map<Integer, Outcome<Map<SerialNumber, TxCore>>> holders(
          SortedMap<Integer, List<SerialNumber>> byOwner) {
        return holders.record(() -> inner.holders(byOwner));
      }

      @Override
      public Map<Integer, List<Outcome<Done>>> reserve(SortedMap<Integer, List<Claim>> byOwner) {
        return reserve.record(() -> inner.reserve(byOwner));
      }
    };
  }

  static <R, A> Signer<R, A> signer(Signer<R, A> inner, Function<String, Stage> stages) {
    Stage check = stages.apply("check");
    Stage sign = stages.apply("sign");
    return new Signer<>() {
      @Override
      public List<Outcome<Done>> check(List<Spend<R>> spends) {
        return check.record(() -> inner.check(spends));
      }

      @Override
      public List<Outcome<A>> sign(List<Spend<R>> spends) {
        return sign.record(() -> inner.sign(spends));
      }
    };
  }

  private Timed() {}
}
