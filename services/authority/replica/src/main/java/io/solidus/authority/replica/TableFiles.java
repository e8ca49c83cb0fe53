package io.solidus.authority.replica;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.MailState;
import io.solidus.protocol.MailTable;
import io.solidus.protocol.MailTableList;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.retrieval.FileRecords;
import io.solidus.retrieval.RetrievalTable;
import io.solidus.retrieval.TableTree;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tables on disk: a folder for each day (UTC), in it two files for each bucket that got messages.
 * {@code BUCKET.records} has the tables' messages, {@code BUCKET.index} one entry for each table,
 * with a checksum of its own and, as the table's Merkle root, one of the messages.
 *
 * <p>Both are only appended to, and count up to the list in the file {@code list}, which is written
 * last and replaced in one step. What a crash left behind it is cut off when the folder is opened.
 * One thread writes, any number of threads read.
 */
final class TableFiles implements Closeable {
  static final int BLOB_BYTES = 1200;

  /** Messages are kept so long by gateways, too. */
  static final int DAYS = 90;

  private static final Logger log = LoggerFactory.getLogger(TableFiles.class);
  private static final long DAY = 86_400;
  private static final int FIELDS_BYTES = 4 + 8 + 8 + 4 + 32 + 32 + 8 + 32 + 8;
  private static final int ENTRY_BYTES = FIELDS_BYTES + Digest32.BYTES;
  private static final int MAX_LIST_BYTES = 64 * 1024;
  private static final String SINCE = "since ";

  private final Path folder;
  private final NetworkId network;
  private final FileChannel lockFile;
  private final FileLock lock;

  /** Files of messages that were compared with the roots of their tables. */
  private final Set<Path> verified = ConcurrentHashMap.newKeySet();

  /** The length of each file that was appended to since the list. */
  private final Map<Path, Long> before = new HashMap<>();

  private volatile @Nullable MailTableList list;
  private volatile long since = Long.MAX_VALUE;
  private volatile long bytes;

  /**
   * A table on disk.
   *
   * @param state of its bucket before it
   * @param at where its messages begin
   */
  record Stored(MailTable table, MailState state, Path records, long at) {
    MailState after() {
      return table.after(state);
    }

    long bytes() {
      return RetrievalTable.storedBytes(table.records(), BLOB_BYTES);
    }
  }

  private TableFiles(Path folder, NetworkId network, FileChannel lockFile, FileLock lock) {
    this.folder = folder;
    this.network = network;
    this.lockFile = lockFile;
    this.lock = lock;
  }

