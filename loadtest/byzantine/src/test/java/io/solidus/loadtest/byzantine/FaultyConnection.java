package io.solidus.loadtest.byzantine;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The connection of one authority: a proxy that passes, delays or cuts the authority's bytes. */
final class FaultyConnection implements AutoCloseable {
  private static final long DRIP_NANOS = TimeUnit.MICROSECONDS.toNanos(300);

  /** The treatment of the authority's bytes. */
  enum Mode {
    PASS,
    DRIP,
    /** Sends half of the next bytes and closes the connection. */
    CUT
  }

  private final int target;
  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile Mode mode = Mode.PASS;

  FaultyConnection(int target) {
    this.target = target;
    try {
      listener = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  String address() {
    return "127.0.0.1:" + listener.getLocalPort();
  }

  void be(Mode mode) {
    this.mode = mode;
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket near = listener.accept();
        Socket far = new Socket();
        open.add(near);
        open.add(far);
        far.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
        near.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
        Thread.ofVirtual().start(() -> copy(near, far, false));
        Thread.ofVirtual().start(() -> copy(far, near, true));
      } catch (IOException e) {
        // the listener was closed, or one connection failed
      }
    }
  }

  private void copy(Socket from, Socket to, boolean answers) {
    byte[] buffer = new byte[16 * 1024];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (!answers) {
          out.write(buffer, 0, n);
        } else if (!pass(out, buffer, n)) {
          break;
        }
      }
    } catch (IOException e) {
      // closing both sockets ends the other direction
    } finally {
      open.remove(from);
      open.remove(to);
    }
  }

  /** Forwards bytes; returns whether the connection stays open. */
  private boolean pass(OutputStream out, byte[] bytes, int length) throws IOException {
    for (int sent = 0; sent < length; sent++) {
      switch (mode) {
        case PASS -> {
          out.write(bytes, sent, length - sent);
          return true;
        }
        case DRIP -> {
          out.write(bytes, sent, 1);
          LockSupport.parkNanos(DRIP_NANOS);
        }
        case CUT -> {
          out.write(bytes, sent, (length - sent) / 2);
          return false;
        }
      }
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
