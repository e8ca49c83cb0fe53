package io.solidus.wallet.session;

import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.transfer.OwnCore;
import io.solidus.wallet.transfer.OwnRecover;
import java.util.ArrayList;
import java.util.List;

/**
 * A core of this wallet that an authority may hold. Its variants differ in their evidence, because
 * a lying authority may have spoilt what it shows; those that verify come first.
 */
sealed interface KnownCore {
  /** The core with the evidence of a variant. */
  OwnCore own(int variant);

  /** The serial numbers that it names. */
  List<SerialNumber> serials();

  /** Of each variant. */
  List<ShownRecover.Level> levels();

  default OwnCore own() {
    return own(0);
  }

  default TxCore core() {
    return own().core();
  }

  /** Among how many variants a recover over it chooses: one that verifies is chosen for good. */
  default int choices() {
    long unknown = levels().stream().filter(ShownRecover.Level.UNKNOWN::equals).count();
    return levels().getFirst() == ShownRecover.Level.RIGHT ? 1 : Math.max(1, (int) unknown);
  }

  /** Where a variant of this level goes: behind those that are as good. */
  private static int place(List<ShownRecover.Level> levels, ShownRecover.Level level) {
    return (int) levels.stream().filter(one -> one.compareTo(level) <= 0).count();
  }

  private static <T> List<T> inserted(List<T> all, int at, T one) {
    List<T> more = new ArrayList<>(all);
    more.add(at, one);
    return more.subList(0, Math.min(more.size(), ShownRecover.MAX_VARIANTS));
  }

  /**
   * A transfer.
   *
   * @param owns of each request
   */
  record Transfer(
      List<OwnCore> owns, List<TransferRequest> requests, List<ShownRecover.Level> levels)
      implements KnownCore {
    public Transfer {
      owns = List.copyOf(owns);
      requests = List.copyOf(requests);
      levels = List.copyOf(levels);
    }

    @Override
    public OwnCore own(int variant) {
      return owns.get(variant);
    }

    @Override
    public List<SerialNumber> serials() {
      return requests.getFirst().statement().serials();
    }

    Transfer with(OwnCore own, TransferRequest request, ShownRecover.Level level) {
      int at = place(levels, level);
      return new Transfer(
          inserted(owns, at, own), inserted(requests, at, request), inserted(levels, at, level));
    }
  }

  /** A recover. */
  record Recover(
      List<OwnRecover> variants, List<ShownRecover.Level> levels, List<SerialNumber> serials)
      implements KnownCore {
    public Recover {
      variants = List.copyOf(variants);
      levels = List.copyOf(levels);
      serials = List.copyOf(serials);
    }

    @Override
    public OwnCore own(int variant) {
      return variants.get(variant).own();
    }

    OwnRecover opened() {
      return variants.getFirst();
    }

    Recover with(OwnRecover variant, ShownRecover.Level level) {
      int at = place(levels, level);
      return new Recover(inserted(variants, at, variant), inserted(levels, at, level), serials);
    }
  }
}
