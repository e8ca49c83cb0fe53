package io.solidus.dev.sandbox.demo;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The content of the file that {@code ./solidus demo --json FILE} writes. */
public record DemoReport(List<StepResult> steps, @Nullable SupplyReport supply, boolean ok) {}
