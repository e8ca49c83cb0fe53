package io.solidus.loadtest.byzantine;

import io.solidus.protocol.Committee;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.Suite;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Records votes, and reports the serial numbers for which two cores have 2f+1 of them. */
final class DoubleSpendDetector {
  private final Committee committee;
  private final Suite suite;
  private final Map<SerialNumber, Map<TxCore, Set<Integer>>> signers = new HashMap<>();

  DoubleSpendDetector(ForgedNetwork network) {
    committee = network.committee;
    suite = network.suite;
  }

  /** Records the authorities whose vote or whose points are valid. */
  synchronized void saw(TransferRequest request, List<PartialSignature> partials) {
    TransferStatement statement = request.statement();
    TxCore core = statement.core(ForgedNetwork.NETWORK);
    Outputs outputs = Outputs.of(ForgedNetwork.NETWORK, statement);
    for (PartialSignature partial : partials) {
      // coins are made of points, also where a liar withholds its vote
      if (partial.votesFor(core, committee, Instant.now())
          || suite.checkPoints(committee, outputs, partial)) {
        for (SerialNumber serial : statement.serials()) {
          signers
              .computeIfAbsent(serial, any -> new HashMap<>())
              .computeIfAbsent(core, any -> new HashSet<>())
              .add(partial.authority());
        }
      }
    }
  }

  /** The serial numbers that were spent twice. */
  synchronized Set<SerialNumber> reported() {
    Set<SerialNumber> twice = new HashSet<>();
    signers.forEach((serial, cores) -> {
      if (cores.values().stream().filter(who -> who.size() >= committee.quorum()).count() > 1) {
        twice.add(serial);
      }
    });
    return twice;
  }

  /** The number of serial numbers that were recorded. */
  synchronized int seen() {
    return signers.size();
  }
}
