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
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
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

  /** Names of the folders of days that are being deleted. */
  private static final DateTimeFormatter DELETED = DateTimeFormatter.ofPattern("uuuu_MM_dd");

  /** For indexes, and because file systems are slow to say how much they have. */
  private static final long RESERVE = 64L << 20;

  private final Path folder;
  private final NetworkId network;
  private final FileChannel lockFile;
  private final FileLock lock;

  private final LongSupplier usable;

  /**
   * The tables of each file whose messages were compared with their roots: a bit for each group of
   * messages at which one begins. Guarded by itself.
   */
  private final Map<Path, BitSet> verified = new HashMap<>();

  /** Tables whose messages are others, until they are read again. */
  private final Set<Stored> damaged = ConcurrentHashMap.newKeySet();

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

  private TableFiles(
      Path folder, NetworkId network, FileChannel lockFile, FileLock lock, LongSupplier usable) {
    this.folder = folder;
    this.network = network;
    this.usable = usable;
    this.lockFile = lockFile;
    this.lock = lock;
  }

  /**
   * Opens a folder, which one process has at a time.
   *
   * @throws IllegalStateException when another process has it
   */
  static TableFiles open(Path folder, NetworkId network) {
    return open(folder, network, () -> usable(folder));
  }

  private static long usable(Path folder) {
    try {
      return Files.getFileStore(folder).getUsableSpace();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * @param usable bytes that the disk still has
   */
  static TableFiles open(Path folder, NetworkId network, LongSupplier usable) {
    try {
      Files.createDirectories(folder);
      FileChannel channel =
          FileChannel.open(
              folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = lock(channel);
      TableFiles files = new TableFiles(folder, network, channel, lock, usable);
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
   * Compares the messages of tables with their roots, once for each table and process. What is
   * appended later was compared before.
   *
   * @return whether they are whole
   */
  boolean areWhole(List<Stored> tables) {
    for (Stored each : tables) {
      if (damaged.contains(each) || (!isVerified(each) && !isWholeNow(each))) {
        return false;
      }
    }
    return true;
  }

  /** A table that is not is remembered: whoever asks for it again makes this read nothing. */
  private boolean isWholeNow(Stored stored) {
    boolean whole;
    try {
      whole = isWhole(stored);
    } catch (NoSuchFileException e) {
      // a day that is deleted at this moment
      return false;
    } catch (IOException e) {
      log.error("the messages in {} cannot be read: {}", stored.records(), e.getMessage());
      whole = false;
    }
    if (whole) {
      verified(stored);
    } else {
      boolean unused = damaged.add(stored);
    }
    return whole;
  }

  private boolean isVerified(Stored stored) {
    synchronized (verified) {
      BitSet its = verified.get(stored.records());
      return its != null && its.get(group(stored));
    }
  }

  private void verified(Stored stored) {
    synchronized (verified) {
      verified.computeIfAbsent(stored.records(), any -> new BitSet()).set(group(stored));
    }
  }

  private void forget(Path records) {
    synchronized (verified) {
      BitSet unused = verified.remove(records);
    }
    boolean unused = damaged.removeIf(each -> each.records().equals(records));
  }

  /** Every table begins at a group of messages of its own. */
  private static int group(Stored stored) {
    return Math.toIntExact(stored.at() / RetrievalTable.storedBytes(1, BLOB_BYTES));
  }

  /** Tables that were found to be others than those that were written. */
  Set<Stored> damaged() {
    return Set.copyOf(damaged);
  }

  /**
   * Writes the messages of a damaged table anew; the next query that needs them compares them.
   *
   * @param blobs that lead to the table's root
   */
  void repair(Stored stored, List<byte[]> blobs) {
    try (FileChannel channel = FileChannel.open(stored.records(), StandardOpenOption.WRITE)) {
      ByteBuffer content = padded(blobs);
      channel.position(stored.at());
      while (content.hasRemaining()) {
        int unused = channel.write(content);
      }
      channel.force(false);
    } catch (NoSuchFileException e) {
      // its day was deleted
      boolean unused = damaged.remove(stored);
      return;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    boolean unused = damaged.remove(stored);
    log.info("a damaged table in {} was read from the gateway again", stored.records());
  }

  private static boolean isWhole(Stored stored) throws IOException {
    List<byte[]> blobs = new ArrayList<>(stored.table().records());
    try (FileChannel channel = FileChannel.open(stored.records())) {
      for (int i = 0; i < stored.table().records(); i++) {
        ByteBuffer blob = ByteBuffer.allocate(BLOB_BYTES);
        readFully(channel, blob, stored.at() + (long) i * BLOB_BYTES);
        blobs.add(blob.array());
      }
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
      long at = append(records, padded(blobs));
      Stored stored = new Stored(table, state, records, at);
      append(index(records), ByteBuffer.wrap(entry(stored)));
      // it was compared before it was written
      verified(stored);
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
      write(next, from);
      bytes = count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    before.clear();
    since = from;
    list = next;
  }

  private void write(MailTableList next, long from) throws IOException {
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
  }

  /**
   * Takes back what was appended since the list. A file that cannot be cut off stays noted, so the
   * next call tries again; before, nothing more may be appended.
   */
  void rollback() {
    IOException failed = null;
    for (Map.Entry<Path, Long> each : List.copyOf(before.entrySet())) {
      try {
        truncate(each.getKey(), each.getValue());
        before.remove(each.getKey());
      } catch (IOException e) {
        failed = e;
      }
    }
    if (failed != null) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Bytes that all days may have: no more than the disk has room for. */
  long room(long maxBytes) {
    return Math.min(maxBytes, bytes + usable.getAsLong() - RESERVE);
  }

  /**
   * Deletes days that are too old, and the oldest ones until the rest fits; never the newest three,
   * in which the last 25 hours are. Where even these do not fit, as when something else fills the
   * disk, it deletes none for it: that would help nobody.
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
      long kept = days.stream().filter(day -> day >= newest - 2).mapToLong(sizes::get).sum();
      while (!days.isEmpty()
          && (days.getFirst() < newest - DAYS
              || (days.getFirst() < newest - 2
                  && kept <= maxBytes
                  && sizes.values().stream().mapToLong(Long::longValue).sum() > maxBytes))) {
        long oldest = days.removeFirst();
        sizes.remove(oldest);
        from = Math.max(from, end(oldest));
        deleteOldest(oldest, from);
      }
      bytes = sizes.values().stream().mapToLong(Long::longValue).sum();
      begin();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return from;
  }

  /**
   * Deletes a day, on a disk without a byte as well. There the list can be written only when the
   * day is gone, so until then the day's other name says that tables begin later.
   */
  private void deleteOldest(long day, long from) throws IOException {
    Path its = folder.resolve(LocalDate.ofEpochDay(day).toString());
    List<Path> files;
    try (Stream<Path> all = Files.list(its)) {
      files = all.toList();
    }
    Path gone = folder.resolve(deletedName(day));
    Path unused = Files.move(its, gone, StandardCopyOption.ATOMIC_MOVE);
    forceFolder(folder);
    if (list != null) {
      since = Math.max(since, from);
    }
    files.forEach(this::forget);
    empty(gone);
  }

  /** Says that tables begin later, then forgets the names of the days that were deleted. */
  private void begin() throws IOException {
    List<Long> deleted = days(DELETED);
    if (deleted.isEmpty()) {
      return;
    }
    for (long day : deleted) {
      // what a crash left
      empty(folder.resolve(deletedName(day)));
    }
    MailTableList newest = list;
    if (newest != null) {
      write(newest, since);
    }
    for (long day : deleted) {
      Files.delete(folder.resolve(deletedName(day)));
    }
  }

  /** As long as the day's own, so that the folder needs no more room. */
  private static String deletedName(long day) {
    return LocalDate.ofEpochDay(day).format(DELETED);
  }

  private static void empty(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      for (Path each : all.toList()) {
        Files.delete(each);
      }
    }
  }

  /** The last second of a day. */
  private static long end(long day) {
    return (day + 1) * DAY - 1;
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
      List<Long> deleted = days(DELETED);
      if (!deleted.isEmpty()) {
        since = Math.max(since, end(deleted.getLast()));
      }
      if (!isWhole(found)) {
        throw ProtocolException.malformed("the newest tables do not lead to the list");
      }
    } catch (ProtocolException
        | NumberFormatException
        | NoSuchFileException
        | CharacterCodingException e) {
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
    return days(DateTimeFormatter.ISO_LOCAL_DATE);
  }

  private List<Long> days(DateTimeFormatter names) throws IOException {
    List<Long> days = new ArrayList<>();
    try (Stream<Path> all = Files.list(folder)) {
      for (Path each : all.toList()) {
        try {
          days.add(LocalDate.parse(String.valueOf(each.getFileName()), names).toEpochDay());
        } catch (DateTimeParseException e) {
          // the list, the lock, or a folder of the other kind
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
        forget(each);
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
