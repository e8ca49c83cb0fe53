package io.solidus.dev.sandbox.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Passes connections on to a port of this machine and counts the bytes, headers included. */
final class CountingRelay implements AutoCloseable {
  private static final int BUFFER = 64 * 1024;

  private final ServerSocket listening;
  private final int target;
  private final LongAdder up = new LongAdder();
  private final LongAdder down = new LongAdder();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  CountingRelay(int target) throws IOException {
    this.target = target;
    this.listening = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().name("counting-relay").start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  /**
   * Bytes since the start.
   *
   * @param up from the wallet
   * @param down to the wallet
   */
  record Bytes(long up, long down) {
    Bytes minus(Bytes before) {
      return new Bytes(up - before.up, down - before.down);
    }
  }

  Bytes bytes() {
    return new Bytes(up.sum(), down.sum());
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket wallet = listening.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        open.add(wallet);
        open.add(server);
        Thread.ofVirtual().start(() -> pass(wallet, server, up));
        Thread.ofVirtual().start(() -> pass(server, wallet, down));
      } catch (IOException e) {
        // closed, or a server that is not there: the wallet sees a closed connection
      }
    }
  }

  private void pass(Socket from, Socket to, LongAdder count) {
    byte[] buffer = new byte[BUFFER];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        count.add(read);
        out.write(buffer, 0, read);
      }
    } catch (IOException e) {
      // one side closed the connection
    } finally {
      open.remove(from);
      open.remove(to);
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
