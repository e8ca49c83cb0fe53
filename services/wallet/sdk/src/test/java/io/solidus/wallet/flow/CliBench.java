package io.solidus.wallet.flow;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Address;
import io.solidus.protocol.TransferRequest;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** The fake network, for tests of the command line. */
public final class CliBench implements AutoCloseable {
  private final TestNetwork network;
  private final FakeGateway gateway;
  private final List<TransferRequest> withheld = new CopyOnWriteArrayList<>();

  public CliBench() {
    this(TestNetwork.get());
  }

  private CliBench(TestNetwork network) {
    this.network = network;
    this.gateway = new FakeGateway(network, network.platform);
  }

  public static CliBench unregulated() {
    return new CliBench(TestNetwork.unregulated());
  }

  public URI gateway() {
    return gateway.uri();
  }

  /** The routes that were called. */
  public List<String> routes() {
    return List.copyOf(gateway.routes);
  }

  /** What organisations said of themselves, each as JSON. */
  public List<String> organisations() {
    return List.copyOf(gateway.organisations());
  }

  public byte[] redemptionKey() {
    return gateway.issuerKey.publicKey().bytes();
  }

  /** The gateway says that the network is of this kind. */
  public void claimsKind(String kind) {
    gateway.faults.kind = kind;
  }

  public void namesServicesAt(URI other) {
    gateway.faults.services = other;
  }

  public Path keysDir() {
    return network.committee.keysDir();
  }

  /** Puts an address on the sanction list. */
  public void sanction(String address) {
    gateway.rules.sanction(Address.decode(TestCommittee.NETWORK, address).apk());
  }

  public void approveMints() {
    gateway.mint.approveAll();
  }

  /** Sets whether look-ups of coins fail. */
  public void coinStatesDown(boolean down) {
    gateway.faults.coinStatesDown = down;
  }

  /** Makes an authority return a foreign transfer for every coin. */
  public void liesAboutCoins(int authority) {
    gateway.faults.lookUps.put(
        authority, (lead, truth) -> Optional.of(ForeignTransfers.about(lead)));
  }

  /** Keeps payments back from now on, and does not answer. */
  public void withholdsPayments() {
    gateway.faults.onTransfer = withheld::add;
    gateway.faults.lostRequests.set(Integer.MAX_VALUE);
  }

  /** Delivers what it kept back to authorities 1 and 2 just before the next payment arrives. */
  public void deliversWithheldFirst() {
    gateway.faults.lostRequests.set(0);
    gateway.faults.onTransfer =
        next -> {
          gateway.faults.onTransfer = null;
          for (int index = 1; index <= 2; index++) {
            gateway.committee.authority(index).submit(withheld.getFirst());
          }
        };
  }

  @Override
  public void close() {
    gateway.close();
  }
}
