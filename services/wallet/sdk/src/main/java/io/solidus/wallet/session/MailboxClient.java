package io.solidus.wallet.session;

import io.solidus.protocol.Apk;
import io.solidus.protocol.Coin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.MailTableList;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Origin;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Signature;
import io.solidus.protocol.Spec;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.GatewayClient;
import io.solidus.wallet.gateway.MailboxPage;
import io.solidus.wallet.mailbox.Parcel;
import io.solidus.wallet.mailbox.PrivateMailbox;
import io.solidus.wallet.mailbox.QuerySchedule;
import io.solidus.wallet.model.MailPlace;
import io.solidus.wallet.model.MailboxCursor;
import io.solidus.wallet.model.OwnedCoin;
import io.solidus.wallet.model.PaymentOrder;
import io.solidus.wallet.model.PendingDelivery;
import io.solidus.wallet.model.ReceivedCoin;
import io.solidus.wallet.model.RegistrationCase;
import io.solidus.wallet.model.WalletState;
import io.solidus.wallet.request.PaymentRequest;
import io.solidus.wallet.request.RequestToken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Posts sealed parcels to the mailbox and reads the wallet's own from it: whole, or with private
 * queries.
 */
public final class MailboxClient {
  /** How long a gateway keeps messages if it sets nothing else. */
  private static final Duration RETENTION = Duration.ofDays(90);

  /** The age at which an unclaimed coin, and a copy of it, gets another copy. */
  private static final Duration COPY_AGE = Duration.ofDays(60);

  /** Copies made in one reading: each waits at random before its post. */
  private static final int MAX_COPIES = 10;

  /** Pages that are read after one reading to look for posts in other buckets. */
  private static final int MAX_LOOKS = 10;

  /** Payments whose tag is kept until their message is posted; the oldest goes without then. */
  private static final int MAX_TAGS = 16;

  /** The time after which a posted message is in a table, if it is not lost. */
  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  private final WalletSession session;
  private final int maxPages;

  /** Tags of requests that this process pays, by {@link #named}. */
  private final Map<String, RequestToken> tags = new LinkedHashMap<>();

  /** When this process posted a message last, by the message, in milliseconds since 1970. */
  private final Map<Digest32, Long> lastPosts = new HashMap<>();

  /** Whether the query of a wallet that was just opened was made. */
  private boolean asked;

  /** Headers of what was read whole since the wallet was opened: its body is not missing. */
  private final Set<Digest32> readWhole = new HashSet<>();

  public MailboxClient(WalletSession session) {
    this(session, MailboxReader.MAX_PAGES);
  }

  /**
   * A client that reads less.
   *
   * @param maxPages of 200 messages, in one reading
   */
  public MailboxClient(WalletSession session, int maxPages) {
    this.session = session;
    this.maxPages = maxPages;
  }

  /**
   * The parcels that were read.
   *
   * @param receivedCoins the accepted ones, in the mailbox's order
   * @param firstSignatures candidates for the first compliance coin's signature, not verified:
   *     anyone can send one
   * @param cases registration cases that this wallet opened, in the mailbox's order
   */
  public record Mail(
      List<ReceivedCoin> receivedCoins,
      List<Signature> firstSignatures,
      List<RegistrationCase> cases) {
    public Mail {
      receivedCoins = List.copyOf(receivedCoins);
      firstSignatures = List.copyOf(firstSignatures);
      cases = List.copyOf(cases);
    }
  }

  /**
   * Posts the waiting parcels. Returns whether none is left. A parcel that was not posted stays
   * stored, and the next command posts it. A refused one does not hold back those behind it.
   */
  public boolean deliver() {
    boolean all = true;
    for (PendingDelivery delivery : waiting()) {
      RequestToken tag = tag(delivery);
      session.options().progress().at(Progress.Step.DELIVERING);
      // the payment is finished; a failure of its delivery must not look like a failed payment
      try {
        if (tag == null) {
          pauseAtRandom();
        }
        MailboxBucket bucket = bucket(delivery);
        long number = post(delivery.blob(), bucket, tag);
        PendingDelivery posted = delivery.posted(now());
        Digest32 message = Digest32.sha256(delivery.blob());
        lastPosts.put(message, now());
        tags.values().removeIf(used -> used.equals(tag));
        session
            .store()
            .update(edit -> {
              edit.deliveries.replaceAll(d -> d.equals(delivery) ? posted : d);
              if (session.privateMailbox().isPresent() || !session.bucket().reads(bucket)) {
                edit.posts.removeIf(post -> post.message().equals(message));
                edit.posts.add(new MailboxCursor(number, message));
              }
            });
      } catch (ProtocolException e) {
        all = false;
      } catch (WalletException e) {
        if (e.error() != WalletError.GATEWAY_MISBEHAVED) {
          return false; // no answer: the others would wait for one in vain, too
        }
        all = false;
      }
    }
    return all;
  }

