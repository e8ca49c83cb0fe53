package io.solidus.platform.production;

import io.solidus.platform.production.ProductionRefusedException.Reason;
import java.util.stream.Collectors;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints one reason per line instead of a stack trace. */
final class ProductionFailureAnalyzer extends AbstractFailureAnalyzer<ProductionRefusedException> {
  @Override
  protected FailureAnalysis analyze(Throwable failure, ProductionRefusedException cause) {
    return new FailureAnalysis(
        "The production profile refuses this configuration:\n"
            + cause.reasons().stream().map(Reason::toString).collect(Collectors.joining("\n")),
        "Correct the configuration; docs/reference/production-profile.md lists the rules.",
        cause);
  }
}
