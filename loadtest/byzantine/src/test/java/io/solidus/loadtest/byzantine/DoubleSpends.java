package io.solidus.loadtest.byzantine;

import io.solidus.protocol.Committee;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.transfer.SignatureCollector;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks at every partial signature it can get hold of, and reports the serial numbers for which two
 * cores have 2f+1.
 */
final class DoubleSpends {
  private final Committee committee;
  private final SignatureCollector check;
  private final Map<SerialNumber, Map<TxCore, Set<Integer>>> signers = new HashMap<>();

  DoubleSpends(World world) {
    committee = world.committee;
    check = new SignatureCollector(world.committee, world.suite);
  }

  /** Partial signatures that do not verify do not count. */
  synchronized void saw(TransferRequest request, List<PartialSignature> partials) {
    TransferStatement statement = request.statement();
    for (PartialSignature partial :
        check.checked(statement.outputs(), statement.inputDigest(World.NETWORK), partials)) {
      for (SerialNumber serial : statement.serials()) {
        signers
            .computeIfAbsent(serial, any -> new HashMap<>())
            .computeIfAbsent(statement.core(World.NETWORK), any -> new HashSet<>())
            .add(partial.authority());
      }
    }
  }

  /** Serial numbers spent twice. */
  synchronized Set<SerialNumber> reported() {
    Set<SerialNumber> twice = new HashSet<>();
    signers.forEach((serial, cores) -> {
      if (cores.values().stream().filter(who -> who.size() >= committee.quorum()).count() > 1) {
        twice.add(serial);
      }
    });
    return twice;
  }

  /** How many serial numbers were looked at. */
  synchronized int seen() {
    return signers.size();
  }
}
