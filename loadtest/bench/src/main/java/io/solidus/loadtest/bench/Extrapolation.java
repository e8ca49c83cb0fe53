package io.solidus.loadtest.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Estimates the throughput of a committee with one machine per validator from measured costs,
 * beside the paper's Figure 2. Every validator does all its work for every transfer, so the
 * throughput is that of one validator, and N costs the client only.
 *
 * <p>The paper's m5.8xlarge has no AVX-512 IFMA. A cost that was measured with it (docs/adr/0034)
 * says nothing about an m5's cores, so the report leaves them out.
 *
 * <p>Assumptions: a validator's cost per transfer grows neither with its cores nor with N; shards
 * split cores evenly; PostgreSQL, network and sign-log disk keep up (one commit and one fsync serve
 * a batch); the share of a core that can be used with p99 in the limit is the one measured with one
 * core.
 */
record Extrapolation(double cpuMillis, double usableShare, boolean ifma) {

  /** Figure 2 of the paper, regulated, N = 10, average latency under 500 ms. */
  private static final double PAPER_ONE_CORE = 100;

  private static final double PAPER_SIXTEEN_CORES = 925;

  /**
   * The paper's verification of its own circuit on the m5.8xlarge, and the library's of that size
   * here (docs/benchmarks).
   */
  private static final double PAPER_VERIFY_MILLIS = 9.6;

  private static final double OWN_VERIFY_MILLIS = 7.1;

  Map<String, Object> report() {
    double perCore = 1000 / cpuMillis * usableShare;
    double speed = OWN_VERIFY_MILLIS / PAPER_VERIFY_MILLIS;
    Map<String, Object> model = new LinkedHashMap<>();
    model.put("cpuMillisPerTransfer", Report.round(cpuMillis));
    model.put("usableShareOfACore", Report.round(usableShare));
    model.put("avx512Ifma", ifma);
    if (!ifma) {
      model.put("assumedSpeedOfAnM5Core", Report.round(speed));
    }
    model.put("oneCore", row(perCore, speed, PAPER_ONE_CORE));
    model.put("sixteenCores", row(16 * perCore, speed, PAPER_SIXTEEN_CORES));
    return model;
  }

  private Map<String, Object> row(double perSecond, double speed, double paper) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("perSecondOnThisMachinesCores", Report.round(perSecond));
    row.put("paperPerSecond", paper);
    if (!ifma) {
      row.put("perSecondOnM5Cores", Report.round(perSecond * speed));
      row.put("timesThePaper", Report.round(perSecond * speed / paper));
    }
    return row;
  }
}
