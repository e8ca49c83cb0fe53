package io.solidus.chaos;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a run gave.
 *
 * @param faults that struck
 * @param byKind of them
 * @param skipped kinds that this machine does not allow, and why
 * @param kills processes of authorities that were killed
 * @param databaseCrashes PostgreSQL servers that were killed
 * @param restartsNeeded processes that did not recover by themselves once the fault was healed, by kind of fault
 * @param transfers of correct wallets that finished
 * @param equivocations times that one coin was spent in two transfers
 * @param signatures different ones that left a validator
 * @param repeated signatures that were asked for again at the end
 * @param refusals answers that were no signature
 */
record Report(
    ChaosOptions options,
    double seconds,
    int faults,
    Map<String, Integer> byKind,
    Map<String, String> skipped,
    int kills,
    int databaseCrashes,
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
    json.put("kafka", "down for the whole run");
    json.put("kills", kills);
    json.put("databaseCrashes", databaseCrashes);
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
