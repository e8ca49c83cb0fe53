package io.solidus.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;

/** Loopback ports that are free now; the same one is not given twice by one process. */
final class Ports {

  private static final Set<Integer> GIVEN = new HashSet<>();

  private Ports() {}

  static synchronized int next() {
    try {
      while (true) {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
          if (GIVEN.add(socket.getLocalPort())) {
            return socket.getLocalPort();
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
