package io.solidus.loadtest.chaos.fault;

import io.solidus.loadtest.chaos.FaultKind;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Faults that overlap: each strikes some time after the one before it, and lasts at least as long
 * as it says.
 */
record Act(List<Planned> faults) {

  Act {
    faults = List.copyOf(faults);
  }

  /** Whether transfers go on while it lasts. */
  boolean tolerated() {
    return faults.stream().noneMatch(planned -> planned.kind().exceeds());
  }

  boolean has(FaultKind kind) {
    return faults.stream().anyMatch(planned -> planned.kind() == kind);
  }

  @Override
  public String toString() {
    return faults.stream().map(Planned::toString).collect(Collectors.joining(" + "));
  }
}
