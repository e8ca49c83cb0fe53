package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.Outcome;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One round of a gateway: it calls authorities over a network that drops, delays and duplicates,
 * counts valid partial signatures until it has a quorum of one epoch, and sends f+1 of them to the
 * authorities that rejected the policy (the finish rule).
 */
final class GatewayRound {

  /**
   * The result of a round.
   *
   * @param stalePolicy whether an authority rejected the policy of the evidence
   * @param certificate valid partial signatures by authority
   */
  record Result(
      boolean quorum,
      boolean rejectedForGood,
      boolean stalePolicy,
      Map<Integer, SimulatedPartial> certificate) {}

  private static final int DEADLINE = 120;
  private static final int REDIRECTS = 3;

  private final World world;
  private final Request request;
  private final Consumer<Result> done;

  /** By epoch and authority. */
  private final SortedMap<Integer, Map<Integer, SimulatedPartial>> valid = new TreeMap<>();

  private final Map<Integer, RejectionCode> rejections = new TreeMap<>();
  private final int[] redirects;
  private boolean finishing;
  private boolean over;
  private int counted;

  private GatewayRound(World world, Request request, Consumer<Result> done) {
    this.world = world;
    this.request = request;
    this.done = done;
    this.redirects = new int[world.peers().size() + 1];
  }

  /**
   * Starts a round.
   *
   * @param targets the authorities to call, from 1
   */
  static void start(World world, Request request, BitSet targets, Consumer<Result> done) {
    GatewayRound round = new GatewayRound(world, request, done);
    targets.stream().forEach(authority -> round.call(authority, request));
    world.events().in(DEADLINE, round::end);
  }

  private void call(int authority, Request sent) {
    int shard = world.gatewayMap(authority).ownerOf(sent.transfer().lead());
    world.network(
        authority,
        () ->
            world
                .peers()
                .get(authority - 1)
                .submit(
                    sent,
                    shard,
                    outcome -> world.network(authority, () -> take(authority, sent, outcome))));
  }

  private void take(int authority, Request sent, Outcome<SimulatedPartial> outcome) {
    if (over) {
      return;
    }
    switch (outcome) {
      case Outcome.Done<SimulatedPartial> signed -> {
        if (counts(authority, signed.value())) {
          counted++;
          valid
              .computeIfAbsent(signed.value().epoch(), epoch -> new TreeMap<>())
              .put(authority, signed.value());
          rejections.remove(authority);
        }
      }
      case Outcome.Failed<SimulatedPartial> rejected ->
          rejected(authority, sent, ((ProtocolException) rejected.reason()).code());
    }
    if (quorum() || rejectedForGood()) {
      end();
    } else if (!finishing
        && ofAnyEpoch().size() >= world.rules().f() + 1
        && rejections.containsValue(RejectionCode.STALE_POLICY)) {
      finish();
    }
  }

  private boolean counts(int authority, SimulatedPartial partial) {
    return partial.verifies(authority, request.transfer())
        || world.mutated(Mutation.PARTIALS_NOT_CHECKED)
        || (world.mutated(Mutation.PARTIAL_OF_ANOTHER_CORE_COUNTS)
            && partial.authority() == authority);
  }

  /**
   * Whether a quorum signed in one epoch; partial signatures of different epochs do not combine.
   */
  private boolean quorum() {
    int quorum =
        world.mutated(Mutation.EVERY_AUTHORITY_HAS_TO_ANSWER)
            ? world.peers().size()
            : world.rules().quorum();
    int signed = world.mutated(Mutation.ANSWERS_COUNT_TWICE) ? counted : certificate().size();
    return signed >= quorum;
  }

  /** The partial signatures of the epoch that has most. */
  private Map<Integer, SimulatedPartial> certificate() {
    if (world.mutated(Mutation.EPOCHS_COUNT_TOGETHER)) {
      return ofAnyEpoch();
    }
    Map<Integer, SimulatedPartial> most = Map.of();
    for (Map<Integer, SimulatedPartial> epoch : valid.values()) {
      if (epoch.size() >= most.size()) {
        most = epoch;
      }
    }
    return most;
  }

  /** The newest partial signature of each authority. */
  private Map<Integer, SimulatedPartial> ofAnyEpoch() {
    Map<Integer, SimulatedPartial> all = new TreeMap<>();
    valid.values().forEach(all::putAll);
    return all;
  }

  private void rejected(int authority, Request sent, RejectionCode code) {
    if (code == RejectionCode.SHARD_MOVED && redirects[authority]++ < REDIRECTS) {
      world.cover(CoveragePoint.REDIRECTED);
      world.refreshGatewayMap(authority);
      call(authority, sent);
    } else if (!ofAnyEpoch().containsKey(authority)) {
      rejections.put(authority, code);
    }
  }

  private boolean rejectedForGood() {
    return rejections.values().stream().filter(code -> !code.retryable()).count()
        >= world.rules().f() + (world.mutated(Mutation.F_REFUSALS_ARE_FINAL) ? 0 : 1);
  }

  private void finish() {
    finishing = true;
    List<SimulatedPartial> certificate = List.copyOf(ofAnyEpoch().values());
    List<Integer> again = new ArrayList<>();
    rejections.forEach((authority, code) -> {
      if (code.retryable()) {
        again.add(authority);
      }
    });
    again.forEach(authority -> call(authority, request.with(certificate)));
  }

  private void end() {
    if (!over) {
      over = true;
      done.accept(
          new Result(
              quorum(),
              rejectedForGood(),
              rejections.containsValue(RejectionCode.STALE_POLICY),
              certificate()));
    }
  }
}
