package io.solidus.authority.replica;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.MailState;
import io.solidus.protocol.MailTable;
import io.solidus.protocol.MailTableList;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.NetworkId;
import io.solidus.retrieval.TableTree;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** A gateway's tables, and the lies of a dishonest one. */
final class ServedTables implements TablePages {
  static final NetworkId NETWORK = new NetworkId("solidus-test");

  private final Random content = new Random(69);
  private final List<Made> made = new ArrayList<>();
  private long number;
  MailTableList list;
  UnaryOperator<Headers> headers = UnaryOperator.identity();
  UnaryOperator<List<Message>> records = UnaryOperator.identity();

  /** A table with its messages. */
  record Made(MailTable table, MailState before, List<Message> messages) {
    List<byte[]> blobs() {
      return messages.stream().map(Message::blob).toList();
    }
  }

  ServedTables(long begun) {
    list = new MailTableList(begun, new TreeMap<>());
  }

  /** Closes a table of a bucket with so many messages. */
  Made close(long closed, MailboxBucket bucket, int messages) {
    List<Message> fresh = new ArrayList<>();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < messages; i++) {
      byte[] blob = new byte[1200];
      content.nextBytes(blob);
      fresh.add(new Message(++number, blob));
      all.write(blob, 0, MailTable.HEADER_BYTES);
    }
    MailTable table =
        new MailTable(
            bucket,
            closed,
            fresh.getFirst().number(),
            messages,
            Digest32.sha256(all.toByteArray()),
            TableTree.root(fresh.stream().map(Message::blob).toList()));
    Made next = new Made(table, list.state(bucket), fresh);
    made.add(next);
    list = list.with(closed, List.of(table));
    return next;
  }

  /** A list in which no bucket got a message. */
  void closeNothing(long closed) {
    list = list.with(closed, List.of());
  }

  /** The state of a bucket at a time. */
  MailState stateAt(MailboxBucket bucket, long closed) {
    return made.stream()
        .filter(each -> each.table().bucket().equals(bucket) && each.table().closed() <= closed)
        .reduce((earlier, later) -> later)
        .map(each -> each.table().after(each.before()))
        .orElse(MailState.NONE);
  }

  @Override
  public Optional<String> newest() {
    return Optional.of(list.toNoteText(NETWORK));
  }

  @Override
  public Headers headers(MailboxBucket bucket, long after, long upto) {
    List<Made> tables =
        made.stream()
            .filter(each -> each.table().bucket().equals(bucket))
            .filter(each -> each.table().closed() > after && each.table().closed() <= upto)
            .toList();
    return headers.apply(
        new Headers(
            tables.isEmpty() ? MailState.NONE : tables.getFirst().before(),
            upto,
            tables.stream().map(ServedTables::table).toList()));
  }

  private static Table table(Made each) {
    ByteArrayOutputStream headers = new ByteArrayOutputStream();
    each.blobs().forEach(blob -> headers.write(blob, 0, MailTable.HEADER_BYTES));
    MailTable table = each.table();
    return new Table(
        table.closed(), table.first(), table.records(), table.root(), headers.toByteArray());
  }

  @Override
  public List<Message> records(MailboxBucket bucket, long after, long upto) {
    return records.apply(
        made.stream()
            .filter(each -> each.table().bucket().equals(bucket) && each.table().closed() <= upto)
            .flatMap(each -> each.messages().stream())
            .filter(each -> each.number() > after)
            .limit(3)
            .toList());
  }
}
