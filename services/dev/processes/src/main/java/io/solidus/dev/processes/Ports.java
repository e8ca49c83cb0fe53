package io.solidus.dev.processes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/**
 * Free loopback ports for processes whose address must be known before they start. They lie below
 * the ephemeral range: the kernel could give a port of that range to a connection before the
 * process listens on it.
 */
public final class Ports {

  /** The ports of the tests' sandboxes lie below. */
  private static final int FIRST = 25_000;

  /** The start of Linux's ephemeral range. */
  private static final int END = 32_768;

  private static final Random RANDOM = new Random();
  private static final Set<Integer> GIVEN = new HashSet<>();

  private Ports() {}

  /** A free port; the same port is never given twice in one JVM. */
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
    } catch (IOException e) {
      return false;
    }
  }
}
