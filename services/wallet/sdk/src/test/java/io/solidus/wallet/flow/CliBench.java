package io.solidus.wallet.flow;

import io.solidus.dev.testkit.TestCommittee;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The fake network, for tests of the command line. */
public final class CliBench implements AutoCloseable {
  private final FakeGateway gateway = new FakeGateway(TestNetwork.get().platform);

  public URI gateway() {
    return gateway.uri();
  }

  /** The routes that were called. */
  public List<String> routes() {
    return List.copyOf(gateway.routes);
  }

  public byte[] redemptionKey() {
    return gateway.issuerKey.publicKey().bytes();
  }

  public void namesServicesAt(URI other) {
    gateway.faults.services = other;
  }

  public Path keysDir() {
    return TestCommittee.regulated().keysDir();
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

  @Override
  public void close() {
    gateway.close();
  }
}
