package io.solidus.wallet.flow;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** The fake network, for tests of the command line. */
public final class CliBench implements AutoCloseable {
  private final FakeGateway gateway = new FakeGateway(TestKeys.get().platform.proofCheck());

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

  @Override
  public void close() {
    gateway.close();
  }
}
