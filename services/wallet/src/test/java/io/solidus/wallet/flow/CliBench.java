package io.solidus.wallet.flow;

import java.net.URI;
import java.nio.file.Path;

/** The fake network, for tests of the command line. */
public final class CliBench implements AutoCloseable {
  private final FakeGateway gateway = new FakeGateway();

  public URI gateway() {
    return gateway.uri();
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
