package io.solidus.loadtest.bench;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The files that a benchmark writes, if its caller names them. */
final class ReportFiles {

  @Option(names = "--json", description = "writes the figures")
  private @Nullable Path json;

  @Option(names = "--chart", description = "writes the data of a chart, for `bench plot`")
  private @Nullable Path chart;

  void writeFigures(Object report) {
    Report.write(json, report);
  }

  void writeChart(Chart data) {
    Report.write(chart, data);
  }
}
