package io.solidus.wallet.session;

import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import java.util.List;
import java.util.Map;

/** What authorities say about one serial number. */
record SignedAnswers(
    SerialNumber serial,
    List<Integer> free,
    Map<Integer, Held> held,
    List<TransferRequest> shown,
    List<RecoverRequest> recovers) {
  record Held(TxCore core) {}
}
