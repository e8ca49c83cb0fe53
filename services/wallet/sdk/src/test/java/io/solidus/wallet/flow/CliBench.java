package io.solidus.wallet.flow;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The fake network, for tests of the command line. */
public final class CliBench implements AutoCloseable {
  private final FakeGateway gateway = new FakeGateway(TestKeys.get().platform);

  public URI gateway() {
    return gateway.uri();
  }

  /** Services asked of this gateway, or of another that it names. */
  public List<String> routes() {
    return List.copyOf(gateway.routes);
  }

  public byte[] redemptionKey() {
    return gateway.deskKey.publicKey().bytes();
  }

  public void namesServicesAt(URI other) {
    gateway.faults.services = other;
  }

  public Path keysDir() {
    return TestKeys.get().dir();
  }

  public void approveMints() {
    gateway.mint.approveAll();
  }

  /** This authority shows a stranger's transfer for every coin. */
  public void liesAboutCoins(int authority) {
    gateway.faults.lookUps.put(
        authority, (lead, truth) -> Optional.of(ForeignTransfers.about(lead)));
  }

  @Override
  public void close() {
    gateway.close();
  }
}
