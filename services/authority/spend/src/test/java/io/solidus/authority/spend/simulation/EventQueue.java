package io.solidus.authority.spend.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Supplier;

/**
 * The simulated clock: runs one event after the other in the order of their times. Its unit is a
 * tick, about a millisecond of a real network.
 */
final class EventQueue {

  private record Event(long at, long order, Runnable work) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final List<String> trace = new ArrayList<>();
  private final boolean tracing;
  private long now;
  private long added;
  private long processed;

  EventQueue(boolean tracing) {
    this.tracing = tracing;
  }

  long now() {
    return now;
  }

  /** How many events were processed. */
  long processed() {
    return processed;
  }

  void in(long ticks, Runnable work) {
    events.add(new Event(now + ticks, added++, work));
  }

  /** Runs the next event; false when there is none. */
  boolean step() {
    Event event = events.poll();
    if (event == null) {
      return false;
    }
    now = event.at();
    processed++;
    event.work().run();
    return true;
  }

  void note(Supplier<String> text) {
    if (tracing) {
      trace.add("%6d  %s".formatted(now, text.get()));
    }
  }

  List<String> trace() {
    return trace;
  }
}