  /** What has to be posted, first that for which somebody waits. */
  private List<PendingDelivery> waiting() {
    return session.store().state().deliveries().stream()
        .filter(PendingDelivery::isWaiting)
        .sorted(Comparator.comparing(delivery -> tag(delivery) == null))
        .toList();
  }

  private long post(byte[] blob, MailboxBucket bucket, @Nullable RequestToken tag) {
    try {
      return session.gateway().postMailbox(blob, bucket, tag);
    } catch (ProtocolException e) {
      if (tag == null || e.code() != RejectionCode.MALFORMED_REQUEST) {
        throw e;
      }
      return session.gateway().postMailbox(blob, bucket); // it knows no tags
    }
  }

  /**
   * Lets the message of the payment of a request be posted with the request's tag, by this process,
   * at its first post only, and at once. After a crash it is posted without: the payee finds it in
   * the bucket. A request without a tag takes back what an earlier try said.
   */
  @Spec("F-72")
  public void useTag(PaymentRequest request) {
    String name = named(request.payee().apk(), request.paymentText());
    tags.remove(name);
    if (request.tag() != null) {
      if (tags.size() == MAX_TAGS) {
        tags.remove(tags.keySet().iterator().next());
      }
      tags.put(name, request.tag());
    }
  }

  private @Nullable RequestToken tag(PendingDelivery delivery) {
    if (tags.isEmpty() || delivery.isOwn() || delivery.firstPostMillis() != 0) {
      return null;
    }
    return payee(delivery)
        .map(payee -> tags.get(named(payee.to().apk(), payee.reference())))
        .orElse(null);
  }

  private static String named(Apk payee, String text) {
    return payee.hex() + " " + text;
  }

  /** The bucket in which the addressee of a parcel looks for it. */
  private MailboxBucket bucket(PendingDelivery delivery) {
    if (delivery.isOwn() || session.bucket().isWhole()) {
      return session.bucket();
    }
    return session.bucketOf(
        payee(delivery).map(payee -> payee.to().apk()).orElseGet(() -> nobody(delivery)));
  }

  private Apk nobody(PendingDelivery delivery) {
    List<Apk> payees =
        session.store().state().transfers().get(delivery.transfer()).memo().payees().stream()
            .map(payee -> payee.to().apk())
            .toList();
    return session.keys().nobody(payees, delivery.payee());
  }

  /** The payee of a message about a transfer; empty for one that is for nobody. */
  private Optional<PaymentOrder> payee(PendingDelivery delivery) {
    List<PaymentOrder> payees =
        session.store().state().transfers().get(delivery.transfer()).memo().payees();
    return delivery.payee() < payees.size()
        ? Optional.of(payees.get(delivery.payee()))
        : Optional.empty();
  }

  /** Adds a copy of a coin sealed to this wallet itself, for a later restore. */
  public void keepCopy(WalletState.Draft edit, OwnedCoin coin, ReceivedCoin received) {
    keepCopy(edit, copy(coin, received));
  }

  /** Adds a parcel sealed to this wallet itself, for a later restore. */
  public void keepCopy(WalletState.Draft edit, Parcel parcel) {
    edit.deliveries.add(sealedCopy(parcel));
  }

  private PendingDelivery sealedCopy(Parcel parcel) {
    byte[] blob = session.parcels().seal(session.keys().encryptionKey().publicKey(), parcel);
    return new PendingDelivery(PendingDelivery.SELF, blob);
  }

  /**
   * Reads what came for this wallet, with private queries in a network that has replicas. Then not
   * all that came is read: {@link WalletState#mailPlace} says what waits, and {@link
   * WalletState#nextMailQuery} until when.
   *
   * @throws WalletException {@code mailbox-stale} and {@code gateway-misbehaved} as {@link
   *     PrivateMailbox} and {@link #receive}
   */
  public Mail receiveDue() {
    Optional<PrivateMailbox> own = session.privateMailbox();
    return own.isPresent() ? receive(own.get()) : receive();
  }

