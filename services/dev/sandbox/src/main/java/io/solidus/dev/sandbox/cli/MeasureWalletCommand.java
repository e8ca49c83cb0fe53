package io.solidus.dev.sandbox.cli;

import io.solidus.dev.sandbox.demo.WalletMeasurement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** Measures a wallet on a platform of its own. */
@Command(
    name = "measure-wallet",
    description = "Time and bytes of paying, receiving and restoring beside messages of others.")
public final class MeasureWalletCommand implements Callable<Integer> {
  @Mixin private Location location = new Location();

  @Option(names = "--json", description = "writes the result")
  private @Nullable Path json;

  @Option(
      names = "--messages",
      split = ",",
      defaultValue = "10,1000,100000",
      description = "messages of others before each reading")
  private List<Integer> messages = List.of();

  @Override
  public Integer call() throws Exception {
    WalletMeasurement.Result result =
        new WalletMeasurement(location.options(), System.out).measure(messages);
    if (json != null) {
      Files.writeString(json, JsonMapper.builder().build().writeValueAsString(result) + "\n");
      System.out.println("written: " + json);
    }
    return 0;
  }
}
