package io.solidus.dev.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/**
 * Loopback ports for servers whose address others must know before they start. One that the system
 * draws (port 0) would not do: until the server listens the system may draw it again, as the near
 * end of some connection.
 */
public final class FreePorts {
  /** Sandboxes of tests have theirs below. */
  private static final int FIRST = 25_000;

  /** Where Linux begins to draw. */
  private static final int END = 32_768;

  private static final Random RANDOM = new Random();
  private static final Set<Integer> GIVEN = new HashSet<>();

  private FreePorts() {}

  /** A port that was free a moment ago; the same one is not given twice by one process. */
  public static synchronized int next() {
    while (GIVEN.size() < END - FIRST) {
      int port = RANDOM.nextInt(FIRST, END);
      if (GIVEN.add(port) && isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException("no port is left");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }
}