  /**
   * Between two requests of a reading the wallet does nothing that depends on what is its own: the
   * only write is that of the schedule, and what was read is opened and accepted behind the last
   * one.
   */
  private Mail receive(PrivateMailbox own) {
    session.options().progress().at(Progress.Step.READING_MAILBOX);
    GatewayClient gateway = session.gateway();
    MailTableList list = own.newest(gateway, session.options().clock().instant());
    ParcelSorter sorter = new ParcelSorter();
    PrivateMailbox.Reading reading = read(own, list, sorter);
    WalletState state = session.store().state();
    QuerySchedule due = QuerySchedule.at(state.nextMailQuery(), !asked, now(), session.random());
    asked = true;
    if (due.nextMillis() != state.nextMailQuery()) {
      session.store().update(edit -> edit.nextMailQuery = due.nextMillis());
    }
    Set<Digest32> tagged = tagged(state);
    MailPlace asking = reading.place().without(readWhole).without(tagged).without(seen(state));
    PrivateMailbox.Asked answers = own.ask(gateway, asking, due.queries());
    Looks looks = new Looks(answers.place());
    looks.atOtherBuckets(state);
    PrivateMailbox.Bodies bodies = own.open(answers, posted(state));
    List<byte[]> blobs = new ArrayList<>(reading.kept());
    blobs.addAll(bodies.blobs());
    Set<Digest32> inTables = new HashSet<>(reading.overdue());
    tagged.stream().filter(reading.place()::waits).forEach(inTables::add);
    accept(blobs, bodies.place(), inTables, sorter);
    looks.place = bodies.place();
    reachEnd(looks);
    return sorter.mail();
  }

  /**
   * Reads on from the place. A wallet that has none, or whose mailbox is another one, reads the
   * mailbox whole first, as one without private queries does.
   */
  private PrivateMailbox.Reading read(PrivateMailbox own, MailTableList list, ParcelSorter sorter) {
    WalletState state = session.store().state();
    MailPlace place = state.mailPlace();
    if (place != null) {
      if (list.closed() - place.list().closed() > Duration.ofDays(1).toSeconds()) {
        session.options().progress().at(Progress.Step.READING_OLD_MAIL);
      }
      Optional<PrivateMailbox.Reading> reading =
          own.read(session.gateway(), place, list, posted(state));
      if (reading.isPresent()) {
        return reading.get();
      }
      if (place.bucket().equals(session.bucket())) {
        startAgain();
      }
    }
    session.options().progress().at(Progress.Step.READING_OLD_MAIL);
    readWhole(sorter);
    return new PrivateMailbox.Reading(own.begin(session.gateway(), list), List.of(), Set.of());
  }

  /** Headers of messages that came by a tag: their bodies are not missing. */
  private static Set<Digest32> tagged(WalletState state) {
    return state.deliveries().stream()
        .filter(PendingDelivery::isTagged)
        .map(delivery -> MailPlace.header(delivery.blob()))
        .collect(Collectors.toSet());
  }

  /** Headers of what this wallet has posted and found: nobody asks for their bodies. */
  private static Set<Digest32> seen(WalletState state) {
    return state.deliveries().stream()
        .filter(delivery -> delivery.stage() == PendingDelivery.Stage.SEEN)
        .map(delivery -> MailPlace.header(delivery.blob()))
        .collect(Collectors.toSet());
  }

  /** SHA-256 of what this wallet has posted and not seen, by that of its header. */
  private static Map<Digest32, Digest32> posted(WalletState state) {
    Map<Digest32, Digest32> posted = new HashMap<>();
    state.deliveries().stream()
        .filter(delivery -> delivery.stage() != PendingDelivery.Stage.SEEN)
        .map(PendingDelivery::blob)
        .forEach(blob -> posted.put(MailPlace.header(blob), Digest32.sha256(blob)));
    return posted;
  }

  /**
   * Reads the mailbox whole from the stored place on. Reads from the start when the mailbox does
   * not have the message at that place: then it is another one, or has come back from a backup, or
   * the message and all before it have expired. A coin that is read twice is accepted once.
   *
   * @throws WalletException {@code gateway-misbehaved} when the mailbox changes again meanwhile, or
   *     does not end
   */
  public Mail receive() {
    session.options().progress().at(Progress.Step.READING_MAILBOX);
    ParcelSorter sorter = new ParcelSorter();
    readWhole(sorter);
    return sorter.mail();
  }

