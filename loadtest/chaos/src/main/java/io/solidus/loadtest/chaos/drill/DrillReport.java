package io.solidus.loadtest.chaos.drill;

import io.solidus.loadtest.chaos.oracle.Verdict;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The result of a drill.
 *
 * @param transfers of correct wallets that finished
 * @param signatures distinct signatures that left a validator
 * @param repeated signatures that were requested again at the end
 * @param notSigned counts of answers that were no signature
 * @param figures of this kind of drill
 */
record DrillReport(
    String drill,
    long seed,
    double seconds,
    long transfers,
    long signatures,
    long repeated,
    Map<String, Long> notSigned,
    Map<String, Object> figures,
    Verdict verdict) {

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("drill", drill);
    json.put("seed", seed);
    json.put("transfers", transfers);
    json.put("lost", verdict.lost());
    json.put("doubled", verdict.doubled());
    json.put("driftMinor", verdict.driftMinor());
    json.put("ok", verdict.ok());
    json.put("seconds", Math.round(seconds));
    json.put("signatures", signatures);
    json.put("askedAgain", repeated);
    json.put("notSigned", notSigned);
    json.putAll(figures);
    json.put("violations", verdict.violations());
    return json;
  }
}