  /**
   * Opens a folder, which one process has at a time.
   *
   * @throws IllegalStateException when another process has it
   */
  static TableFiles open(Path folder, NetworkId network) {
    try {
      Files.createDirectories(folder);
      FileChannel channel =
          FileChannel.open(
              folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = lock(channel);
      TableFiles files = new TableFiles(folder, network, channel, lock);
      files.recover();
      files.bytes = files.count();
      return files;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static FileLock lock(FileChannel channel) throws IOException {
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    }
    if (lock == null) {
      channel.close();
      throw new IllegalStateException("solidus.replica.folder: another process has it");
    }
    return lock;
  }

  /** The list up to which tables are here; empty in a fresh folder. */
  Optional<MailTableList> list() {
    return Optional.ofNullable(list);
  }

  /** Tables that closed later than this are here. */
  long since() {
    return since;
  }

  /** The tables of a bucket that closed after one time and up to another, in their order. */
  List<Stored> tables(MailboxBucket bucket, long after, long upto) {
    MailTableList newest = list;
    if (newest == null) {
      return List.of();
    }
    List<Stored> found = new ArrayList<>();
    try {
      long last = Math.min(upto, newest.closed());
      for (long day = Math.floorDiv(after + 1, DAY); day <= Math.floorDiv(last, DAY); day++) {
        for (Stored each : read(day, bucket)) {
          if (each.table().closed() > after && each.table().closed() <= last) {
            found.add(each);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  /** A table whose messages are read from its file at each query. */
  RetrievalTable table(Stored stored) {
    return new RetrievalTable(
        stored.table().records(), BLOB_BYTES, new FileRecords(stored.records(), stored.at()));
  }

  /**
   * Compares the messages of tables with their roots, once for each file and process. What is
   * appended later was compared before.
   *
   * @return whether they are whole
   */
  boolean areWhole(List<Stored> tables) {
    MailTableList newest = list;
    for (Stored any : tables) {
      if (newest != null && !verified.contains(any.records())) {
        if (!isWhole(any, newest.closed())) {
          return false;
        }
        verified.add(any.records());
      }
    }
    return true;
  }

  /** Whether all tables that are in the file of one of them are whole. */
  private boolean isWhole(Stored any, long upto) {
    try {
      return read(Math.floorDiv(any.table().closed(), DAY), any.table().bucket()).stream()
          .filter(each -> each.table().closed() <= upto)
          .allMatch(this::isWhole);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isWhole(Stored stored) {
    List<byte[]> blobs = new ArrayList<>(stored.table().records());
    try (FileChannel channel = FileChannel.open(stored.records())) {
      for (int i = 0; i < stored.table().records(); i++) {
        ByteBuffer blob = ByteBuffer.allocate(BLOB_BYTES);
        readFully(channel, blob, stored.at() + (long) i * BLOB_BYTES);
        blobs.add(blob.array());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    boolean whole = TableTree.root(blobs).equals(stored.table().root());
    if (!whole) {
      log.error("the messages in {} are not those that were written", stored.records());
    }
    return whole;
  }

  /** Appends a table, which counts with the next list. */
  Stored append(MailTable table, MailState state, List<byte[]> blobs) {
    Path records = records(Math.floorDiv(table.closed(), DAY), table.bucket());
    try {
      Files.createDirectories(records.getParent());
      boolean known = before.containsKey(records) || Files.exists(records);
      long at = append(records, padded(blobs));
      Stored stored = new Stored(table, state, records, at);
      append(index(records), ByteBuffer.wrap(entry(stored)));
      if (!known) {
        // every table in it was compared before it was written
        verified.add(records);
      }
      return stored;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns where it begins. */
  private long append(Path file, ByteBuffer content) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      long at = channel.size();
      before.putIfAbsent(file, at);
      channel.position(at);
      while (content.hasRemaining()) {
        int unused = channel.write(content);
      }
      return at;
    }
  }

  private static ByteBuffer padded(List<byte[]> blobs) {
    ByteBuffer out =
        ByteBuffer.allocate(Math.toIntExact(RetrievalTable.storedBytes(blobs.size(), BLOB_BYTES)));
    blobs.forEach(out::put);
    return out.rewind();
  }

  /** Everything that was appended counts from now on. */
  void commit(MailTableList next, long from) {
    try {
      Set<Path> folders = new HashSet<>();
      for (Path file : before.keySet()) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.force(false);
        }
        folders.add(parent(file));
      }
      for (Path each : folders) {
        forceFolder(each);
      }
      forceFolder(folder);
      Path fresh = folder.resolve("list.new");
      String text = SINCE + from + "\n" + next.toNoteText(network);
      try (FileChannel channel =
          FileChannel.open(
              fresh,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        ByteBuffer content = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (content.hasRemaining()) {
          int unused = channel.write(content);
        }
        channel.force(true);
      }
      Path unused =
          Files.move(
              fresh,
              folder.resolve("list"),
              StandardCopyOption.ATOMIC_MOVE,
              StandardCopyOption.REPLACE_EXISTING);
      forceFolder(folder);
      bytes = count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    before.clear();
    since = from;
    list = next;
  }

  /** Takes back what was appended since the list. */
  void rollback() {
    before.forEach((file, length) -> {
      try {
        truncate(file, length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    before.clear();
  }

  /**
   * Deletes days that are too old, and the oldest ones until the rest fits; never the newest three,
   * in which the last 25 hours are.
   *
   * @return tables that closed later than this are still here
   */
  long expire(long closed, long maxBytes) {
    long from = since;
    long newest = Math.floorDiv(closed, DAY);
    try {
      List<Long> days = new ArrayList<>(days());
      Map<Long, Long> sizes = new HashMap<>();
      for (long day : days) {
        sizes.put(day, size(day));
      }
      while (!days.isEmpty()
          && (days.getFirst() < newest - DAYS
              || (days.getFirst() < newest - 2
                  && sizes.values().stream().mapToLong(Long::longValue).sum() > maxBytes))) {
        long oldest = days.removeFirst();
        sizes.remove(oldest);
        from = Math.max(from, (oldest + 1) * DAY - 1);
        delete(oldest);
      }
      bytes = sizes.values().stream().mapToLong(Long::longValue).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return from;
  }

  /** The bytes of all days. */
  long bytes() {
    return bytes;
  }

  private long count() throws IOException {
    long all = 0;
    for (long day : days()) {
      all += size(day);
    }
    return all;
  }

  /** Empties the folder of all tables that closed after a time, before they are read anew. */
  void clearAfter(long closed) {
    try {
      for (long day : days()) {
        if (day >= Math.floorDiv(closed, DAY)) {
          delete(day);
        }
      }
      bytes = count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void recover() throws IOException {
    Path file = folder.resolve("list");
    if (!Files.exists(file)) {
      return;
    }
    try {
      if (Files.size(file) > MAX_LIST_BYTES) {
        throw ProtocolException.malformed("the list is too long");
      }
      String text = Files.readString(file);
      int line = text.indexOf('\n');
      if (!text.startsWith(SINCE) || line < 0) {
        throw ProtocolException.malformed("the list has no beginning");
      }
      long from = Long.parseLong(text.substring(SINCE.length(), line));
      MailTableList found = MailTableList.parse(network, text.substring(line + 1));
      cutOff(found);
      list = found;
      since = from;
      if (!isWhole(found)) {
        throw ProtocolException.malformed("the newest tables do not lead to the list");
      }
    } catch (ProtocolException | NumberFormatException | NoSuchFileException e) {
      log.error("the tables in {} are damaged; the newest days are read anew", folder);
      list = null;
      since = Long.MAX_VALUE;
      Files.delete(file);
    }
  }

  /** Cuts off what was appended and has no list. */
  private void cutOff(MailTableList found) throws IOException {
    long newest = Math.floorDiv(found.closed(), DAY);
    for (long day : days()) {
      if (day > newest) {
        delete(day);
      }
    }
    for (int number = 1; number <= MailboxBucket.MAX; number++) {
      MailboxBucket bucket = new MailboxBucket(number);
      Path records = records(newest, bucket);
      if (Files.exists(records)) {
        List<Stored> its =
            read(newest, bucket).stream()
                .filter(each -> each.table().closed() <= found.closed())
                .toList();
        if (Files.exists(index(records))) {
          truncate(index(records), (long) its.size() * ENTRY_BYTES);
        }
        truncate(records, its.isEmpty() ? 0 : its.getLast().at() + its.getLast().bytes());
      }
    }
  }

  /** Whether the tables of the newest two days are the last ones of the list's states. */
  private boolean isWhole(MailTableList found) throws IOException {
    long newest = Math.floorDiv(found.closed(), DAY);
    for (int number = 1; number <= MailboxBucket.MAX; number++) {
      MailboxBucket bucket = new MailboxBucket(number);
      MailState state = found.state(bucket);
      List<Stored> its = new ArrayList<>(read(newest - 1, bucket));
      its.addAll(read(newest, bucket));
      boolean expected = state.closed() >= (newest - 1) * DAY && state.closed() > since;
      if (its.isEmpty() ? expected : !isChain(its) || !its.getLast().after().equals(state)) {
        return false;
      }
      for (Stored each : its) {
        if (Files.size(each.records()) < each.at() + each.bytes()) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether each table follows the one before. */
  static boolean isChain(List<Stored> tables) {
    for (int i = 1; i < tables.size(); i++) {
      if (!tables.get(i).state().equals(tables.get(i - 1).after())) {
        return false;
      }
    }
    return true;
  }

  /** The entries of an index, up to the first one that is not whole. */
  private List<Stored> read(long day, MailboxBucket bucket) throws IOException {
    Path records = records(day, bucket);
    byte[] content;
    try {
      content = Files.readAllBytes(index(records));
    } catch (NoSuchFileException e) {
      return List.of();
    }
    List<Stored> found = new ArrayList<>();
    for (int at = 0; at + ENTRY_BYTES <= content.length; at += ENTRY_BYTES) {
      ByteBuffer in = ByteBuffer.wrap(content, at, ENTRY_BYTES).slice();
      byte[] fields = new byte[FIELDS_BYTES];
      in.get(0, fields);
      if (in.getInt(0) != bucket.number()
          || !Digest32.sha256(fields).equals(digest(in, FIELDS_BYTES))) {
        break;
      }
      MailTable table =
          new MailTable(
              bucket, in.getLong(4), in.getLong(12), in.getInt(20), digest(in, 24), digest(in, 56));
      MailState state = new MailState(in.getLong(88), digest(in, 96));
      found.add(new Stored(table, state, records, in.getLong(128)));
    }
    return found;
  }

  private static byte[] entry(Stored stored) {
    MailTable table = stored.table();
    byte[] fields =
        ByteBuffer.allocate(FIELDS_BYTES)
            .putInt(table.bucket().number())
            .putLong(table.closed())
            .putLong(table.first())
            .putInt(table.records())
            .put(table.headers().bytes())
            .put(table.root().bytes())
            .putLong(stored.state().closed())
            .put(stored.state().digest().bytes())
            .putLong(stored.at())
            .array();
    return ByteBuffer.allocate(ENTRY_BYTES)
        .put(fields)
        .put(Digest32.sha256(fields).bytes())
        .array();
  }

  private static Digest32 digest(ByteBuffer in, int at) {
    byte[] bytes = new byte[Digest32.BYTES];
    in.get(at, bytes);
    return Digest32.of(bytes);
  }

  private Path records(long day, MailboxBucket bucket) {
    return folder
        .resolve(LocalDate.ofEpochDay(day).toString())
        .resolve(bucket.number() + ".records");
  }

  private static Path index(Path records) {
    String name = String.valueOf(records.getFileName());
    return records.resolveSibling(name.replace(".records", ".index"));
  }

  private static Path parent(Path file) {
    Path parent = file.getParent();
    if (parent == null) {
      throw new IllegalArgumentException("a file of tables is in a folder");
    }
    return parent;
  }

  /** The days of which there are folders, the oldest first. */
  private List<Long> days() throws IOException {
    List<Long> days = new ArrayList<>();
    try (Stream<Path> all = Files.list(folder)) {
      for (Path each : all.toList()) {
        try {
          days.add(LocalDate.parse(String.valueOf(each.getFileName())).toEpochDay());
        } catch (DateTimeParseException e) {
          // the list, or the lock
        }
      }
    }
    return days.stream().sorted().toList();
  }

  private long size(long day) throws IOException {
    try (Stream<Path> all = Files.list(folder.resolve(LocalDate.ofEpochDay(day).toString()))) {
      long size = 0;
      for (Path each : all.toList()) {
        size += Files.size(each);
      }
      return size;
    }
  }

  private void delete(long day) throws IOException {
    Path its = folder.resolve(LocalDate.ofEpochDay(day).toString());
    try (Stream<Path> all = Files.list(its)) {
      for (Path each : all.toList()) {
        verified.remove(each);
        Files.delete(each);
      }
    }
    Files.delete(its);
  }

  private static void truncate(Path file, long length) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      FileChannel unused = channel.truncate(length);
      channel.force(true);
    }
  }

  /** A new name is on disk only after its folder is. */
  private static void forceFolder(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static void readFully(FileChannel channel, ByteBuffer into, long at) throws IOException {
    while (into.hasRemaining()) {
      if (channel.read(into, at + into.position()) < 0) {
        throw new EOFException("a file of tables is too short");
      }
    }
  }

  @Override
  public void close() {
    try {
      lock.release();
      lockFile.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