  private void readWhole(ParcelSorter sorter) {
    MailboxReader.read(
        session.gateway(),
        session.bucket(),
        maxPages,
        new MailboxReader.Place() {
          @Override
          public MailboxCursor cursor() {
            return session.store().state().mailboxCursor();
          }

          @Override
          public void accept(MailboxPage page, MailboxCursor next) {
            MailboxClient.this.accept(page, next, sorter);
          }

          @Override
          public void startAgain() {
            MailboxClient.this.startAgain();
          }
        });
    reachEnd(new Looks(null));
    readWhole.addAll(sorter.headers);
    WalletState state = session.store().state();
    MailPlace place = state.mailPlace();
    if (place != null) {
      MailPlace read = place.without(sorter.headers).without(seen(state)).readWhole();
      session.store().update(edit -> edit.mailPlace = read);
    }
  }

  /**
   * Accepts a payment whose blob came from the payer and not from the mailbox. Calls no service. A
   * copy waits for its delivery, because the payer may never post the blob.
   *
   * @return the coin; empty when the wallet has it already
   * @throws WalletException {@code parcel-invalid} when the blob is not sealed to this wallet, or
   *     the network did not sign its coin for this wallet
   */
  @Spec("W-18")
  public Optional<ReceivedCoin> accept(byte[] blob) {
    if (!(session.parcels().open(session.keys().encryptionKey(), blob).orElse(null)
        instanceof Parcel.Payment payment)) {
      throw new WalletException(
          WalletError.PARCEL_INVALID, "the parcel is no payment that is sealed to this wallet");
    }
    if (session.store().state().seenRhos().contains(payment.rho())) {
      return Optional.empty();
    }
    ParcelSorter sorter = new ParcelSorter();
    sorter.add(payment);
    if (sorter.accepted.isEmpty()) {
      throw new WalletException(
          WalletError.PARCEL_INVALID, "the network did not sign this coin for this wallet");
    }
    Arrival arrival = sorter.accepted.getFirst();
    session
        .store()
        .update(edit -> {
          edit.accept(arrival.coin(), arrival.received());
          keepCopy(edit, arrival.coin(), arrival.received());
        });
    return Optional.of(arrival.received());
  }

  /**
   * Accepts payments whose messages came by a tag. The gateway may have them nowhere else, so each
   * message is stored in one write with its coin, and posted if the bucket turns out not to have
   * it.
   */
  public List<ReceivedCoin> acceptTagged(List<byte[]> blobs) {
    List<ReceivedCoin> received = new ArrayList<>();
    for (byte[] blob : blobs) {
      ParcelSorter sorter = new ParcelSorter();
      if (session.parcels().open(session.keys().encryptionKey(), blob).orElse(null)
          instanceof Parcel.Payment payment) {
        sorter.add(payment);
      }
      for (Arrival arrival : sorter.accepted) {
        session
            .store()
            .update(edit -> {
              edit.accept(arrival.coin(), arrival.received());
              edit.deliveries.add(PendingDelivery.tagged(blob, now()));
            });
        received.add(arrival.received());
      }
    }
    return received;
  }

  private void accept(MailboxPage page, MailboxCursor next, ParcelSorter sorter) {
    accept(
        page.entries().stream().map(MailboxPage.Entry::blob).toList(),
        Set.of(),
        sorter,
        edit -> edit.mailboxCursor = next);
  }

  /** Stores what was read in private, and the place behind it, in one write. */
  private void accept(
      List<byte[]> blobs, MailPlace place, Set<Digest32> inTables, ParcelSorter sorter) {
    if (!blobs.isEmpty() || !place.equals(session.store().state().mailPlace())) {
      accept(blobs, inTables, sorter, edit -> edit.mailPlace = place);
    }
  }

