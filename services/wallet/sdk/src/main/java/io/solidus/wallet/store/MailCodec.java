package io.solidus.wallet.store;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.MailState;
import io.solidus.protocol.MailTableList;
import io.solidus.protocol.MailboxBucket;
import io.solidus.wallet.model.MailPlace;
import java.util.SortedMap;
import java.util.TreeMap;

/** Encodes the place of a wallet that reads its mail with private queries. */
final class MailCodec {
  /** The highest bit of a waiting message's index says whether another body came for it. */
  private static final int REPLACED = 1 << 31;

  private MailCodec() {}

  static void write(StateWriter out, MailPlace place) {
    out.u8(place.bucket().number())
        .u64(place.list().closed())
        .each(
            place.list().states().entrySet(),
            (w, each) ->
                w.u8(each.getKey())
                    .u64(each.getValue().closed())
                    .fixed(each.getValue().digest().bytes()))
        .each(place.tables(), (w, table) -> w.u64(table.closed()).u32(table.records()))
        .each(
            place.waiting(),
            (w, each) ->
                w.u64(each.closed())
                    .u32(each.record() | (each.replaced() ? REPLACED : 0))
                    .fixed(each.header().bytes()))
        .u32(place.overdue())
        .u64(place.number());
  }

  static MailPlace place(StateReader in) {
    return new MailPlace(
        new MailboxBucket(in.u8()),
        list(in),
        in.each(r -> new MailPlace.Table(r.u64(), r.u32())),
        in.each(MailCodec::waiting),
        in.u32(),
        in.u64());
  }

  private static MailPlace.Waiting waiting(StateReader in) {
    long closed = in.u64();
    int record = in.u32();
    return new MailPlace.Waiting(closed, record & ~REPLACED, digest(in), (record & REPLACED) != 0);
  }

  private static MailTableList list(StateReader in) {
    long closed = in.u64();
    SortedMap<Integer, MailState> states = new TreeMap<>();
    in.each(r -> new Bucket(r.u8(), new MailState(r.u64(), digest(r))))
        .forEach(each -> states.put(each.number(), each.state()));
    return new MailTableList(closed, states);
  }

  private record Bucket(int number, MailState state) {}

  private static Digest32 digest(StateReader in) {
    return Digest32.of(in.fixed(Digest32.BYTES));
  }
}
