package io.solidus.operator.console.frame;

import java.util.List;

/** What a page's controller adds to the console. */
public interface ConsolePage {
  /** Its links in the navigation. */
  List<NavEntry> navigation();

  /** The queues whose work is done on it. */
  default List<WorkQueue> queues() {
    return List.of();
  }
}
