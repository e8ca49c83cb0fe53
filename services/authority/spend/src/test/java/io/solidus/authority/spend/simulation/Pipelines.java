package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Spend;
import io.solidus.authority.spend.SpendPipeline;
import java.util.List;

/**
 * Where the order of work comes from: the production class, or one that {@link PipelineMutant} took
 * a guard out of.
 */
@FunctionalInterface
interface Pipelines {

  /** SpendPipeline's one method. */
  @FunctionalInterface
  interface Pipeline {
    List<Outcome<Partial>> run(List<Spend<Request>> spends);
  }

  Pipeline make(ShardPorts ports);

  /** What runs in production. */
  static Pipelines production() {
    return ports -> new SpendPipeline<>(ports, ports, ports, ports, ports, ports)::run;
  }
}
