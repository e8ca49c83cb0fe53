package io.solidus.loadtest.chaos.run;

import io.solidus.loadtest.chaos.ChaosOptions;
import io.solidus.loadtest.chaos.fault.Coverage;
import io.solidus.loadtest.chaos.oracle.EventCheck;
import io.solidus.loadtest.chaos.oracle.Verdict;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of a run.
 *
 * @param faults number of faults that struck
 * @param byKind their number by kind
 * @param skipped kinds that are impossible on this machine, with the reason
 * @param overlapping faults that struck while another lasted
 * @param coverage uses of each kind of fault and of each failpoint
 * @param factsArrived policies and checkpoints that were published while Kafka was unavailable, or
 *     by Kafka alone, and reached every authority
 * @param events comparison of the outboxes with Kafka; null without Kafka
 * @param lies wrong answers that a fault gave in the place of an authority
 * @param killsPerMinute of all processes
 * @param restartsNeeded by kind of fault, how often an authority did not sign again by itself after
 *     the fault was healed; each is a violation too
 * @param transfers of correct wallets that finished
 * @param equivocations coins that were spent in two transfers
 * @param signatures distinct signatures that left a validator
 * @param repeated signatures that were requested again at the end
 * @param refusals counts of answers that were no signature
 */
record Report(
    ChaosOptions options,
    double seconds,
    int faults,
    Map<String, Integer> byKind,
    Map<String, String> skipped,
    int overlapping,
    Coverage coverage,
    int factsArrived,
    @Nullable EventCheck events,
    long lies,
    double killsPerMinute,
    Map<String, Integer> restartsNeeded,
    long transfers,
    long equivocations,
    long signatures,
    long repeated,
    Map<String, Long> refusals,
    Verdict verdict) {

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("seed", options.seed());
    json.put("faults", faults);
    json.put("transfers", transfers);
    json.put("lost", verdict.lost());
    json.put("doubled", verdict.doubled());
    json.put("driftMinor", verdict.driftMinor());
    json.put("ok", verdict.ok());
    json.put("seconds", Math.round(seconds));
    json.put("faultsByKind", byKind);
    json.put("skipped", skipped);
    json.put(
        "kafka", options.kafkaLibrary() == null ? "down for the whole run" : "part of the run");
    json.put("kills", coverage.kills());
    json.put("databaseCrashes", coverage.databaseCrashes());
    json.put("kafkaCrashes", coverage.brokerCrashes());
    json.put("killsPerMinute", Math.round(10 * killsPerMinute) / 10.0);
    json.put("overlap", options.overlap());
    json.put("overlapping", overlapping);
    json.put("coverage", Map.of("faults", coverage.faults(), "failpoints", coverage.places()));
    json.put("factsArrived", factsArrived);
    if (events != null) {
      json.put("events", events.json());
    }
    if (options.sabotage() != null) {
      json.put("sabotage", options.sabotage().name());
    }
    json.put("lies", lies);
    json.put("restartsNeeded", restartsNeeded);
    json.put("equivocations", equivocations);
    json.put("signatures", signatures);
    json.put("askedAgain", repeated);
    json.put("notSigned", refusals);
    json.put("violations", verdict.violations());
    json.put("authorities", ChaosOptions.AUTHORITIES);
    json.put("shards", options.shards());
    return json;
  }
}
