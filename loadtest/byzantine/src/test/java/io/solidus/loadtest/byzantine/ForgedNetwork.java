package io.solidus.loadtest.byzantine;

import io.solidus.loadtest.forge.ForgedTransfers;
import io.solidus.loadtest.forge.LoadTestKeys;
import io.solidus.loadtest.forge.TransferRules;
import io.solidus.loadtest.forge.TransferSeries;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Committee;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Period;
import io.solidus.protocol.TransferRequest;
import io.solidus.prover.KeySet;
import io.solidus.prover.Limits;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.Suite;
import io.solidus.prover.Verifier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** A network of N authorities with load-test keys, and any number of valid transfers. */
final class ForgedNetwork implements AutoCloseable {
  static final NetworkId NETWORK = new NetworkId("solidus-byzantine");
  static final TransferRules RULES =
      new TransferRules(
          1,
          1,
          new Period(202611),
          new Limits(
              new Amount(100_000), new Amount(500_000), new Amount(1_000_000), Amount.ZERO, 50),
          FieldElement.ofLong(4711));

  private static final int BATCH = 96;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  final LoadTestKeys keys;
  final Committee committee;
  final Suite suite = new Suite(NETWORK, NetworkKind.REGULATED);
  private final KeySet opened;
  private final Verifier verifier;
  private final String seed = UUID.randomUUID().toString();
  private final Queue<TransferRequest> made = new ArrayDeque<>();
  private final Queue<List<TransferRequest>> conflicts = new ArrayDeque<>();
  private final Set<TransferRequest> declaredValid = ConcurrentHashMap.newKeySet();
  private long next;

  ForgedNetwork(int n) {
    keys = LoadTestKeys.cached(NETWORK, NetworkKind.REGULATED, n);
    opened = keys.open();
    committee = opened.committee();
    verifier = Verifier.open(opened, committee);
  }

  /** A valid transfer; each is given once. */
  synchronized TransferRequest transfer() {
    if (made.isEmpty()) {
      made.addAll(forge(0));
      next += BATCH;
    }
    return made.remove();
  }

  /** Two valid transfers that spend the same coins; each pair is given once. */
  synchronized List<TransferRequest> conflict() {
    if (conflicts.isEmpty()) {
      List<TransferRequest> first = forge(0);
      List<TransferRequest> second = forge(1);
      next += BATCH;
      IntStream.range(0, BATCH).forEach(i -> conflicts.add(List.of(first.get(i), second.get(i))));
    }
    return conflicts.remove();
  }

  /**
   * Declares a transfer valid although its proof is that of another: for transfers of a real
   * wallet, for which there is no simulated proof.
   */
  void declareValid(TransferRequest request) {
    declaredValid.add(request);
  }

  /** The check of an authority's signer. */
  boolean valid(TransferRequest request) {
    return declaredValid.contains(request)
        || verifier.verifyTransfer(
                request.statement(), request.evidence(), RULES.limits(), RULES.root())
            == NativeErrorCode.OK;
  }

  private List<TransferRequest> forge(long variant) {
    try {
      Path file = Files.createTempFile("byzantine", ".series");
      ForgedTransfers.write(
          keys, RULES, new TransferSeries(seed, next, BATCH, variant, 2), file, LIMIT);
      List<TransferRequest> requests = new ArrayList<>();
      try (ForgedTransfers series = ForgedTransfers.open(file)) {
        while (series.left() > 0) {
          requests.add(series.next().orElseThrow().request());
        }
      }
      Files.delete(file);
      return requests;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    verifier.close();
    opened.close();
  }
}