  /**
   * Stores what was read, and the place behind it. A message that came by a tag needs no more to be
   * kept once it is in the bucket.
   *
   * @param inTables headers of the wallet's own posts, and of messages that came by a tag, that are
   *     in tables which authorities signed, and whose bodies nobody asks for
   */
  private void accept(
      List<byte[]> blobs,
      Set<Digest32> inTables,
      ParcelSorter sorter,
      Consumer<WalletState.Draft> place) {
    Predicate<PendingDelivery> found =
        delivery ->
            has(blobs, delivery.blob())
                || (!inTables.isEmpty() && inTables.contains(MailPlace.header(delivery.blob())));
    sorter.startPage();
    blobs.forEach(sorter::read);
    session
        .store()
        .update(edit -> {
          sorter.accepted.forEach(arrival -> edit.accept(arrival.coin(), arrival.received()));
          edit.deliveries.removeIf(delivery -> delivery.isTagged() && found.test(delivery));
          edit.deliveries.replaceAll(delivery ->
              delivery.stage() == PendingDelivery.Stage.POSTED && found.test(delivery)
                  ? delivery.with(PendingDelivery.Stage.SEEN)
                  : delivery);
          place.accept(edit);
        });
  }

  private static boolean has(List<byte[]> blobs, byte[] wanted) {
    return blobs.stream().anyMatch(blob -> Arrays.equals(blob, wanted));
  }

  /** Nothing is known of the mailbox any more, nor of what this wallet posted. */
  private void startAgain() {
    session
        .store()
        .update(edit -> {
          edit.mailboxCursor = MailboxCursor.START;
          edit.mailPlace = null;
          edit.deliveries.replaceAll(delivery ->
              delivery.stage() == PendingDelivery.Stage.SEEN
                  ? delivery.with(PendingDelivery.Stage.POSTED)
                  : delivery);
        });
  }

  /**
   * All of the wallet's bucket was read. What this wallet posted and did not see in it, or does not
   * find in another bucket, is lost, and waits again. What no mailbox keeps any longer is
   * forgotten.
   */
  @Spec("W-39")
  private void reachEnd(Looks looks) {
    WalletState state = session.store().state();
    List<PendingDelivery> kept =
        state.deliveries().stream()
            .filter(this::mayBeKept)
            .map(d -> d.stage() == PendingDelivery.Stage.POSTED ? d.with(looks.found(state, d)) : d)
            .collect(Collectors.toCollection(ArrayList::new));
    copies(state).forEach(kept::add);
    if (!lastPosts.isEmpty()) {
      lastPosts
          .keySet()
          .retainAll(kept.stream().map(d -> Digest32.sha256(d.blob())).collect(Collectors.toSet()));
    }
    if (!kept.equals(state.deliveries())) {
      session
          .store()
          .update(edit -> {
            edit.deliveries.clear();
            edit.deliveries.addAll(kept);
            if (!edit.posts.isEmpty()) {
              Set<Digest32> messages =
                  kept.stream().map(d -> Digest32.sha256(d.blob())).collect(Collectors.toSet());
              edit.posts.removeIf(post -> !messages.contains(post.message()));
            }
          });
    }
  }

  /** Whether mailboxes keep a message of this age. */
  private boolean mayBeKept(PendingDelivery delivery) {
    return delivery.firstPostMillis() == 0
        || delivery.firstPostMillis() > now() - RETENTION.toMillis();
  }

  /** Looks for posted parcels that the wallet did not see where it read. */
  private final class Looks {
    /** Up to which the wallet has read in private; null after all was read whole. */
    private @Nullable MailPlace place;

    private final List<MailboxPage> pages = new ArrayList<>();

    /** Messages around whose number a page was read. */
    private final Set<Digest32> looked = new HashSet<>();

    private int left = MAX_LOOKS;

    Looks(@Nullable MailPlace place) {
      this.place = place;
    }

    /**
     * Reads the pages for what is in buckets that this wallet does not read. In a private reading
     * this comes before anything is opened: the gateway sees when each request comes.
     */
    void atOtherBuckets(WalletState state) {
      for (PendingDelivery each : state.deliveries()) {
        if (each.stage() == PendingDelivery.Stage.POSTED
            && mayBeKept(each)
            && !session.bucket().reads(bucket(each))) {
          PendingDelivery.Stage unused = found(state, each);
        }
      }
    }

    /**
     * The number up to which messages would be visible. One that was posted an hour before the list
     * would be, whatever number the gateway gave it; what this process posted again gets an hour
     * more, because tables may lag behind.
     */
    private long reached(WalletState state, PendingDelivery posted) {
      if (place == null) {
        return state.mailboxCursor().sequence();
      }
      long list = Duration.ofSeconds(place.list().closed()).toMillis();
      long last =
          Math.max(
              posted.firstPostMillis(), lastPosts.getOrDefault(Digest32.sha256(posted.blob()), 0L));
      return last < list - LONGEST_WAIT.toMillis() ? Long.MAX_VALUE : place.number();
    }

