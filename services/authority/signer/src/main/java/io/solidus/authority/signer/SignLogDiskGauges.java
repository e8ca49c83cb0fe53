package io.solidus.authority.signer;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.File;
import java.nio.file.Path;
import java.util.function.ToDoubleFunction;

/** The free space on the volume of the sign-log. Nothing is signed when the volume is full. */
record SignLogDiskGauges(Path signLog) implements MeterBinder {

  @Override
  public void bindTo(MeterRegistry registry) {
    gauge(registry, "free", "room left on the volume of the sign-log", File::getUsableSpace);
    gauge(registry, "total", "size of the volume of the sign-log", File::getTotalSpace);
  }

  private void gauge(
      MeterRegistry registry, String what, String description, ToDoubleFunction<File> value) {
    File folder = requireNonNull(signLog.toAbsolutePath().getParent()).toFile();
    Gauge.builder("solidus.signer.log.disk." + what, folder, value)
        .description(description)
        .baseUnit("bytes")
        .strongReference(true)
        .register(registry);
  }
}
