package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.Outcome;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One round of a gateway: asks authorities over a network that drops, delays and duplicates, counts
 * what verifies until a quorum is there, and takes f+1 partial signatures to those who refuse for a
 * policy (the finish rule).
 */
final class Round {

  /**
   * @param certificate by authority; @param stalePolicy whether an authority refused the evidence's
   *     policy
   */
  record Result(
      boolean quorum,
      boolean refusedForGood,
      boolean stalePolicy,
      Map<Integer, Partial> certificate) {}

  private static final int PATIENCE = 120;
  private static final int REDIRECTS = 3;

  private final World world;
  private final Request request;
  private final Consumer<Result> done;
  private final Map<Integer, Partial> valid = new TreeMap<>();
  private final Map<Integer, RejectionCode> refusals = new TreeMap<>();
  private final int[] redirects;
  private boolean finishing;
  private boolean over;

  private Round(World world, Request request, Consumer<Result> done) {
    this.world = world;
    this.request = request;
    this.done = done;
    this.redirects = new int[world.peers().size() + 1];
  }

  /**
   * @param targets the authorities to ask, from 1
   */
  static void start(World world, Request request, BitSet targets, Consumer<Result> done) {
    Round round = new Round(world, request, done);
    targets.stream().forEach(authority -> round.ask(authority, request));
    world.agenda().in(PATIENCE, round::end);
  }

  private void ask(int authority, Request question) {
    int shard = world.gatewayMap(authority).ownerOf(question.transfer().lead());
    world.network(
        authority,
        () ->
            world
                .peers()
                .get(authority - 1)
                .submit(
                    question,
                    shard,
                    outcome -> world.network(authority, () -> take(authority, question, outcome))));
  }

  private void take(int authority, Request question, Outcome<Partial> outcome) {
    if (over) {
      return;
    }
    switch (outcome) {
      case Outcome.Done<Partial> signed -> {
        if (world.mutated(Mutation.PARTIALS_NOT_CHECKED)
            || signed.value().verifies(authority, request.transfer())) {
          valid.put(authority, signed.value());
          refusals.remove(authority);
        }
      }
      case Outcome.Failed<Partial> refused ->
          refused(authority, question, ((ProtocolException) refused.reason()).code());
    }
    if (valid.size() >= world.rules().quorum() || refusedForGood()) {
      end();
    } else if (!finishing
        && valid.size() >= world.rules().f() + 1
        && refusals.containsValue(RejectionCode.STALE_POLICY)) {
      finish();
    }
  }

  private void refused(int authority, Request question, RejectionCode code) {
    if (code == RejectionCode.SHARD_MOVED && redirects[authority]++ < REDIRECTS) {
      world.saw(Happening.REDIRECTED);
      world.refreshGatewayMap(authority);
      ask(authority, question);
    } else if (!valid.containsKey(authority)) {
      refusals.put(authority, code);
    }
  }

  private boolean refusedForGood() {
    return refusals.values().stream().filter(code -> !code.retryable()).count()
        >= world.rules().f() + 1;
  }

  private void finish() {
    finishing = true;
    List<Partial> certificate = List.copyOf(valid.values());
    List<Integer> again = new ArrayList<>();
    refusals.forEach((authority, code) -> {
      if (code.retryable()) {
        again.add(authority);
      }
    });
    again.forEach(authority -> ask(authority, request.with(certificate)));
  }

  private void end() {
    if (!over) {
      over = true;
      boolean quorum = valid.size() >= world.rules().quorum();
      done.accept(
          new Result(
              quorum, refusedForGood(), refusals.containsValue(RejectionCode.STALE_POLICY), valid));
    }
  }
}
