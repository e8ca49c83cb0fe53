package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.PipelineObserver;
import io.solidus.authority.spend.SpendPipeline;
import io.solidus.authority.spend.SpendRequest;
import java.util.List;

/**
 * Makes the pipeline of a simulated shard: the production class, or one from which {@link
 * PipelineMutant} removed a guard.
 */
@FunctionalInterface
interface Pipelines {

  /** The part of {@link SpendPipeline} that the simulation calls. */
  @FunctionalInterface
  interface Pipeline {
    List<Outcome<SimulatedPartial>> run(List<SpendRequest<Request>> requests);
  }

  Pipeline make(ShardPorts ports);

  /** The production class. */
  static Pipelines production() {
    return ports ->
        new SpendPipeline<>(ports, ports, ports, ports, ports, ports, PipelineObserver.NONE)::run;
  }
}
