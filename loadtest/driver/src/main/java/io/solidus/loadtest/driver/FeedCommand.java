package io.solidus.loadtest.driver;

import io.solidus.loadtest.forge.RequestPool;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Gives out a pool until it is used up, for a k6 that was started by hand. */
@Command(
    name = "feed",
    description = "Hands a pool's transfers to k6, each once; ends when they are used up.")
final class FeedCommand implements Callable<Integer> {
  @Option(names = "--dir", required = true, description = "the pool")
  private Path dir = Path.of("");

  @Option(
      names = "--port",
      defaultValue = "7070",
      description = "on the loopback interface (default: ${DEFAULT-VALUE})")
  private int port;

  @Override
  public Integer call() throws InterruptedException {
    try (RequestPool pool = RequestPool.open(dir);
        TransferFeeder feeder = TransferFeeder.start(pool, port)) {
      System.err.println("  " + pool.count() + " transfers at " + feeder.url() + "; Ctrl-C stops");
      while (pool.left() > 0) {
        TimeUnit.SECONDS.sleep(1);
      }
    }
    return 0;
  }
}
