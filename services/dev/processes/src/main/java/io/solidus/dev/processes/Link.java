package io.solidus.dev.processes;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** A network link to one server that can be cut and slowed: a TCP proxy on the loopback device. */
public final class Link implements AutoCloseable {

  /** How the link treats bytes. */
  public enum State {
    UP,
    /** Connections stay open and nothing arrives, as in a partition. */
    SILENT,
    /** Connections are closed, new ones too. */
    DOWN
  }

  private static final int CONNECT_MILLIS = 2000;
  private static final Duration PAUSE = Duration.ofMillis(10);

  private final int home;
  private volatile int target;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile State state = State.UP;
  private volatile Duration delay = Duration.ZERO;
  private volatile boolean closed;

  public Link(int targetPort) {
    this.home = targetPort;
    this.target = targetPort;
    try {
      listener = new ServerSocket();
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofPlatform().daemon().name("link-" + targetPort).start(this::accept);
  }

  /** The port that stands for the server. */
  public int port() {
    return listener.getLocalPort();
  }

  public void be(State state) {
    this.state = state;
    if (state == State.DOWN) {
      breakAll();
    }
  }

  /** Leads to another server from now on; what is open to the one before breaks. */
  public void detour(int port) {
    target = port;
    breakAll();
  }

  /** Leads to its own server again. */
  public void direct() {
    detour(home);
  }

  /** The port of its own server. */
  public int home() {
    return home;
  }

  /** Delays every read in each direction. */
  public void slow(Duration delay) {
    this.delay = delay;
  }

  @Override
  public void close() {
    closed = true;
    quietly(listener);
    breakAll();
  }

  private void accept() {
    while (!closed) {
      try {
        Socket near = listener.accept();
        if (state == State.DOWN) {
          quietly(near);
          continue;
        }
        Thread.ofVirtual().start(() -> connect(near));
      } catch (IOException e) {
        if (!closed) {
          LockSupport.parkNanos(PAUSE.toNanos());
        }
      }
    }
  }

  private void connect(Socket near) {
    Socket far = new Socket();
    try {
      far.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target), CONNECT_MILLIS);
      near.setTcpNoDelay(true);
      far.setTcpNoDelay(true);
    } catch (IOException e) {
      quietly(near);
      quietly(far);
      return;
    }
    sockets.add(near);
    sockets.add(far);
    Thread.ofVirtual().start(() -> copy(near, far));
    Thread.ofVirtual().start(() -> copy(far, near));
  }

  private void copy(Socket from, Socket to) {
    byte[] buffer = new byte[32 * 1024];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        while (state == State.SILENT && !closed) {
          LockSupport.parkNanos(PAUSE.toNanos());
        }
        if (!delay.isZero()) {
          LockSupport.parkNanos(delay.toNanos());
        }
        out.write(buffer, 0, n);
        out.flush();
      }
    } catch (IOException e) {
      // one side is closed; the finally block closes the other
    } finally {
      quietly(from);
      quietly(to);
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  private void breakAll() {
    sockets.forEach(Link::quietly);
  }

  private static void quietly(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception e) {
      // already closed
    }
  }
}