    /** What is to be done with a message of which nothing is known up to a number. */
    private PendingDelivery.Stage unseen(OptionalLong number, long reached) {
      return place != null && number.isPresent() && number.getAsLong() > reached
          ? PendingDelivery.Stage.POSTED
          : PendingDelivery.Stage.WAITING;
    }

    /**
     * What is known of a posted parcel now. For one in another bucket this reads a page of the
     * whole mailbox around the number that the post got, so that the gateway sees two hundred posts
     * of which one is this reader's.
     */
    PendingDelivery.Stage found(WalletState state, PendingDelivery posted) {
      Digest32 message = Digest32.sha256(posted.blob());
      OptionalLong number =
          state.posts().stream()
              .filter(post -> post.message().equals(message))
              .mapToLong(MailboxCursor::sequence)
              .findFirst();
      if (session.bucket().reads(bucket(posted))) {
        if (place != null && place.waits(MailPlace.header(posted.blob()))) {
          return PendingDelivery.Stage.POSTED;
        }
        long reached = reached(state, posted);
        return posted.isTagged() && number.isEmpty() && place != null && reached < Long.MAX_VALUE
            ? PendingDelivery.Stage.POSTED // its payer got the number
            : unseen(number, reached);
      }
      if (number.isEmpty()) {
        return PendingDelivery.Stage.WAITING;
      }
      if (!isShown(posted) && !looked.contains(message)) {
        if (left == 0) {
          return PendingDelivery.Stage.POSTED; // looked for after the next reading
        }
        long reached = reached(state, posted);
        if (number.getAsLong() > reached) {
          return unseen(number, reached); // in no table yet, or no number of this mailbox
        }
        left--;
        // the same for each look for this message, and two hundred messages where there are so many
        long before = session.keys().lookOffset(message, MailboxReader.PAGE);
        long after = Math.min(number.getAsLong() - 1 - before, reached - MailboxReader.PAGE);
        try {
          pages.add(session.gateway().mailbox(Math.max(0, after), MailboxReader.PAGE));
        } catch (ProtocolException | WalletException e) {
          left = 0; // others would wait, too
          return PendingDelivery.Stage.POSTED;
        }
        looked.add(message);
      }
      return isShown(posted) ? PendingDelivery.Stage.SEEN : PendingDelivery.Stage.WAITING;
    }

    private boolean isShown(PendingDelivery posted) {
      return pages.stream().anyMatch(page -> page.has(posted.blob()));
    }
  }

  /**
   * New copies of unclaimed coins whose message, and last copy, the mailbox will soon forget. Only
   * the mailbox gives a coin back to a wallet that has lost its file.
   */
  private List<PendingDelivery> copies(WalletState state) {
    if (state.coins().isEmpty()) {
      return List.of();
    }
    long old = now() - COPY_AGE.toMillis();
    Map<FieldElement, ReceivedCoin> aged = new HashMap<>();
    state.receivedCoins().stream()
        .filter(received -> received.atMillis() < old)
        .forEach(received -> aged.put(received.rho(), received));
    aged.keySet().retainAll(state.coins().stream().map(OwnedCoin::rho).toList());
    if (aged.isEmpty()) {
      return List.of();
    }
    state.deliveries().stream()
        .filter(d -> d.transfer() == PendingDelivery.SELF)
        .filter(d -> d.firstPostMillis() == 0 || d.firstPostMillis() >= old)
        .flatMap(d -> session.parcels().open(session.keys().encryptionKey(), d.blob()).stream())
        .flatMap(parcel -> rho(parcel).stream())
        .forEach(aged::remove);
    List<PendingDelivery> copies = new ArrayList<>();
    for (OwnedCoin coin : state.coins()) {
      ReceivedCoin received = aged.get(coin.rho());
      if (received != null && copies.size() < MAX_COPIES) {
        copies.add(sealedCopy(copy(coin, received)));
      }
    }
    return copies;
  }

  private static Optional<FieldElement> rho(Parcel parcel) {
    return switch (parcel) {
      case Parcel.Payment payment -> Optional.of(payment.rho());
      case Parcel.Minted minted -> Optional.of(minted.rho());
      case Parcel.OwnCoin own -> Optional.of(own.rho());
      default -> Optional.empty();
    };
  }

