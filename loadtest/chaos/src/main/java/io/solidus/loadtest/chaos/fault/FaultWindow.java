package io.solidus.loadtest.chaos.fault;

import io.solidus.loadtest.chaos.FaultKind;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Faults that overlap in time. Each strikes some time after the one before it, and lasts at least
 * its own time.
 */
record FaultWindow(List<PlannedFault> faults) {

  FaultWindow {
    faults = List.copyOf(faults);
  }

  /** Whether transfers continue while it lasts. */
  boolean tolerated() {
    return faults.stream().noneMatch(planned -> planned.kind().exceeds());
  }

  boolean has(FaultKind kind) {
    return faults.stream().anyMatch(planned -> planned.kind() == kind);
  }

  @Override
  public String toString() {
    return faults.stream().map(PlannedFault::toString).collect(Collectors.joining(" + "));
  }
}
