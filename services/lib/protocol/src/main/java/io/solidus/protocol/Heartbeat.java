package io.solidus.protocol;

/**
 * The sanctions service's statement that {@code checkpointVersion} was its newest checkpoint at
 * {@code atMillis} (Unix time). A validator without a fresh heartbeat accepts no new cores.
 */
public record Heartbeat(long checkpointVersion, long atMillis) {
  private static final String KIND = "heartbeat";

  public Heartbeat {
    if (checkpointVersion < 1 || atMillis < 0) {
      throw ProtocolException.malformed("a heartbeat's number is out of range");
    }
  }

  public String toNoteText(NetworkId network) {
    return NoteText.write(KIND, network)
        .line("checkpoint-version", checkpointVersion)
        .line("at-millis", atMillis)
        .text();
  }

  public static Heartbeat parse(NetworkId network, String text) {
    NoteText.Reader in = NoteText.read(KIND, network, text);
    Heartbeat heartbeat = new Heartbeat(in.number("checkpoint-version"), in.number("at-millis"));
    in.end();
    return heartbeat;
  }
}
