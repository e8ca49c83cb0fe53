package io.solidus.loadtest.bench;

import io.solidus.loadtest.forge.ForgedTransfer;
import io.solidus.loadtest.forge.ForgedTransfers;
import io.solidus.loadtest.forge.LoadTestKeys;
import io.solidus.loadtest.forge.TransferRules;
import io.solidus.loadtest.forge.TransferSeries;
import io.solidus.protocol.SerialNumber;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Distinct transfers, forged before a measurement starts; none is given twice. */
final class TransferSupply {

  private static final Duration LIMIT = Duration.ofMinutes(30);

  private final LoadTestKeys keys;
  private final TransferRules rules;
  private final String seed;
  private final Path folder;
  private long next;

  TransferSupply(LoadTestKeys keys, TransferRules rules, String seed, Path folder) {
    this.keys = keys;
    this.rules = rules;
    this.seed = seed;
    this.folder = folder;
  }

  Iterator<EncodedTransfer> take(int count) {
    Path file = folder.resolve("transfers-" + next + ".bin");
    int workers = Runtime.getRuntime().availableProcessors();
    ForgedTransfers.write(
        keys, rules, new TransferSeries(seed, next, count, 0, workers), file, LIMIT);
    next += count;
    List<EncodedTransfer> forged = new ArrayList<>(count);
    try (ForgedTransfers series = ForgedTransfers.open(file)) {
      series.next().map(TransferSupply::forged).ifPresent(forged::add);
      while (series.left() > 0) {
        forged.add(forged(series.next().orElseThrow()));
      }
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return forged.iterator();
  }

  private static EncodedTransfer forged(ForgedTransfer transfer) {
    return new EncodedTransfer(
        SerialNumber.of(transfer.wire().getStatement().getSerials(0).toByteArray()),
        transfer.bytes());
  }
}
