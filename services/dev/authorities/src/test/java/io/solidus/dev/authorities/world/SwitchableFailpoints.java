package io.solidus.dev.authorities.world;

import io.solidus.authority.spend.Failpoints;
import java.util.EnumSet;
import java.util.Set;

/**
 * Kills the handling of a request at a chosen place, as a crash of the process would: nothing after
 * it runs.
 */
public final class SwitchableFailpoints implements Failpoints {

  private final Set<Step> armed = EnumSet.noneOf(Step.class);

  /** Not an Exception: no handler of the code under test gets to tidy up. */
  public static final class Killed extends Error {
    private static final long serialVersionUID = 1L;

    Killed(Step step) {
      super("killed at " + step);
    }
  }

  public synchronized void arm(Step step) {
    armed.add(step);
  }

  public synchronized void disarm() {
    armed.clear();
  }

  @Override
  public synchronized void reach(Step step) {
    if (armed.contains(step)) {
      throw new Killed(step);
    }
  }
}
