package io.solidus.loadtest.driver;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Makes the load-test keys when they are missing, and prints their directory. */
@Command(name = "keys", description = "Prints the directory of the load-test keys.")
final class KeysCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    System.out.println(TransferPools.keys().dir());
    return 0;
  }
}
