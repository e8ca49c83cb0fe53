package io.solidus.wallet.core;

import java.util.Arrays;
import java.util.List;

/** What the core asks of its host (W-33). */
sealed interface Effect {
  /** With a number, under which its answer goes back to the core. */
  sealed interface Asked extends Effect {
    long number();
  }

  record Http(long number, CoreExchange exchange) implements Asked {}

  /**
   * A proof.
   *
   * @param witness a secret
   */
  record Prove(long number, int family, byte[] witness) implements Asked {
    @Override
    public String toString() {
      return "Prove[redacted]";
    }
  }

  record Wake(long number, long atMillis) implements Asked {}

  /**
   * A page of history to keep.
   *
   * @param page its number
   */
  record Archive(long number, int page, byte[] bytes) implements Asked {}

  record Tell(CoreNews news) implements Effect {}

  record View(CoreView view) implements Effect {}

  /**
   * A page of history.
   *
   * @param code empty, or {@code history-lost}
   */
  record Page(int page, String code, List<CoreView.Transfer> history) implements Effect {}

  /** Reads the effects of a step, and clears them: a witness may be among them. */
  static List<Effect> list(byte[] effects) {
    try {
      return RecordReader.whole(effects, all -> all.list(Effect::read));
    } finally {
      Arrays.fill(effects, (byte) 0);
    }
  }

  private static Effect read(RecordReader in) {
    int kind = in.u8();
    byte[] body = in.sized();
    try {
      return of(kind, body);
    } finally {
      Arrays.fill(body, (byte) 0);
    }
  }

  private static Effect of(int kind, byte[] body) {
    return switch (kind) {
      case 1 -> RecordReader.whole(body, r -> new Http(r.u64(), CoreExchange.read(r)));
      case 2 -> RecordReader.whole(body, r -> new Prove(r.u64(), r.u8(), r.sized()));
      case 3 -> RecordReader.whole(body, r -> new Wake(r.u64(), r.u64()));
      case 4 -> new Tell(RecordReader.whole(body, CoreNews::read));
      case 5 -> new View(RecordReader.whole(body, CoreView::read));
      case 6 -> RecordReader.whole(body, r -> new Archive(r.u64(), r.u32(), r.sized()));
      case 7 ->
          RecordReader.whole(body, r -> new Page(r.u32(), r.text(), r.list(CoreView::transfer)));
      default -> throw new IllegalStateException("an effect of kind " + kind);
    };
  }
}
