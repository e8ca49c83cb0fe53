package io.solidus.loadtest.chaos.fault;

import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.NetworkFiles;
import io.solidus.loadtest.chaos.Console;
import io.solidus.loadtest.chaos.FaultKind;
import io.solidus.loadtest.chaos.RollOut;
import io.solidus.loadtest.chaos.load.SignatureTap;
import io.solidus.loadtest.forge.LoadTestKeys;
import io.solidus.prover.KeySet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Changes of keys: every authority is restarted in turn with fresh shares, and one of them with
 * another note key too. Transfers go on meanwhile.
 */
public final class KeyFaults implements AutoCloseable {

  /** Longer than any run, so that a transfer of before the change can be sent again at its end. */
  private static final Duration FORMER_COUNTS = Duration.ofHours(12);

  private static final Duration SIGNS = Duration.ofMinutes(3);

  private final FaultTarget target;
  private final SignatureTap tap;
  private final List<KeySet> opened = new ArrayList<>();
  private LoadTestKeys keys;
  private int changes;

  public KeyFaults(FaultTarget target, LoadTestKeys keys, SignatureTap tap) {
    this.target = target;
    this.keys = keys;
    this.tap = tap;
  }

  /** Changes the keys and returns when every authority signs with the new ones. */
  void change(PlannedFault plan) {
    int authorities = target.cluster().authorities().size();
    int newNoteKey =
        plan.kind() == FaultKind.CHANGE_NOTE_KEY ? (int) (plan.holdMillis() % authorities) + 1 : 0;
    keys =
        keys.refreshed(
            target.folder().resolve("keys-" + ++changes), FORMER_COUNTS, FORMER_COUNTS, newNoteKey);
    KeySet fresh = keys.open();
    opened.add(fresh);
    // wallets know the new committee before an authority signs as its member
    target.network().follow(fresh.committee());
    NetworkFiles files = RollOut.files(keys);
    RollOut.run(
        target.cluster(),
        authority -> RollOut.withKeys(authority, files, newNoteKey),
        (authority, process) -> {
          throw new IllegalStateException(
              process + " of authority " + authority.index() + " did not end in time");
        },
        this::awaitSigning);
    Console.say("epoch %d is in use everywhere", fresh.committee().epoch());
  }

  private void awaitSigning(AuthorityProcesses authority) {
    long now = System.nanoTime();
    Await.until(
        "authority " + authority.index() + " signs",
        SIGNS,
        () -> tap.signedSince(authority.index(), now));
  }

  @Override
  public void close() {
    opened.forEach(KeySet::close);
  }
}
