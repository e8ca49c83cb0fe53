package io.solidus.wallet.session;

import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.transfer.OwnCore;
import io.solidus.wallet.transfer.OwnRecover;
import java.util.List;

/** A core of this wallet that an authority may hold. */
sealed interface KnownCore {
  OwnCore own();

  /** The serial numbers that it names. */
  List<SerialNumber> serials();

  default TxCore core() {
    return own().core();
  }

  /**
   * A transfer.
   *
   * @param requests which differ in their evidence
   */
  record Transfer(OwnCore own, List<TransferRequest> requests) implements KnownCore {
    public Transfer {
      requests = List.copyOf(requests);
    }

    @Override
    public List<SerialNumber> serials() {
      return requests.getFirst().statement().serials();
    }
  }

  /** A recover. */
  record Recover(OwnRecover opened, List<SerialNumber> serials) implements KnownCore {
    public Recover {
      serials = List.copyOf(serials);
    }

    @Override
    public OwnCore own() {
      return opened.own();
    }

    RecoverRequest request() {
      return opened.request();
    }
  }
}
