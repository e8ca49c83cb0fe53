package io.solidus.operator.sanctions.list;

import io.solidus.operator.sanctions.list.ListRefusedException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Imports one file completely or not at all. */
@Service
class ListImport {
  private static final Logger log = LoggerFactory.getLogger(ListImport.class);

  /** How many versions keep their entries; of older ones only the version record stays. */
  private static final int KEPT_VERSIONS = 30;

  private final ListStore store;
  private final Clock clock;

  ListImport(ListStore store, Clock clock) {
    this.store = store;
    this.clock = clock;
  }

  /** The version of a file; {@code created} is false when the file was the newest version. */
  record Result(ListVersion version, boolean created) {}

  /**
   * Imports a file as the next version of a list.
   *
   * @param acceptShrinkage import a file with less than half the entries of the previous version
   * @throws ListRefusedException when the file is refused; nothing of it is stored
   */
  @Transactional(rollbackFor = Exception.class)
  public Result run(ListId list, ListFile file, boolean acceptShrinkage, String operator)
      throws IOException, ListRefusedException {
    long head = store.lockHead(list);
    ListVersion newest = store.version(list, head).orElse(null);
    if (newest != null && newest.fileDigest().equals(file.digest())) {
      return new Result(newest, false);
    }
    ParseReport report = write(list, head + 1, file);
    if (newest != null && !acceptShrinkage && report.entries() < newest.entries() / 2) {
      throw new ListRefusedException(
          Reason.SHRUNK,
          "the file has "
              + report.entries()
              + " entries, the previous version "
              + newest.entries()
              + "; repeat with acceptShrinkage=true if this is correct");
    }
    ListVersion version =
        new ListVersion(
            list.id(),
            head + 1,
            file.digest(),
            file.bytes(),
            report.published(),
            report.entries(),
            report.names(),
            report.malformed(),
            report.malformedAt(),
            operator,
            clock.instant());
    store.publish(list, version, KEPT_VERSIONS);
    log.info(
        "list {} version {}: {} entries, {} malformed",
        list.id(),
        head + 1,
        report.entries(),
        report.malformed());
    return new Result(version, true);
  }

  private ParseReport write(ListId list, long version, ListFile file)
      throws IOException, ListRefusedException {
    ListStore.Writer writer = store.writer(list, version);
    try (InputStream in = file.open()) {
      ParseReport report = ListParser.of(list).parse(in, writer);
      writer.flush();
      return report;
    }
  }
}
