package io.solidus.loadtest.chaos;

import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.dev.processes.Cluster;
import io.solidus.dev.processes.NetworkFiles;
import io.solidus.loadtest.forge.LoadTestKeys;
import io.solidus.protocol.NetworkKind;
import io.solidus.prover.KeyClass;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Replaces every process of a committee, one authority after the other, as an orchestrator does.
 */
public final class RollOut {

  private RollOut() {}

  /** The files of load-test keys as services read them. */
  public static NetworkFiles files(LoadTestKeys keys) {
    return new NetworkFiles(
        keys.network(),
        NetworkKind.REGULATED,
        KeyClass.LOAD_TEST,
        keys.dir(),
        keys.manifestKeyBase64());
  }

  /**
   * Gives an authority other keys, which its processes read when they start.
   *
   * @param newNoteKey an authority that stops as a whole, because its processes know each other by
   *     a token of the note key; 0 for none
   * @return the groups of processes that stop together
   */
  public static List<List<String>> withKeys(
      AuthorityProcesses authority, NetworkFiles fresh, int newNoteKey) {
    authority.refresh(fresh);
    List<List<String>> one = oneByOne(authority);
    return authority.index() == newNoteKey
        ? List.of(one.stream().flatMap(List::stream).toList())
        : one;
  }

  /** Shards before the signer: a shard knows former epochs, and not newer ones. */
  public static List<List<String>> oneByOne(AuthorityProcesses authority) {
    return authority.running().reversed().stream().map(List::of).toList();
  }

  /**
   * Replaces groups of processes.
   *
   * @param groups of an authority, each of processes that stop together
   * @param killed gets a process that did not end in time
   * @param signs returns when an authority signs again
   */
  public static void run(
      Cluster cluster,
      Function<AuthorityProcesses, List<List<String>>> groups,
      BiConsumer<AuthorityProcesses, String> killed,
      Consumer<AuthorityProcesses> signs) {
    for (AuthorityProcesses authority : cluster.authorities()) {
      for (List<String> group : groups.apply(authority)) {
        Console.say("authority %d: %s is replaced", authority.index(), String.join(", ", group));
        for (String name : group) {
          if (!authority.terminate(name)) {
            killed.accept(authority, name);
          }
        }
        group.forEach(authority::launch);
        group.forEach(authority::start);
        cluster.awaitServing(authority);
        signs.accept(authority);
      }
    }
  }
}