  private Parcel copy(OwnedCoin coin, ReceivedCoin received) {
    if (session.kind() == NetworkKind.UNREGULATED && received.origin() != Origin.PAYMENT) {
      return new Parcel.OwnCoin(
          received.origin(),
          coin.value(),
          coin.rho(),
          coin.signature(),
          received.atMillis(),
          session.keys().coinTag(received.origin(), coin.rho()));
    }
    return coin.origin() == Origin.MINT
        ? new Parcel.Minted(coin.value(), coin.rho(), coin.signature(), received.atMillis())
        : new Parcel.Payment(
            coin.origin(),
            coin.value(),
            coin.rho(),
            coin.signature(),
            received.atMillis(),
            received.reference());
  }

  private long now() {
    return session.options().clock().millis();
  }

  private void pauseAtRandom() {
    long max = session.options().maxMailboxDelay().toMillis();
    if (max > 0) {
      RetryPolicy.sleep(session.random().nextLong(max + 1));
    }
  }

  private record Arrival(OwnedCoin coin, ReceivedCoin received) {}

  /**
   * Accepts only coins that are this wallet's, have a valid signature, and a rho never seen before.
   */
  private final class ParcelSorter {
    private final Set<FieldElement> added = new HashSet<>();

    /** Headers of what was sealed to this wallet. */
    private final Set<Digest32> headers = new HashSet<>();

    private final List<ReceivedCoin> receivedCoins = new ArrayList<>();
    private List<Arrival> accepted = new ArrayList<>();
    private final List<Signature> firstSignatures = new ArrayList<>();
    private final List<RegistrationCase> cases = new ArrayList<>();

    void startPage() {
      accepted = new ArrayList<>();
    }

    /** Adds what a message has, if it is sealed to this wallet. */
    void read(byte[] blob) {
      session
          .parcels()
          .open(session.keys().encryptionKey(), blob)
          .ifPresent(parcel -> {
            headers.add(MailPlace.header(blob));
            add(parcel);
          });
    }

    void add(Parcel parcel) {
      switch (parcel) {
        case Parcel.Payment p ->
            coin(
                new OwnedCoin(p.origin(), p.value(), p.rho(), p.signature()),
                p.origin(),
                p.atMillis(),
                p.reference());
        case Parcel.Minted m ->
            coin(
                new OwnedCoin(Origin.MINT, m.value(), m.rho(), m.signature()),
                Origin.MINT,
                m.atMillis(),
                "");
        case Parcel.OwnCoin c -> {
          if (session.kind() == NetworkKind.UNREGULATED
              && session.keys().coinTag(c.origin(), c.rho()).equals(c.tag())) {
            coin(
                new OwnedCoin(Origin.PAYMENT, c.value(), c.rho(), c.signature()),
                c.origin(),
                c.atMillis(),
                "");
          }
        }
        case Parcel.Registered r -> firstSignatures.add(r.signature());
        case Parcel.Registering r -> {
          if (session.keys().caseTag(r.opened()).equals(r.tag())) {
            cases.add(r.opened());
          }
        }
      }
    }

    Mail mail() {
      return new Mail(receivedCoins, firstSignatures, cases);
    }

    @Spec("W-06")
    private void coin(OwnedCoin coin, Origin origin, long atMillis, String reference) {
      if (coin.value().isZero()
          || session.store().state().seenRhos().contains(coin.rho())
          || added.contains(coin.rho())
          || !verifies(coin)) {
        return;
      }
      added.add(coin.rho());
      long notLater = Math.min(atMillis, now()); // the payer chose it
      ReceivedCoin received =
          new ReceivedCoin(origin, coin.value(), coin.rho(), notLater, reference);
      accepted.add(new Arrival(coin, received));
      receivedCoins.add(received);
    }

    private boolean verifies(OwnedCoin owned) {
      if (session.kind() == NetworkKind.UNREGULATED && owned.origin() != Origin.PAYMENT) {
        return false; // no coin of such a network has another origin
      }
      Coin coin = new Coin(owned.origin(), owned.value(), session.factory().apk(), owned.rho());
      return session
          .platform()
          .suite()
          .verify(
              session.platform().committee(),
              session.platform().suite().coinMessage(coin),
              owned.signature());
    }
  }
}
